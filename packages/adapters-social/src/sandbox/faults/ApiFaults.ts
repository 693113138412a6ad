import { Network } from "../../names.ts"
import * as Schema from "effect/Schema"

/**
 * What goes wrong with a request. `_after`: the network does what it was asked, and then fails to say so; without it
 * nothing was done.
 *
 * - `rate_limit`: 429 on X, code 4 elsewhere, with the headers that say when to come back
 * - `server_error`: 500 or 503
 * - `hang`: no answer
 * - `reset`: the connection breaks
 * - `truncated`: it is done, and half of the answer comes
 * - `html`: 200 with a page
 * - `token_expired`, `scope_removed`: as if it were so
 * - `credits_depleted`: 402 of X; nothing elsewhere
 * - `error_though_sent`: it is done, and Meta answers 1/1357046; X 503
 * - `refused`, `refused_after`: the network says no with the given `code`, `subcode` and `message`, of X `status`
 * - `fails_later`: it is done, and what it made (a container, an upload, a video) fails while it is processed, with the
 *   given `subcode` or `message`
 */
export const apiFaultKinds = [
  "rate_limit",
  "server_error",
  "server_error_after",
  "hang",
  "hang_after",
  "reset",
  "reset_after",
  "truncated",
  "html",
  "html_after",
  "token_expired",
  "scope_removed",
  "credits_depleted",
  "error_though_sent",
  "refused",
  "refused_after",
  "fails_later"
] as const

/** A fault that was ordered; it holds for every request that it fits, until it is used up or cleared. */
export const ApiFault = Schema.Struct({
  network: Network,
  /** One operation of the network by its name; left out: all of them. */
  endpoint: Schema.optionalKey(Schema.String),
  /** Requests in the name of this account; left out: all. */
  account_id: Schema.optionalKey(Schema.String),
  kind: Schema.Literals(apiFaultKinds),
  /** How many requests; left out: until it is cleared. */
  times: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))),
  /** How many of a hundred requests that fit; which ones the world's seed says. Left out: all. */
  percent: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  /** Of a refusal: Meta's code and subcode, X's status, and the text. Left out: 100, none, 403, a text of ours. */
  code: Schema.optionalKey(Schema.Int),
  subcode: Schema.optionalKey(Schema.Int),
  status: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 }))),
  message: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))),
  /** What a rate limit tells to wait. Default 30; 0 tells nothing of it. */
  retry_after_s: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
})
export type ApiFault = typeof ApiFault.Type

/** Which faults to clear; what is left out is any. */
export const ClearFaults = Schema.Struct({
  network: Schema.optionalKey(Network),
  endpoint: Schema.optionalKey(Schema.String)
})

/** Beyond this the oldest go. */
const mostFaults = 1_000

interface Ordered {
  readonly number: number
  readonly fault: ApiFault
  readonly seen: number
}

/** The faults that were ordered and not used up yet. */
export class ApiFaults {
  private ordered: ReadonlyArray<Ordered> = []
  private count = 0
  private readonly chance: (of: string) => number

  constructor(chance: (of: string) => number) {
    this.chance = chance
  }

  readonly set = (fault: ApiFault): void => {
    this.count++
    this.ordered = [...this.ordered, { number: this.count, fault, seen: 0 }].slice(-mostFaults)
  }

  /** With what is left of their `times`. */
  readonly list = (): ReadonlyArray<ApiFault> => this.ordered.map(({ fault }) => fault)

  /** How many there were. */
  readonly clear = ({ endpoint, network }: typeof ClearFaults.Type): number => {
    const kept = this.ordered.filter(
      ({ fault }) =>
        (network !== undefined && fault.network !== network) || (endpoint !== undefined && fault.endpoint !== endpoint)
    )
    const cleared = this.ordered.length - kept.length
    this.ordered = kept
    return cleared
  }

  /** The fault of a request, the oldest that fits it and hits it; it counts as used. */
  readonly take = (network: Network, endpoint: string, accountId: string | undefined): ApiFault | undefined => {
    let taken: ApiFault | undefined
    this.ordered = this.ordered.flatMap((one): ReadonlyArray<Ordered> => {
      const { fault, number, seen } = one
      const fits =
        fault.network === network &&
        (fault.endpoint === undefined || fault.endpoint === endpoint) &&
        (fault.account_id === undefined || fault.account_id === accountId)
      if (!fits || taken !== undefined) return [one]
      const next = { ...one, seen: seen + 1 }
      if (fault.percent !== undefined && this.chance(`fault ${number} ${seen}`) * 100 >= fault.percent) return [next]
      taken = fault
      if (fault.times === undefined) return [next]
      return fault.times === 1 ? [] : [{ ...next, fault: { ...fault, times: fault.times - 1 } }]
    })
    return taken
  }
}
