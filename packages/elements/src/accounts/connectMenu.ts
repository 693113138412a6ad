import { html, nothing, type TemplateResult } from "lit"
import type { AccountsMessages } from "../messages/english/accounts.ts"
import { textField } from "../parts/field.ts"
import { networkBadge, networkName } from "../parts/networkBadge.ts"
import "../parts/Menu.ts"

export const connectable = ["instagram", "facebook", "threads", "x"] as const

interface ConnectMenu {
  readonly texts: AccountsMessages
  /** The managed user who will own it; undefined where nobody may choose. */
  readonly owner: string | undefined
  readonly setOwner: (owner: string) => void
  readonly connect: (network: (typeof connectable)[number]) => void
}

/** Where a network is chosen, and for whom. */
export const connectMenu = ({ connect, owner, setOwner, texts }: ConnectMenu): TemplateResult =>
  html`<loopbox-menu side="start" .label=${texts.connect} .icon=${"plus"}>
    ${
      owner === undefined
        ? nothing
        : html`<div class="owner">
            ${textField({ id: "owner", label: texts.owner, hint: texts.ownerHint, value: owner, onInput: setOwner })}
          </div>`
    }
    ${connectable.map(
      (network) =>
        html`<button type="button" class="menu-item" data-closes @click=${() => connect(network)}>
          ${networkBadge(network)}<span>${networkName(network)}</span>
        </button>`
    )}
  </loopbox-menu>`
