import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** What opens the console: a link that does so once, or the session that it began. */
export interface ConsoleGrant {
  /** SHA-256 of its secret, in hex. The secret itself is kept nowhere. */
  readonly digest: string
  readonly kind: "ticket" | "session"
  /** The admin token that it goes back to, as a digest: with another token it counts no more. */
  readonly epoch: string
  readonly expiresAt: DateTime.Utc
}

/** Port: what opens the console of an installation. */
export class ConsoleSessionStore extends Context.Service<
  ConsoleSessionStore,
  {
    /** Adds a grant, and removes up to 1,000 that had expired by `now`. */
    readonly add: (grant: ConsoleGrant, now: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
    /** Removes a ticket and gives it: of all who ask at once, to one. */
    readonly take: (digest: string) => Effect.Effect<Option.Option<ConsoleGrant>, StoreUnavailable>
    readonly findSession: (digest: string) => Effect.Effect<Option.Option<ConsoleGrant>, StoreUnavailable>
    readonly removeSession: (digest: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/access/ConsoleSessionStore") {}
