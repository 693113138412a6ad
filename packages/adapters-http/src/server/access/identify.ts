import { type Credential, InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { UnauthorizedReason } from "@loopbox/core/access/AccessErrors"
import type { Caller } from "@loopbox/core/access/Caller"
import { operator } from "@loopbox/core/audit/Actor"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { errorCodes } from "../../api/errorCodes.ts"
import { CurrentRequestFacts } from "../edge/requestFacts.ts"
import { countRefusal, countUnauthorized } from "../system/httpMetrics.ts"
import { CurrentConsoleCredential } from "../console/CurrentConsoleCredential.ts"
import { AddressLimits } from "./AddressLimits.ts"
import { RateLimits } from "../edge/RateLimits.ts"
import { refuseFor, refuseUnauthorized, setAnswerHeaders } from "../edge/refuse.ts"

/** What to do about a dashboard token that was verified: its holder may know what is wrong with it. */
const sentences: Record<UnauthorizedReason, string> = {
  workspace_required:
    "The dashboard token names no workspace. Name it in X-Workspace-Id (workspace_id on a WebSocket), or in the token's claim.",
  workspace_differs:
    "The dashboard token is for another workspace than the request names. Leave X-Workspace-Id (workspace_id on a WebSocket) out, or use a token of that workspace.",
  workspace_unclaimed:
    "The dashboard token is bound to a managed user and names no workspace. One that is bound must name it itself, in its claim."
}

/** No credential, or one that does not count; which of them is nobody's business. */
const refuseCredential = (reason?: UnauthorizedReason) =>
  refuseUnauthorized(reason === undefined ? errorCodes.UNAUTHORIZED.sentence : sentences[reason])

/** Too many of them came from the same address. */
export const refuseAddress = (waitSeconds: number) =>
  refuseFor(
    waitSeconds,
    "RATE_LIMITED",
    "Too many refused credentials came from your address. Wait, then give a valid one."
  )

/** What an `Authorization` header and the workspace beside it prove; absent without a token. */
export const toCredential = (
  token: Redacted.Redacted<string>,
  workspaceId: string | undefined
): Option.Option<Credential> =>
  Redacted.value(token) === ""
    ? Option.none()
    : Option.some({ token, workspaceId: workspaceId === "" ? Option.none() : Option.fromUndefinedOr(workspaceId) })

/** Whose requests are counted together: a key's, or those of a session of the console. */
const bucketOf = (caller: Caller, { token }: Credential): string | undefined => {
  if (caller._tag === "KeyCaller") return caller.keyId
  return caller._tag === "OperatorCaller" ? `console ${Hash.string(Redacted.value(token))}` : undefined
}

/** Who calls, and whether a key may make one more request now: in this order, before anything else. */
export const makeIdentify = Effect.gen(function* () {
  const access = yield* InboxAccess
  const limits = yield* RateLimits
  const addresses = yield* AddressLimits

  const takeToken = Effect.fnUntraced(function* (bucket: string) {
    const verdict = yield* limits.take(bucket)
    if (Option.isNone(verdict)) return
    const { burst, isAllowed, remaining, resetSeconds, waitSeconds } = verdict.value
    yield* setAnswerHeaders({
      "ratelimit-limit": String(burst),
      "ratelimit-remaining": String(remaining),
      "ratelimit-reset": String(resetSeconds)
    })
    if (isAllowed) return
    yield* countRefusal("key")
    return yield* refuseFor(waitSeconds, "RATE_LIMITED")
  })

  const refuse = Effect.fnUntraced(function* (reason?: UnauthorizedReason) {
    yield* countUnauthorized("caller")
    const wait = yield* addresses.noteRefused
    return yield* Option.isSome(wait) ? refuseAddress(wait.value) : refuseCredential(reason)
  })

  const note = Effect.fnUntraced(function* (caller: Caller, { token }: Credential) {
    addresses.noteGood(token)
    const facts = yield* CurrentRequestFacts
    if (caller._tag === "OperatorCaller") {
      facts.workspaceId = caller.workspace.id
      facts.callerId = "console"
      facts.actor = operator
    } else if (caller._tag === "ManagedUserCaller") {
      facts.workspaceId = caller.workspace.id
      facts.actor = { type: "member", id: Option.some(caller.userId) }
      facts.callerId = `managed user ${caller.externalUserId} of ${caller.workspace.id}`
    } else if (caller._tag === "KeyCaller") {
      facts.workspaceId = caller.workspace.id
      facts.keyId = caller.keyId
      facts.callerId = caller.keyId
      facts.actor = { type: "api_key", id: Option.some(caller.keyId) }
    } else {
      facts.workspaceId = Option.getOrUndefined(Option.map(caller.membership, ({ workspace }) => workspace.id))
      facts.actor = { type: "member", id: Option.some(caller.userId) }
      facts.callerId = `user ${caller.userId} of ${facts.workspaceId}`
    }
  })

  return Effect.fnUntraced(function* (given: Option.Option<Credential>) {
    const credential = Option.orElse(yield* CurrentConsoleCredential, () => given)
    if (Option.isNone(credential)) return yield* refuse()
    const wait = yield* addresses.judge(credential.value.token)
    if (Option.isSome(wait)) return yield* refuseAddress(wait.value)
    const caller = yield* access
      .identify(credential.value)
      .pipe(Effect.catchTag("Unauthorized", ({ reason }) => refuse(reason)))
    yield* note(caller, credential.value)
    const bucket = bucketOf(caller, credential.value)
    if (bucket !== undefined) yield* takeToken(bucket)
    return caller
  })
})
