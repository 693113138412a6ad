import { type EventFrame, toWebhookBody } from "@loopbox/adapters-http/api/endpoints/webhookBody"
import { makePost, type Posted } from "@loopbox/adapters-http/node/sending/post"
import { makeResolveNames } from "@loopbox/adapters-http/node/sending/resolveNames"
import { webhookHeaders } from "@loopbox/adapters-http/node/sending/webhookHeaders"
import { eventTypes, eventWildcards, isEventPattern, isWanted } from "@loopbox/core/outgoing/eventPatterns"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { followInbox } from "./inboxFollow.ts"
import { followJobEnds, jobPaths } from "./jobEnds.ts"
import { note, print } from "./output.ts"

interface Wanted {
  readonly forwardTo: string
  readonly events: Option.Option<string>
  readonly secret: Option.Option<Redacted.Redacted<string>>
  readonly json: boolean
}

const SocketFrame = Schema.fromJsonString(
  Schema.StructWithRest(
    Schema.Struct({ type: Schema.String, at: Schema.String, seq: Schema.Int, workspace_id: Schema.String }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )
)
const decodeFrame = Schema.decodeUnknownOption(SocketFrame)

/** Which types are forwarded: named ones, and those below `inbox.*` and the like; all but ends of jobs if none is named. */
const patternsOf = Effect.fnUntraced(function* (events: Option.Option<string>) {
  if (Option.isNone(events)) return undefined
  const patterns = events.value.split(",").map((pattern) => pattern.trim())
  // A misspelt one would be waited for in vain.
  const odd = patterns.find((pattern) => !isEventPattern(pattern))
  if (odd === undefined) return patterns
  const message = `--events: "${odd}" is neither a type, as inbox.new_item, nor one of ${eventWildcards.join(", ")}. The types are ${eventTypes.join(", ")}.`
  return yield* new CommandFailed({ message, isMisuse: true })
})

const secretOf = Effect.fnUntraced(function* (given: Option.Option<Redacted.Redacted<string>>) {
  if (Option.isSome(given)) return given.value
  const random = yield* SecureRandom
  return Redacted.make(`whsec_${Buffer.from(yield* random.randomBytes(32)).toString("base64")}`)
})

/** An event of the socket, or a job's end, which has no number. */
interface Frame extends EventFrame {
  readonly seq: number | null
}

const jsonOf = ({ seq, type }: Frame, id: string, { duration, failure, status }: Posted): string =>
  JSON.stringify({
    type,
    seq,
    webhook_id: id,
    status: Option.getOrNull(status),
    error: Option.getOrNull(failure),
    duration_ms: Math.round(Duration.toMillis(duration))
  })

const lineOf = ({ at, type }: Frame, which: string, { duration, failure, status }: Posted): string => {
  const came = Option.match(status, { onNone: () => Option.getOrElse(failure, () => "failed"), onSome: String })
  return `${at.slice(11, 19)}  ${type}  ${which}  ${came}  ${Math.round(Duration.toMillis(duration))} ms`
}

/**
 * Posts each change of the workspace to an address, one after the other and once each, signed as deliveries are. The
 * secret comes first on standard output, then a line for each event. Ends of media jobs are posted where they are named.
 */
export const listenAndForward = Effect.fnUntraced(function* (connection: Connection, wanted: Wanted) {
  const patterns = yield* patternsOf(wanted.events)
  const secret = yield* secretOf(wanted.secret)
  const post = yield* makePost({ allowsPrivate: true, resolve: yield* makeResolveNames() })
  const oneByOne = Semaphore.makeUnsafe(1)
  /** The same event again, after a connection that broke, has the same id. */
  const forward = Effect.fnUntraced(function* (frame: Frame, id: string, which: string) {
    const now = yield* DateTime.now
    const body = toWebhookBody(frame)
    const headers = webhookHeaders({ id, body, timestamp_s: epochSeconds(now) }, [secret])
    const posted = yield* post({ lane: "listen", url: wanted.forwardTo, headers, body })
    yield* print(wanted.json ? jsonOf(frame, id, posted) : lineOf(frame, which, posted))
  }, Semaphore.withPermit(oneByOne))
  // Once it is known that there is a host which lets us in.
  const tellSecret = yield* Effect.cached(
    print(wanted.json ? JSON.stringify({ secret: Redacted.value(secret) }) : Redacted.value(secret))
  )
  const begins = `Forwarding to ${wanted.forwardTo} what happens at`
  const inbox = (begins: string) =>
    followInbox(connection, { externalUserId: Option.none() }, Option.none(), {
      begins,
      onOpen: tellSecret,
      onEvent: (text) =>
        Option.match(decodeFrame(text), {
          onNone: () => Effect.void,
          onSome: (frame) =>
            isWanted(patterns, frame.type)
              ? forward(frame, `listen_${frame.workspace_id}_${frame.seq}`, String(frame.seq))
              : Effect.void
        }),
      onResync: () => note("What came in between can't be told any more.")
    })
  const jobEnds = (patterns ?? []).filter((pattern) => jobPaths.has(pattern))
  if (jobEnds.length === 0) return yield* inbox(begins)
  yield* followJobEnds(
    connection,
    jobEnds,
    (frame) => forward(frame, `listen_${frame.job.id}`, frame.job.id),
    (url) => Effect.andThen(tellSecret, note(`${begins} ${url}. Ctrl-C ends it.`))
  ).pipe(
    Effect.raceFirst(patterns?.every((pattern) => jobPaths.has(pattern)) === true ? Effect.never : inbox("Following"))
  )
}, Effect.scoped)

const epochSeconds = (at: DateTime.DateTime): number => Math.floor(DateTime.toEpochMillis(at) / 1000)
