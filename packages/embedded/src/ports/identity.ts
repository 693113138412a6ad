import { IdentityUnavailable, Unauthorized } from "@loopbox/core/access/AccessErrors"
import { DashboardIdentity } from "@loopbox/core/access/DashboardIdentity"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

/** Whose token it is. */
export interface PlainIdentity {
  readonly userId: string
  /** Absent: the request names the workspace by `X-Workspace-Id`. Of which the user is a member decides Loopbox. */
  readonly workspaceId?: string | null
  /**
   * Binds the token to a managed user: it opens their inbox and no other, whoever holds it. `workspaceId` must be there, and
   * the user need be no member.
   */
  readonly externalUserId?: string | null
}

/**
 * Verifies the token of a dashboard, which came as `Authorization: Bearer …`: signature, issuer, audience and times.
 * Null refuses it with 401. What it throws, and no answer within the time of `timeouts.identity`, is answered as an identity
 * provider that is down: 500 or 503, to be tried again.
 */
export type Identify = (request: { readonly token: string }) => Promise<PlainIdentity | null>

const isTextOrNone = (given: unknown): boolean => Predicate.isNullish(given) || Predicate.isString(given)

/** What is wrong with what a function of plain JavaScript gave: a refused token alone would not tell its author. */
const faultOf = (given: unknown): string | undefined => {
  if (Predicate.isNullish(given)) return undefined
  if (!Predicate.isObject(given)) return `it gave ${typeof given} instead of { userId, workspaceId } or null`
  if (!Predicate.isString(given["userId"]) || given["userId"] === "") return "userId must be a text"
  return ["workspaceId", "externalUserId"]
    .filter((name) => !isTextOrNone(given[name]))
    .map((name) => `${name} must be a text or null`)[0]
}

/** How long an answer is waited for, unless said otherwise: as long as for the keys of a provider. */
const identityTimeout = Duration.seconds(5)

/** `DashboardIdentity` by a function, which is waited for within a time. */
export const layerIdentify = (
  identify: Identify,
  options: { readonly timeout?: Duration.Input | undefined } = {}
): Layer.Layer<never> => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? identityTimeout)
  const late = () => new Error(`identity did not answer within ${Duration.format(timeout)}`)
  return Layer.succeed(DashboardIdentity, {
    verify: Effect.fn("DashboardIdentity.verify")(function* (token: Redacted.Redacted<string>) {
      const found = yield* Effect.tryPromise({
        try: async () => identify({ token: Redacted.value(token) }),
        catch: (cause) => new IdentityUnavailable({ cause })
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.suspend(() => Effect.fail(new IdentityUnavailable({ cause: late() })))
        })
      )
      const fault = faultOf(found)
      if (fault !== undefined) yield* Effect.logWarning(`identity: ${fault}; the token is refused`)
      // A function of plain JavaScript says undefined, or gives an object of another kind.
      if (
        fault !== undefined ||
        !Predicate.isObject(found) ||
        !Predicate.isString(found.userId) ||
        found.userId === ""
      ) {
        return yield* new Unauthorized()
      }
      return {
        userId: found.userId,
        workspaceId: Option.fromNullishOr(found.workspaceId),
        externalUserId: Option.fromNullishOr(found.externalUserId)
      }
    }),
    issue: Option.none()
  })
}
