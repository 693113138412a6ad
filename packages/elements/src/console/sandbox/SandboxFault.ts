import type { SandboxNetwork } from "./SandboxNetwork.ts"

/** A fault as it is chosen: what goes wrong, at which requests, how often. Empty texts: all of them. */
export interface ChosenFault {
  readonly kind: string
  readonly endpoint: string
  readonly accountId: string
  /** Requests until it is used up; empty: until it is mended. */
  readonly times: string
  /** How many of a hundred; empty: all. */
  readonly percent: string
}

/** A fault that is set. */
export interface SandboxFault {
  readonly network: string
  readonly kind: string
  readonly endpoint?: string
  readonly account_id?: string
  readonly times?: number
  readonly percent?: number
}

/** A whole number within bounds; undefined for what is none. */
const numberIn = (text: string, most: number): number | undefined => {
  const number = Math.trunc(Number(text))
  return text.trim() === "" || !Number.isFinite(number) ? undefined : Math.min(most, Math.max(1, number))
}

/** A fault as the sandbox takes it. */
export const faultBody = (network: SandboxNetwork, chosen: ChosenFault): SandboxFault => {
  const times = numberIn(chosen.times, 100_000)
  const percent = numberIn(chosen.percent, 100)
  return {
    network,
    kind: chosen.kind,
    ...(chosen.endpoint === "" ? {} : { endpoint: chosen.endpoint }),
    ...(chosen.accountId === "" ? {} : { account_id: chosen.accountId }),
    ...(times === undefined ? {} : { times }),
    ...(percent === undefined ? {} : { percent })
  }
}

/** By which requests an answer to a comment is written. */
const writing: Readonly<Record<SandboxNetwork, string>> = {
  instagram: "reply",
  facebook: "reply",
  threads: "publish",
  x: "create_tweet"
}

/** What is offered first: the next answer fails. Other requests come all the time, and would use the fault up unseen. */
export const firstFault = (network: SandboxNetwork): ChosenFault => ({
  kind: "server_error",
  endpoint: writing[network],
  accountId: "",
  times: "1",
  percent: ""
})

const hiddenFor_ms = 10_000

/** The next answer stands on the network, whose connection breaks before it says so; and it is seen there only later. */
export const silence = (network: SandboxNetwork) => ({
  fault: { network, kind: "reset_after", endpoint: writing[network], times: 1 },
  settings: { lag_ms: hiddenFor_ms, own_webhooks: { delay_ms: hiddenFor_ms } }
})

/** How a network behaves with which nothing is wrong. */
export const soundSettings = { lag_ms: 0, own_webhooks: {} }
