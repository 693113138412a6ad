import { toWebhookBody } from "@loopbox/adapters-http/api/endpoints/webhookBody"
import { makePost, type Posted } from "@loopbox/adapters-http/node/sending/post"
import { makeResolveNames } from "@loopbox/adapters-http/node/sending/resolveNames"
import { webhookHeaders } from "@loopbox/adapters-http/node/sending/webhookHeaders"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { followInbox } from "./inboxFollow.ts"
import { note, print } from "./output.ts"

interface Wanted {
  readonly forwardTo: string
  readonly events: Option.Option<string>
  readonly secret: Option.Option<Redacted.Redacted<string>>
  readonly json: boolean
}

const Frame = Schema.fromJsonString(
  Schema.StructWithRest(
    Schema.Struct({ type: Schema.String, at: Schema.String, seq: Schema.Int, workspace_id: Schema.String }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )
)
const decodeFrame = Schema.decodeUnknownOption(Frame)

/** Which types are forwarded: named ones, and those below `inbox.*` and the like. */
const filterOf = (events: Option.Option<string>) => {
  if (Option.isNone(events)) return Effect.succeed(() => true)
  const patterns = events.value.split(",").map((pattern) => pattern.trim())
  const odd = patterns.find((pattern) => !/^[a-z_]+\.(?:[a-z_]+|\*)$/.test(pattern))
  if (odd !== undefined) {
    const message = `--events: "${odd}" is neither a type, as inbox.new_item, nor of the form inbox.*`
    return Effect.fail(new CommandFailed({ message, isMisuse: true }))
  }
  return Effect.succeed((type: string) =>
    patterns.some((pattern) => (pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern))
  )
}

const secretOf = Effect.fnUntraced(function* (given: Option.Option<Redacted.Redacted<string>>) {
  if (Option.isSome(given)) return given.value
  const random = yield* SecureRandom
  return Redacted.make(`whsec_${Buffer.from(yield* random.randomBytes(32)).toString("base64")}`)
})

type Frame = typeof Frame.Type

const jsonOf = ({ seq, type }: Frame, id: string, { duration, failure, status }: Posted): string =>
  JSON.stringify({
    type,
    seq,
    webhook_id: id,
    status: Option.getOrNull(status),
    error: Option.getOrNull(failure),
    duration_ms: Math.round(Duration.toMillis(duration))
  })

const lineOf = ({ at, seq, type }: Frame, { duration, failure, status }: Posted): string => {
  const came = Option.match(status, { onNone: () => Option.getOrElse(failure, () => "failed"), onSome: String })
  return `${at.slice(11, 19)}  ${type}  ${seq}  ${came}  ${Math.round(Duration.toMillis(duration))} ms`
}

/**
 * Posts each change of the workspace to an address, one after the other and once each, signed as deliveries are. The
 * secret comes first on standard output, then a line for each event.
 */
export const listenAndForward = Effect.fnUntraced(function* (connection: Connection, wanted: Wanted) {
  const isWanted = yield* filterOf(wanted.events)
  const secret = yield* secretOf(wanted.secret)
  const post = yield* makePost({ allowsPrivate: true, resolve: yield* makeResolveNames() })
  const forward = Effect.fnUntraced(function* (frame: Frame) {
    const now = yield* DateTime.now
    const body = toWebhookBody(frame)
    // The same event again, after a connection that broke, has the same id.
    const message = { id: `listen_${frame.workspace_id}_${frame.seq}`, body, timestamp_s: epochSeconds(now) }
    const headers = webhookHeaders(message, [secret])
    const posted = yield* post({ lane: "listen", url: wanted.forwardTo, headers, body })
    yield* print(wanted.json ? jsonOf(frame, message.id, posted) : lineOf(frame, posted))
  })
  yield* print(wanted.json ? JSON.stringify({ secret: Redacted.value(secret) }) : Redacted.value(secret))
  yield* followInbox(connection, { externalUserId: Option.none() }, Option.none(), {
    begins: `Forwarding to ${wanted.forwardTo} what happens at`,
    onEvent: (text) => {
      const frame = decodeFrame(text)
      return Option.isSome(frame) && isWanted(frame.value.type) ? forward(frame.value) : Effect.void
    },
    onResync: () => note("What came in between can't be told any more.")
  })
}, Effect.scoped)

const epochSeconds = (at: DateTime.DateTime): number => Math.floor(DateTime.toEpochMillis(at) / 1000)
