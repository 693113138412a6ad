import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ReadFailed } from "./ConnectorErrors.ts"
import type { NormalisedDelivery, Person } from "./InboundActivity.ts"
import type { Network, Source } from "./Source.ts"

/** A webhook's body as it was received, its signature verified. */
export interface RawDelivery {
  readonly body: Uint8Array
  /** When it was stored: the time of an event that carries none. A replay gives the same. */
  readonly arrivedAt: DateTime.Utc
}

/** Takes a delivery apart. Pure, total: bytes of any kind give an answer, the same bytes the same one. */
export type Normalise = (delivery: RawDelivery) => NormalisedDelivery

/** In whose name a network is asked. */
export interface AccountAccess {
  /** The id that webhooks use. */
  readonly networkAccountId: string
  readonly accessToken: Redacted.Redacted<string>
}

/** An item whose thread its delivery did not tell (`ThreadKey` `RootOf`). */
export interface UnsettledThread {
  readonly source: Source
  readonly externalId: string
  readonly parentExternalId: string
}

/**
 * Port: one network, asked in the name of one account.
 *
 * Every call has a time limit, follows no redirect and is not retried here: whoever calls knows for how long it is
 * worth it. A failure leaves nothing behind.
 */
export interface SocialConnector {
  readonly network: Network
  /**
   * What the network tells of a person that `source` named. None when it tells nothing: it has no such call (Threads),
   * or the person is gone or did not consent; asking again soon is of no use.
   */
  readonly findPerson: (
    access: AccountAccess,
    source: Source,
    personId: string
  ) => Effect.Effect<Option.Option<Person>, ReadFailed>
  /**
   * The key of the thread: on Facebook the comment at the top of the parent's chain, on X the post's conversation.
   * `Rejected` `gone` when it can never be told, so that the parent's id is the key. Never asked of other networks;
   * they answer with the parent's id.
   */
  readonly findThreadKey: (access: AccountAccess, thread: UnsettledThread) => Effect.Effect<string, ReadFailed>
}
