import { type Credential, InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { KeyCaller } from "@loopbox/core/access/Caller"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { RateLimits } from "./RateLimits.ts"
import { refuseFor, refuseUnauthorized, setAnswerHeaders } from "./refuse.ts"

/** No credential, or one that does not count; which of them is nobody's business. */
export const refuseCredential = Effect.suspend(() =>
  refuseUnauthorized("Give a valid API key or dashboard token: Authorization: Bearer …")
)

/** What an `Authorization` header and the workspace beside it prove; absent without a token. */
export const toCredential = (
  token: Redacted.Redacted<string>,
  workspaceId: string | undefined
): Option.Option<Credential> =>
  Redacted.value(token) === ""
    ? Option.none()
    : Option.some({ token, workspaceId: workspaceId === "" ? Option.none() : Option.fromUndefinedOr(workspaceId) })

/** Who calls, and whether a key may make one more request now: in this order, before anything else. */
export const makeIdentify = Effect.gen(function* () {
  const access = yield* InboxAccess
  const limits = yield* RateLimits

  const takeToken = Effect.fnUntraced(function* ({ keyId }: KeyCaller) {
    const verdict = yield* limits.take(keyId)
    if (Option.isNone(verdict)) return
    const { burst, isAllowed, remaining, resetSeconds, waitSeconds } = verdict.value
    yield* setAnswerHeaders({
      "ratelimit-limit": String(burst),
      "ratelimit-remaining": String(remaining),
      "ratelimit-reset": String(resetSeconds)
    })
    if (!isAllowed) return yield* refuseFor(waitSeconds, "RATE_LIMITED", "Too many requests with this key. Slow down.")
  })

  return Effect.fnUntraced(function* (credential: Option.Option<Credential>) {
    if (Option.isNone(credential)) return yield* refuseCredential
    const caller = yield* access
      .identify(credential.value)
      .pipe(Effect.catchTag("Unauthorized", () => refuseCredential))
    if (caller._tag === "KeyCaller") yield* takeToken(caller)
    return caller
  })
})
