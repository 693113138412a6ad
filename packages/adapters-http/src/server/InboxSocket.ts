import { EventFeed } from "@loopbox/core/inbox/EventFeed"
import type { Follower } from "@loopbox/core/inbox/FeedMessage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeEnterInbox, rawQueryOf } from "./enterInbox.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { LiveSockets } from "./LiveSocket.ts"
import { OpenSockets } from "./OpenSockets.ts"
import { refuse, refuseFor, setAnswerHeaders, unavailableSeconds } from "./refuse.ts"
import { toResponse } from "./refusalResponse.ts"
import { type Handshake, SocketJudge } from "./SocketJudge.ts"
import { refuseStore } from "./storeRefusals.ts"
import { credentialOf, readAfter } from "./subscription.ts"
import { refusePlainRequest } from "./Validation.ts"

const refuseBusy = Effect.suspend(() =>
  refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE", "No socket can be opened here now. Try again soon.")
)

const refuseWithoutUpgrade = Effect.suspend(() =>
  Effect.andThen(
    setAnswerHeaders({ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" }),
    refuse("UPGRADE_REQUIRED", "This path takes WebSockets only: Upgrade: websocket, version 13.")
  )
)

/** Whether the request asks for a WebSocket, and rightly. */
const judgeHandshake = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
  const isUpgrade = headers["upgrade"]?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13"
  if (!isUpgrade) return yield* refuseWithoutUpgrade
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "")) {
    return yield* refusePlainRequest([{ path: "Sec-WebSocket-Key", message: "must be 16 bytes in base64" }])
  }
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
    const credential = credentialOf(request, rawQuery)
    const caller = yield* enterInbox(credential, { rawQuery, isExplicit: true })
    const { after, issues } = readAfter(caller.query)
    if (issues.length > 0) return yield* refusePlainRequest(issues)
    yield* judgeHandshake(request)
    if ((yield* Ref.get(draining)) || !(yield* sockets.hasRoom)) return yield* refuseBusy
    const handshake: Handshake = { request: { credential, rawQuery, isExplicit: true }, caller, heard }
    return { handshake, after }
  })

  const follow = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    handshake: Handshake,
    followWith: (follower: Follower) => Effect.Effect<never>
  ) {
    const upgraded = yield* Effect.catchTag(request.upgrade, "HttpServerError", () => refuseWithoutUpgrade)
    // The answer 101 goes out here.
    const reader = yield* upgraded.reader
    const live = liveSockets.find(request.source)
    if (live === undefined) return yield* Effect.die(new Error("the server made a WebSocket that is not ours"))
    const added = yield* sockets.add(live)
    if (Option.isNone(added)) return live.close(1013, "too many sockets")
    yield* judges.watch(handshake, added.value)
    const sending = followWith(added.value.follower).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("following an inbox died", defect),
          Effect.sync(() => live.close(1011, "something went wrong on our side"))
        )
      )
    )
    yield* Effect.forkScoped(sending)
    // What clients send is not looked at; the end of the socket ends this.
    return yield* Effect.forever(reader.pull)
  })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { after, handshake } = yield* judge(request)
    const followWith = yield* Effect.catchTag(feed.follow(handshake.caller, after), "StoreUnavailable", refuseStore)
    return yield* follow(request, handshake, followWith).pipe(
      Effect.catchTag("SocketError", () => Effect.void),
      Effect.as(HttpServerResponse.empty({ status: 101 }))
    )
  }).pipe(Effect.scoped, toResponse)
})

/** `GET /v1/inbox/ws` (§6, api.md §4). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", "/v1/inbox/ws", yield* make)
  })
)
