import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxAccess, type InboxRefused, type InboxRequest } from "@loopbox/core/access/InboxAccess"
import { EventFeed, type FeedMessage } from "@loopbox/core/inbox/EventFeed"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Socket from "effect/socket/Socket"
import { makeEnterInbox, rawQueryOf } from "./enterInbox.ts"
import { makeToFrame } from "./frames.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { type Closing, OpenSockets, tooSlow } from "./OpenSockets.ts"
import { Outbox, type Transport, transportOf } from "./Outbox.ts"
import { refuse, refuseFor, setAnswerHeaders, unavailableSeconds } from "./refuse.ts"
import { toResponse } from "./refusalResponse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { credentialOf, readAfter } from "./subscription.ts"
import { refusePlainRequest } from "./Validation.ts"

const refuseBusy = Effect.suspend(() =>
  refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE", "No socket can be opened here now. Try again soon.")
)

const refuseWithoutUpgrade = Effect.suspend(() =>
  Effect.andThen(
    setAnswerHeaders({ upgrade: "websocket", "sec-websocket-version": "13" }),
    refuse("UPGRADE_REQUIRED", "This path takes WebSockets only: Upgrade: websocket, version 13.")
  )
)

/** The connection to be upgraded, once the handshake is one. */
const judgeHandshake = Effect.fnUntraced(function* ({ headers, source }: HttpServerRequest.HttpServerRequest) {
  const isUpgrade = headers["upgrade"]?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13"
  const transport = transportOf(source)
  if (!isUpgrade || transport === undefined) return yield* refuseWithoutUpgrade
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "")) {
    return yield* refusePlainRequest([{ path: "Sec-WebSocket-Key", message: "must be 16 bytes in base64" }])
  }
  return transport
})

/** How a socket ends whose request would now be refused. */
const closingOf = (refused: InboxRefused): Option.Option<Closing> => {
  switch (refused._tag) {
    case "Unauthorized":
      return Option.some({ code: 4401, reason: "the credential no longer counts" })
    case "PlanFeatureNotAvailable":
      return Option.some({ code: 4402, reason: "the plan has no inbox" })
    case "ManagedUserNotFound":
      return Option.some({ code: 4404, reason: "the managed user is gone" })
    case "ScopeLookupFailed":
      // It passes; the next look will tell.
      return Option.none()
    default:
      return Option.some({ code: 4403, reason: "the role no longer suffices" })
  }
}

const hasSameSources = (a: EntitledCaller, b: EntitledCaller) =>
  a.sources.size === b.sources.size && [...a.sources].every((source) => b.sources.has(source))

interface Handshake {
  readonly request: InboxRequest
  readonly caller: EntitledCaller
  readonly after: Option.Option<number>
  readonly transport: Transport
}

const make = Effect.gen(function* () {
  const access = yield* InboxAccess
  const feed = yield* EventFeed
  const sockets = yield* OpenSockets
  const { draining, sockets: limits } = yield* HttpSettings
  const enterInbox = yield* makeEnterInbox
  const toFrame = makeToFrame(Duration.toSeconds(limits.heartbeat))
  const looks = Math.max(1, Math.ceil(Duration.toMillis(limits.patience) / 20))

  /** Everything that is refused with a status, in the order of api.md §4. */
  const judge = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const rawQuery = rawQueryOf(request.url)
    const credential = credentialOf(request, rawQuery)
    const caller = yield* enterInbox(credential, { rawQuery, isExplicit: true })
    const { after, issues } = readAfter(caller.query)
    if (issues.length > 0) return yield* refusePlainRequest(issues)
    const transport = yield* judgeHandshake(request)
    if ((yield* Ref.get(draining)) || !(yield* sockets.hasRoom)) return yield* refuseBusy
    const handshake: Handshake = { request: { credential, rawQuery, isExplicit: true }, caller, after, transport }
    return handshake
  })

  const judgeAgain = ({ caller, request }: Handshake) =>
    access.enterInbox(request).pipe(
      Effect.match({
        onFailure: closingOf,
        onSuccess: (now): Option.Option<Closing> =>
          hasSameSources(caller, now) ? Option.none() : Option.some({ code: 4402, reason: "the plan has changed" })
      })
    )

  /** Whether a full queue gets half empty in time. */
  const drains = Effect.fnUntraced(function* (outbox: Outbox) {
    for (let look = 0; look < looks; look++) {
      yield* Effect.sleep("20 millis")
      if (outbox.isHalfEmpty) return true
    }
    return false
  })

  const follow = Effect.fnUntraced(function* (
    handshake: Handshake,
    socket: Socket.Socket,
    messages: Stream.Stream<FeedMessage>
  ) {
    const outbox = new Outbox(handshake.transport, limits)
    const writer = yield* socket.writer
    // The answer 101 goes out here.
    const reader = yield* socket.reader
    const added = yield* sockets.add({
      workspaceId: handshake.caller.workspace.id,
      outbox,
      judge: judgeAgain(handshake),
      close: ({ code, reason }) => Effect.ignore(writer.write(new Socket.CloseEvent(code, reason)))
    })
    if (Option.isNone(added)) return yield* writer.write(new Socket.CloseEvent(1013, "too many sockets"))
    const entry = added.value

    const sendEach = Effect.fnUntraced(function* (batch: ReadonlyArray<FeedMessage>) {
      for (const message of batch) {
        if (entry.closedAt_ms !== undefined) return yield* Effect.never
        if (outbox.isFull && !(yield* drains(outbox))) {
          yield* sockets.close(entry, tooSlow)
          return yield* Effect.never
        }
        yield* writer.write(toFrame(message))
        outbox.wrote()
      }
      yield* sockets.wrote(entry)
    })
    /** One event for thousands of sockets: the usual case takes no generator. */
    const send = (batch: ReadonlyArray<FeedMessage>) => {
      const [message] = batch
      if (message === undefined || batch.length > 1 || entry.closedAt_ms !== undefined || outbox.isFull)
        return sendEach(batch)
      return Effect.flatMap(writer.write(toFrame(message)), () => {
        outbox.wrote()
        return sockets.wrote(entry)
      })
    }
    const sending = Stream.runForEachArray(messages, send).pipe(
      Effect.catchTag("SocketError", () => Effect.void),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("following an inbox died", defect),
          Effect.ignore(writer.write(new Socket.CloseEvent(1011, "something went wrong on our side")))
        )
      )
    )
    yield* Effect.forkScoped(sending)
    // What clients send is not looked at; the end of the socket ends this.
    return yield* Effect.forever(reader.pull)
  })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const handshake = yield* judge(request)
    const messages = yield* Effect.catchTag(
      feed.subscribe(handshake.caller, handshake.after),
      "StoreUnavailable",
      refuseStore
    )
    const socket = yield* Effect.catchTag(request.upgrade, "HttpServerError", () => refuseWithoutUpgrade)
    return yield* follow(handshake, socket, messages).pipe(
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
