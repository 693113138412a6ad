import { EventFeed } from "@loopbox/core/feed/EventFeed"
import type { Follower } from "@loopbox/core/feed/FeedMessage"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Issue } from "../../api/ErrorBody.ts"
import { CurrentConsoleCredential } from "../console/CurrentConsoleCredential.ts"
import { makeEnterInbox, rawQueryOf } from "../inbox/enterInbox.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { LiveSockets } from "./LiveSocket.ts"
import { CurrentRequestFacts } from "../edge/requestFacts.ts"
import { countRefusal } from "../system/httpMetrics.ts"
import { type Crowded, OpenSockets, type SocketOwner } from "./OpenSockets.ts"
import { refuse, refuseFor, setAnswerHeaders, unavailableSeconds } from "../edge/refuse.ts"
import { toResponse } from "../edge/refusalResponse.ts"
import { type Handshake, SocketJudge } from "./SocketJudge.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { credentialOf, readAfter } from "./subscription.ts"
import { refusePlainRequest } from "../edge/Validation.ts"

const refuseBusy = Effect.suspend(() =>
  refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE", "No socket can be opened here now. Try again soon.")
)

const crowded: Record<Exclude<Crowded, "process">, string> = {
  workspace: "This workspace has too many open sockets. Close some of them.",
  caller: "This key or user has too many open sockets. Close some of them."
}

/** A crowd of this process's is our lack; one of the caller's is the caller's own. */
const refuseCrowd = (crowd: Crowded) =>
  crowd === "process"
    ? refuseBusy
    : Effect.andThen(countRefusal("sockets"), refuseFor(unavailableSeconds, "RATE_LIMITED", crowded[crowd]))

const refuseWithoutUpgrade = Effect.suspend(() =>
  Effect.andThen(
    setAnswerHeaders({ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" }),
    refuse("UPGRADE_REQUIRED")
  )
)

const badKey = { path: "Sec-WebSocket-Key", message: "must be 16 bytes in base64" }

/** Whether the request asks for a WebSocket, and rightly; faults of its query come before its lack of an upgrade. */
const judgeHandshake = Effect.fnUntraced(function* (
  { headers }: HttpServerRequest.HttpServerRequest,
  issues: ReadonlyArray<Issue>
) {
  const isUpgrade = headers["upgrade"]?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13"
  const isBadKey = isUpgrade && !/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  if (isBadKey || issues.length > 0) return yield* refusePlainRequest(isBadKey ? [...issues, badKey] : issues)
  if (!isUpgrade) return yield* refuseWithoutUpgrade
})

const make = Effect.gen(function* () {
  const feed = yield* EventFeed
  const sockets = yield* OpenSockets
  const judges = yield* SocketJudge
  const liveSockets = yield* LiveSockets
  const { draining } = yield* HttpSettings
  const enterInbox = yield* makeEnterInbox

  /** Everything that is refused with a status, in the order of api.md §4. */
  const judge = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const heard = yield* judges.heard
    const rawQuery = rawQueryOf(request.url)
    const credential = Option.orElse(yield* CurrentConsoleCredential, () => credentialOf(request, rawQuery))
    const caller = yield* enterInbox(credential, { rawQuery, isExplicit: true })
    const { after, issues } = readAfter(caller.query)
    yield* judgeHandshake(request, issues)
    if (yield* Ref.get(draining)) return yield* refuseBusy
    const { callerId = "nobody" } = yield* CurrentRequestFacts
    const owner: SocketOwner = { workspaceId: caller.workspace.id, callerId }
    const crowd = yield* sockets.findCrowd(owner)
    if (Option.isSome(crowd)) return yield* refuseCrowd(crowd.value)
    const handshake: Handshake = { request: { credential, rawQuery, isExplicit: true }, caller, heard }
    return { handshake, owner, after }
  })

  /** The request becomes a socket, which lives as long as the scope and keeps nothing of the request. */
  const become = Effect.fnUntraced(function* (
    { source }: HttpServerRequest.HttpServerRequest,
    { handshake, owner }: { readonly handshake: Handshake; readonly owner: SocketOwner },
    scope: Scope.Closeable,
    followWith: (follower: Follower) => Effect.Effect<void>
  ) {
    // The answer 101 goes out here.
    const live = liveSockets.accept(source)
    if (live === undefined) return yield* refuseWithoutUpgrade
    ;(yield* CurrentRequestFacts).lifetime = scope
    const added = yield* sockets.add(live, owner, scope)
    if (Option.isNone(added)) {
      live.close(1013, "too many sockets")
      return yield* Scope.close(scope, Exit.void)
    }
    yield* judges.watch(handshake, added.value)
    return yield* followWith(added.value)
  }, Effect.uninterruptible)

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const judged = yield* judge(request)
    const scope = yield* Scope.make()
    const { after, handshake } = judged
    yield* Effect.catchTag(feed.follow(handshake.caller, after), "StoreUnavailable", refuseStore).pipe(
      Effect.flatMap((followWith) => become(request, judged, scope, followWith)),
      Scope.provide(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    return HttpServerResponse.empty({ status: 101 })
  }).pipe(toResponse)
})

/** `GET /v1/inbox/ws` (§6, api.md §4). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", "/v1/inbox/ws", yield* make)
  })
)
