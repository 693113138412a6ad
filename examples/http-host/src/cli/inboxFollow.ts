import * as NodeWS from "@effect/platform-node/NodeWS"
import { EventBody, HelloBody, ResyncBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Socket from "effect/socket/Socket"
import { CommandFailed } from "../CommandFailed.ts"
import { isSomebodyElse, isUnreachable, Refusal, sentenceOf } from "./answers.ts"
import type { Connection } from "./connection.ts"
import type { Scope } from "./inbox.ts"
import { scopeOf } from "./inboxCalls.ts"
import { note } from "./output.ts"
import { findWorkspace, type Workspace } from "./workspaceClient.ts"

/** Who is told of what a socket brings. */
export interface Follower<R> {
  /** Said of the host, once a connection is open. */
  readonly begins: string
  /** Runs before that, whenever a connection is open. */
  readonly onOpen?: Effect.Effect<void> | undefined
  /** A change as it came; one of a kind that this version does not know has no event. */
  readonly onEvent: (frame: string, event: Option.Option<EventBody>) => Effect.Effect<void, never, R>
  /** What came in between can't be told any more. */
  readonly onResync: (frame: string) => Effect.Effect<void, never, R>
}

/** Closes after which nobody is to come back (api.md §4). */
const ends: Readonly<Record<number, string>> = {
  4401: "The API key is revoked or expired, or its creator is gone",
  4402: "The workspace's plan has no inbox any more",
  4403: "The key's creator may not see the whole workspace any more",
  4404: "The managed user is gone"
}

/** The server pings every 30 seconds; a connection without a sign of life for longer is dead. */
const silence_ms = 75_000

const open = (address: string, key: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = new NodeWS.WebSocket(address, { headers: { authorization: `Bearer ${Redacted.value(key)}` } })
      let silence: NodeJS.Timeout | undefined
      const heard = () => {
        clearTimeout(silence)
        silence = setTimeout(() => socket.terminate(), silence_ms)
      }
      socket.on("open", heard).on("ping", heard).on("message", heard)
      socket.once("close", () => clearTimeout(silence))
      return socket
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )

const isRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ error: Refusal })))
const lasting = new Set([400, 401, 402, 403, 404])

/** Why no socket was opened: a handshake's answer can't be read, but the same request without an upgrade gets it too. */
const judge = Effect.fnUntraced(function* (address: string, { key, url }: Workspace) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.get(address).pipe(HttpClientRequest.bearerToken(key))
  const { status, text } = yield* client.execute(request).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
    Effect.timeout("10 seconds"),
    Effect.mapError(() => new CommandFailed({ message: isUnreachable(url) }))
  )
  const refused = isRefusal(text)
  const isHost = Option.isSome(refused) || status === 426 || status === 429 || status >= 500
  if (!isHost) return yield* new CommandFailed({ message: isSomebodyElse(url, status) })
  return lasting.has(status) && Option.isSome(refused) ? Option.some(sentenceOf(refused.value.error)) : Option.none()
})

const Frame = Schema.fromJsonString(Schema.Struct({ type: Schema.String, seq: Schema.optionalKey(Schema.Int) }))
const decodeFrame = Schema.decodeUnknownOption(Frame)
const decodeHello = Schema.decodeUnknownOption(Schema.fromJsonString(HelloBody))
const decodeResync = Schema.decodeUnknownOption(Schema.fromJsonString(ResyncBody))
const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(EventBody))

/** What was told so far, over all connections. */
class Told {
  /** The last number, from which a new connection goes on. */
  seq: number | undefined
  hello = 0
  /** Connections that were open. */
  connections = 0

  constructor(after: Option.Option<number>) {
    this.seq = Option.getOrUndefined(after)
  }
}

const onFrame = Effect.fnUntraced(function* <R>(told: Told, frame: string, { url }: Workspace, follower: Follower<R>) {
  const hello = decodeHello(frame)
  if (Option.isSome(hello)) {
    told.hello = hello.value.seq
    told.seq ??= hello.value.seq
    told.connections += 1
    if (follower.onOpen !== undefined) yield* follower.onOpen
    return yield* note(told.connections === 1 ? `${follower.begins} ${url}. Ctrl-C ends it.` : "Connected again.")
  }
  if (Option.isSome(decodeResync(frame))) {
    told.seq = told.hello
    return yield* follower.onResync(frame)
  }
  yield* follower.onEvent(frame, decodeEvent(frame))
  // One of a later version's kind still has a number.
  told.seq = Option.getOrUndefined(Option.flatMapNullishOr(decodeFrame(frame), ({ seq }) => seq)) ?? told.seq
})

/** One connection, until it breaks; whoever may not come back fails with the reason. */
const follow = Effect.fnUntraced(function* <R>(told: Told, workspace: Workspace, scope: Scope, follower: Follower<R>) {
  const query = new URLSearchParams({
    ...scopeOf(scope),
    ...(told.seq === undefined ? {} : { after: String(told.seq) })
  })
  const address = `${workspace.url}/v1/inbox/ws?${query}`
  const socket = yield* Socket.fromWebSocket(open(address.replace(/^http/, "ws"), workspace.key))
  const { reason } = yield* Effect.gen(function* () {
    const { pull } = yield* socket.reader
    while (true) {
      for (const frame of yield* pull) yield* onFrame(told, String(frame), workspace, follower)
    }
  }).pipe(Effect.scoped, Effect.flip)
  if (reason._tag === "SocketCloseError") {
    const why = ends[reason.code]
    return why === undefined ? `closed with ${reason.code}` : yield* new CommandFailed({ message: `${why}.` })
  }
  if (reason._tag !== "SocketOpenError") return "lost"
  const refused = yield* told.connections === 0
    ? judge(address, workspace)
    : Effect.orElseSucceed(judge(address, workspace), () => Option.none<string>())
  return Option.isSome(refused) ? yield* new CommandFailed({ message: refused.value }) : "not let in now"
})

const longestWait_ms = 15_000

/** Follows every change until Ctrl-C. A connection that breaks is opened again, and goes on where it was. */
export const followInbox = Effect.fnUntraced(function* <R>(
  connection: Connection,
  scope: Scope,
  after: Option.Option<number>,
  follower: Follower<R>
) {
  let workspace = yield* findWorkspace(connection)
  const told = new Told(after)
  let wait_ms = 500
  let noted = -1
  while (true) {
    const connections = told.connections
    const why = yield* follow(told, workspace, scope, follower)
    if (told.connections > connections) wait_ms = 500
    if (told.connections !== noted) yield* note(`The connection broke (${why}); trying again …`)
    noted = told.connections
    yield* Effect.sleep(wait_ms)
    wait_ms = Math.min(longestWait_ms, wait_ms * 2)
    // A host that was started again may listen elsewhere.
    workspace = yield* Effect.orElseSucceed(findWorkspace(connection), () => workspace)
  }
}, Effect.provide(FetchHttpClient.layer))
