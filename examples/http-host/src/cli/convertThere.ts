import * as Client from "@loopbox/adapters-http/client/Client"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as path from "node:path"
import type { Connection } from "./connection.ts"
import { awaitVideo, cannot, type ConversionWork, type Converted, writeWhole } from "./conversionWork.ts"
import { asking, findWorkspace } from "./workspaceClient.ts"

const transfer = "10 minutes"

/** Uploads a GIF to a host, waits for its conversion, and downloads the MP4. */
export const convertThere = Effect.fnUntraced(function* (connection: Connection, work: ConversionWork) {
  const { color, input, output, show } = work
  const fs = yield* FileSystem.FileSystem
  const workspace = yield* findWorkspace(connection)
  const ask = asking(workspace.url)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  yield* show(`Uploading ${input}`)
  const { data: gif } = yield* client.media
    .upload({
      headers: { "x-filename": encodeURIComponent(path.basename(input)) },
      payload: Stream.orDie(fs.stream(input))
    })
    .pipe(asking(workspace.url, transfer))
  // Of this upload there is one conversion, so that a submit without an answer may be repeated.
  const submitted = yield* client.conversions
    .create({
      headers: { "idempotency-key": gif.id },
      payload: {
        gif_media_id: gif.id,
        ...Option.match(color, { onNone: () => ({}), onSome: (background_color) => ({ background_color }) })
      }
    })
    .pipe(ask)
  const found = client.conversions.find({ params: { id: submitted.data.id } }).pipe(
    ask,
    Effect.map(({ data }) => data)
  )
  const { job, mediaId } = yield* awaitVideo(work, submitted.data, found)
  yield* show(`Downloading ${output}`)
  const params = { id: mediaId }
  const { data: media } = yield* client.media.find({ params }).pipe(ask)
  const bytes = yield* client.media.content({ params, query: {} }).pipe(ask)
  yield* writeWhole(output, bytes).pipe(
    Effect.catchTag("PlatformError", (error) => cannot(`${output} cannot be written`)(error)),
    asking(workspace.url, transfer)
  )
  const converted: Converted = { job, media }
  return converted
}, Effect.provide(FetchHttpClient.layer))
