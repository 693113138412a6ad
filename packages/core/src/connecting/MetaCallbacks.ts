import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** The `signed_request` of a callback is not signed by one of our apps, is malformed, or has expired. Nothing was done. */
export class SignedRequestInvalid extends Schema.TaggedError<SignedRequestInvalid>()("SignedRequestInvalid", {}) {}

/** A person's request to delete what is kept of them, as its status page shows it. */
export interface DeletionRequest {
  /** Letters and digits; hard to guess. */
  readonly code: string
  readonly createdAt: DateTime.Utc
  /** When everything was gone; absent until then. */
  readonly completedAt: Option.Option<DateTime.Utc>
}

/** Driving service: what Meta says of a person who takes the app's permission back (api-2.md §11). */
export class MetaCallbacks extends Context.Service<
  MetaCallbacks,
  {
    /**
     * The tokens of all accounts that the person connected are dropped; the accounts must be connected again. An unknown
     * person changes nothing.
     */
    readonly deauthorise: (signedRequest: string) => Effect.Effect<void, SignedRequestInvalid | StoreUnavailable>
    /** Erases those accounts with all their data. The same request again gives the same code, an unknown person too. */
    readonly requestDeletion: (
      signedRequest: string
    ) => Effect.Effect<DeletionRequest, SignedRequestInvalid | StoreUnavailable>
    readonly findDeletion: (code: string) => Effect.Effect<Option.Option<DeletionRequest>, StoreUnavailable>
  }
>()("@loopbox/core/connecting/MetaCallbacks") {}
