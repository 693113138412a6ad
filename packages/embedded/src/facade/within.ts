import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import type { EntitledCaller, ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"

/**
 * Whose inbox: that of one managed user, or of the whole workspace if `externalUserId` is left out or null. Your
 * service must authorise its own caller. An explicit `undefined` is refused as ScopeInvalid, because it is probably a
 * failed look-up; a member that a scope does not have rejects with a TypeError.
 */
export interface PlainScope {
  readonly workspaceId: string
  readonly externalUserId?: string | null
}

/** A look-up of the user that failed must not open the inbox of all users to one of them. */
const requireScope = (scope: PlainScope): Effect.Effect<void, ScopeInvalid> =>
  "externalUserId" in scope && scope.externalUserId === undefined
    ? Effect.fail(new ScopeInvalid({ reason: "external_user_id_required" }))
    : Effect.void

/** Enters a scope as an embedding service, which has authorised its own caller. */
export const makeWithin =
  (access: InboxAccess["Service"]) =>
  <A, E>(scope: PlainScope, use: (caller: EntitledCaller) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      Effect.andThen(requireScope(scope), () =>
        access.enterEmbedded(scope.workspaceId, Option.fromNullishOr(scope.externalUserId))
      ),
      use
    )

/** The same for what every plan has. */
export const makeWithinScope =
  (access: InboxAccess["Service"]) =>
  <A, E>(scope: PlainScope, use: (caller: ScopedCaller) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      Effect.andThen(requireScope(scope), () =>
        access.enterEmbeddedScope(scope.workspaceId, Option.fromNullishOr(scope.externalUserId))
      ),
      use
    )
