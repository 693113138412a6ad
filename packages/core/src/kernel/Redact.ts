import type * as Option from "effect/Option"

/**
 * Takes what a webhook delivery says to one account out of its body, and leaves the rest as it is; `none` if nothing is
 * left, or if it can't be told apart. Pure, total.
 *
 * Stores are handed it when they erase: the floors that have them know no networks, so these are spelled out here.
 */
export type Redact = (
  delivery: { readonly endpoint: "meta" | "threads" | "x"; readonly body: Uint8Array },
  account: {
    readonly network: "instagram" | "facebook" | "threads" | "x"
    /** The id that the network's webhooks use. */
    readonly accountId: Option.Option<string>
    readonly username: Option.Option<string>
  }
) => Option.Option<Uint8Array>
