import * as Client from "@loopbox/adapters-http/client/Client"
import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { makeDemoGif } from "./demoGif.ts"
import { print, printJson } from "./output.ts"
import { toneWav } from "./toneWav.ts"
import { asking, findWorkspace, type Workspace } from "./workspaceClient.ts"

/** What of a job tells whether it has ended, of whatever kind it is. */
interface Job {
  readonly id: string
  readonly status: string
  readonly output_media_id: string | null
}

const hasEnded = ({ status }: Job): boolean => status === "succeeded" || status === "failed"

const patience = Schedule.spaced("300 millis").pipe(Schedule.upTo({ duration: "5 minutes" }))

/** Asks for a job until it has ended. */
const awaitEnd = Effect.fnUntraced(function* <E, R>(find: Effect.Effect<{ readonly data: Job }, E, R>) {
  const look = Effect.map(find, ({ data }) => data)
  const job = yield* Effect.repeat(look, { until: hasEnded, schedule: patience })
  if (hasEnded(job)) return job
  return yield* new CommandFailed({ message: `${job.id} has not ended within 5 minutes. It may go on.` })
})

const Uploaded = Schema.Struct({ data: Schema.Struct({ id: Schema.String }) })

/** Uploads bytes, of whatever type: the typed client knows uploads of GIFs alone. */
const uploadAs = (contentType: string, bytes: Uint8Array, { key, url }: Workspace) =>
  HttpClientRequest.post(`${url}/v1/media`).pipe(
    HttpClientRequest.bearerToken(key),
    HttpClientRequest.bodyUint8Array(bytes, contentType),
    HttpClient.execute,
    Effect.flatMap(HttpClientResponse.filterStatusOk),
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Uploaded)),
    asking(url)
  )

/** A media job of our own files ends; prints its id. An overlay's video is made by a conversion first. */
export const triggerJobEnd = Effect.fnUntraced(function* (
  connection: Connection,
  type: (typeof typeOfJobEnd)[keyof typeof typeOfJobEnd],
  json: boolean
) {
  const workspace = yield* findWorkspace(connection)
  const ask = asking(workspace.url)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  const { data: gif } = yield* uploadAs("image/gif", yield* makeDemoGif, workspace)
  const headers = { "idempotency-key": gif.id }
  const { data: submitted } = yield* client.conversions.create({ headers, payload: { gif_media_id: gif.id } }).pipe(ask)
  const converted = yield* awaitEnd(client.conversions.find({ params: { id: submitted.id } }).pipe(ask))
  const ended = Effect.gen(function* () {
    if (type === typeOfJobEnd.gif_to_mp4) return converted
    if (converted.output_media_id === null) {
      return yield* new CommandFailed({ message: `The video for it could not be made: see ${converted.id}.` })
    }
    const { data: sound } = yield* uploadAs("audio/wav", toneWav(1), workspace)
    const payload = { video_media_id: converted.output_media_id, audio_media_id: sound.id }
    const { data: overlay } = yield* client.overlays.create({ headers, payload }).pipe(ask)
    return yield* awaitEnd(client.overlays.find({ params: { id: overlay.id } }).pipe(ask))
  })
  const { id, status } = yield* ended
  yield* json ? printJson({ id, status }) : print(id)
}, Effect.provide(FetchHttpClient.layer))
