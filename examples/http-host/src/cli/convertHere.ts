import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { toJobBody } from "@loopbox/adapters-http/api/media/JobBody"
import { toMediaBody } from "@loopbox/adapters-http/api/media/MediaBody"
import * as ImageSizes from "@loopbox/adapters-blobs/pictures/ImageSizes"
import * as MusicMetadata from "@loopbox/adapters-blobs/tracks/MusicMetadata"
import { Access } from "@loopbox/core/access/Access"
import { Administration } from "@loopbox/core/access/Administration"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as ConversionWorker from "@loopbox/core/conversions/ConversionWorker"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { noNetworks } from "@loopbox/core/networks/noNetworks"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { CommandFailed } from "../CommandFailed.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { encoderChoice } from "../hostLayers.ts"
import { awaitVideo, cannot, type ConversionWork, type Converted, writeWhole } from "./conversionWork.ts"

/** Everything that a conversion needs, in the memory of this process and with the machine's ffmpeg. */
const layerHere = Effect.gen(function* () {
  const config = yield* loadHostConfig()
  const fs = yield* FileSystem.FileSystem
  const scratch = yield* fs.makeTempDirectoryScoped({ prefix: "loopbox-convert-" })
  const services = Layer.mergeAll(
    Administration.layer({ keyMode: "test" }),
    Conversions.layer,
    MediaLibrary.layer.pipe(Layer.provide(Layer.mergeAll(ImageSizes.layer, MusicMetadata.layer)))
  ).pipe(Layer.provideMerge(Access.layer))
  return ConversionWorker.layer({ atOnce: 1 }).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(FfmpegEncoder.layer({ ...encoderChoice(config), scratch })),
    Layer.provideMerge(MemoryAdapters.layer),
    Layer.provideMerge(Layer.succeed(Connectors, noNetworks))
  )
})

/** Whatever keeps the conversion from running, as a sentence. */
const explain = (input: string) => (error: unknown) => {
  if (error instanceof CommandFailed) return error
  const what = Predicate.hasProperty(error, "_tag") ? String(error._tag) : String(error)
  const why = Predicate.hasProperty(error, "message") && error.message !== "" ? `: ${String(error.message)}` : ""
  return new CommandFailed({ message: `${input} cannot be converted here: ${what}${why}` })
}

const runHere = Effect.fnUntraced(function* (work: ConversionWork) {
  const { color, input, output } = work
  const fs = yield* FileSystem.FileSystem
  const library = yield* MediaLibrary
  const conversions = yield* Conversions
  const none = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }
  const workspace = yield* (yield* Administration).createWorkspace({ name: "Here", plan: "enterprise", limits: none })
  const gif = yield* library.upload({
    workspace,
    declaredType: Option.some("image/gif"),
    filename: Option.some(path.basename(input)),
    bytes: fs.stream(input)
  })
  const submitted = yield* conversions.submit({
    workspaceId: workspace.id,
    gifMediaId: Option.some(gif.id),
    backgroundColor: color,
    idempotencyKey: Option.none()
  })
  const found = Effect.map(conversions.find(workspace.id, submitted.id), toJobBody)
  const { job, mediaId } = yield* awaitVideo(work, toJobBody(submitted), found)
  const video = yield* library.find(workspace.id, mediaId)
  if (video._tag === "PendingMedia") return yield* new CommandFailed({ message: `${output} has no bytes.` })
  yield* writeWhole(output, library.read(video)).pipe(
    Effect.catchTag("PlatformError", (error) => cannot(`${output} cannot be written`)(error))
  )
  const url = pathToFileURL(path.resolve(output)).href
  const converted: Converted = { job, media: toMediaBody(video, { _tag: "Download", url }) }
  return converted
})

/** Converts a GIF in this process: no host, no database, nothing that stays but the MP4. */
export const convertHere = (work: ConversionWork) =>
  Effect.flatMap(layerHere, (here) => Effect.provide(runHere(work), here)).pipe(
    Effect.scoped,
    // What is for people is said by the command.
    Effect.provideService(References.MinimumLogLevel, "Error"),
    Effect.mapError(explain(work.input))
  )
