import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
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

const members: ReadonlyArray<string> = ["workspaceId", "externalUserId"]

/**
 * Whether it can only mean what it says. A scope without `externalUserId` is the whole workspace: one that writes it otherwise, as
 * `external_user_id`, must not open the inbox of all users to one of them.
 */
const requireScope = (scope: PlainScope): Effect.Effect<void, ScopeInvalid> => {
  if (!Predicate.isObject(scope) || Array.isArray(scope)) {
    return Effect.die(new TypeError("A scope must be { workspaceId } or { workspaceId, externalUserId }"))
  }
  const other = Object.keys(scope).find((name) => !members.includes(name))
  if (other !== undefined) {
    return Effect.die(new TypeError(`A scope has workspaceId and externalUserId; it has no ${other}`))
  }
  if (!Predicate.isString(scope.workspaceId)) return Effect.die(new TypeError("A scope's workspaceId must be a text"))
  if ("externalUserId" in scope && scope.externalUserId === undefined) {
    return Effect.fail(new ScopeInvalid({ reason: "external_user_id_required" }))
  }
  return Predicate.isNullish(scope.externalUserId) || Predicate.isString(scope.externalUserId)
    ? Effect.void
    : Effect.die(new TypeError("A scope's externalUserId must be a text, or null"))
}

/** Enters a scope as an embedding service, which has authorised its own caller. */
export const makeWithin =
  (access: InboxAccess["Service"]) =>
  <A, E>(scope: PlainScope, use: (caller: EntitledCaller) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      Effect.andThen(
        Effect.suspend(() => requireScope(scope)),
        () => access.enterEmbedded(scope.workspaceId, Option.fromNullishOr(scope.externalUserId))
      ),
      use
    )

/** The same for what every plan has. */
export const makeWithinScope =
  (access: InboxAccess["Service"]) =>
  <A, E>(scope: PlainScope, use: (caller: ScopedCaller) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      Effect.andThen(
        Effect.suspend(() => requireScope(scope)),
        () => access.enterEmbeddedScope(scope.workspaceId, Option.fromNullishOr(scope.externalUserId))
      ),
      use
    )
