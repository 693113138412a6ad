import * as Option from "effect/Option"

/** A webhook delivery as it is kept. */
interface KeptDelivery {
  readonly endpoint: string
  readonly body: Uint8Array
}

/** By what deliveries name an account. */
export interface RedactedAccount {
  readonly network: string
  /** An id that the network's webhooks use. */
  readonly accountId: Option.Option<string>
  readonly username: Option.Option<string>
}

/**
 * Removes the data of one account from the body of a webhook delivery and keeps the rest. `none` if nothing is left, or
 * if the account's part can't be separated. Pure; never throws.
 *
 * Passed to a store with each erasure. A process that can't read deliveries passes `none`; the data then stays until a
 * process that can read them sweeps.
 */
export type Redact = (delivery: KeptDelivery, account: RedactedAccount) => Option.Option<Uint8Array>

/** An account by each of its ids. */
export const redactedAccounts = (account: {
  readonly network: string
  readonly networkAccountId: string
  readonly otherAccountId: Option.Option<string>
  readonly username: Option.Option<string>
}): ReadonlyArray<RedactedAccount> => {
  const { network, networkAccountId, otherAccountId, username } = account
  const ids = new Set([networkAccountId, ...Option.toArray(otherAccountId)])
  return Array.from(ids, (id) => ({ network, accountId: Option.some(id), username }))
}

/** Takes out what is said to any of these. */
export const redactAll = (
  redact: Redact,
  { body, endpoint }: KeptDelivery,
  accounts: ReadonlyArray<RedactedAccount>
): Option.Option<Uint8Array> =>
  accounts.reduce(
    (rest: Option.Option<Uint8Array>, account) =>
      Option.flatMap(rest, (left) => redact({ endpoint, body: left }, account)),
    Option.some(body)
  )
