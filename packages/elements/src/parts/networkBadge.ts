import { html, type TemplateResult } from "lit"

const names: Readonly<Record<string, readonly [name: string, sign: string]>> = {
  instagram: ["Instagram", "I"],
  facebook: ["Facebook", "f"],
  threads: ["Threads", "@"],
  x: ["X", "X"]
}

/** A network's name as people know it; of a network that we don't know, its own word. */
export const networkName = (network: string): string => names[network]?.[0] ?? network

/** A round sign of a network, which a screen reader tells by name. */
export const networkBadge = (network: string): TemplateResult =>
  html`<span
    class="badge badge-${network.replaceAll(/[^a-z0-9]/gi, "")}"
    role="img"
    aria-label=${networkName(network)}
    title=${networkName(network)}
    >${names[network]?.[1] ?? network.slice(0, 1).toUpperCase()}</span
  >`
