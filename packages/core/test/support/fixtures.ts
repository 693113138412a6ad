import { DateTime, Effect, Option, Stream } from "effect"
import { Administration, noLimits } from "../../src/access/Administration.ts"
import type { ConversionJob } from "../../src/conversions/ConversionJob.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import type { ReadyMedia } from "../../src/media/Media.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Workspace } from "../../src/plans/Workspace.ts"
import { animatedGif } from "../../src/testing/gifSamples.ts"

/** A workspace of a test's own. */
export const makeWorkspace = Effect.fnUntraced(function* (plan: Plan = "free", limits = noLimits) {
  const administration = yield* Administration
  return yield* administration.createWorkspace({ name: "Test", plan, limits })
})

/** An enterprise workspace with this contract. */
export const makeContractWorkspace = (activeJobs: number, conversionsPer24Hours: number) =>
  makeWorkspace("enterprise", {
    activeJobs: Option.some(activeJobs),
    conversionsPer24Hours: Option.some(conversionsPer24Hours)
  })

export const smallGif = animatedGif([10, 10])

export const upload = Effect.fnUntraced(function* (
  workspace: Workspace,
  bytes: Uint8Array = smallGif,
  file: { readonly declaredType?: string; readonly filename?: string } = {}
) {
  const library = yield* MediaLibrary
  return yield* library.upload({
    workspace,
    bytes: Stream.make(bytes),
    declaredType: Option.fromUndefinedOr(file.declaredType),
    filename: Option.fromUndefinedOr(file.filename)
  })
})

export const key = (text: string) => Option.some(IdempotencyKey.make(text))

/** Submits a conversion of a file; white and without a key unless said. */
export const submit = Effect.fnUntraced(function* (
  workspace: Workspace,
  gifMediaId: string | undefined,
  more: { readonly key?: Option.Option<IdempotencyKey>; readonly background?: string } = {}
) {
  const conversions = yield* Conversions
  return yield* conversions.submit({
    workspaceId: workspace.id,
    gifMediaId: Option.fromUndefinedOr(gifMediaId),
    backgroundColor: Option.fromUndefinedOr(more.background),
    idempotencyKey: more.key ?? Option.none()
  })
})

/** Uploads a GIF and submits it. */
export const submitGif = Effect.fnUntraced(function* (workspace: Workspace, bytes: Uint8Array = smallGif) {
  const gif = yield* upload(workspace, bytes)
  return { gif, job: yield* submit(workspace, gif.id) }
})

export const findJob = Effect.fnUntraced(function* ({ id, workspaceId }: ConversionJob) {
  const conversions = yield* Conversions
  return yield* conversions.find(workspaceId, id)
})

export const findMedia = Effect.fnUntraced(function* (workspace: Workspace, id: string) {
  const library = yield* MediaLibrary
  return yield* library.find(workspace.id, id)
})

/** Every key that has bytes. */
export const blobKeys = Effect.gen(function* () {
  const blobs = yield* BlobStore
  return yield* Stream.runCollect(blobs.listOlder(DateTime.makeUnsafe("9999-01-01")))
})

export const bytesOf = Effect.fnUntraced(function* (media: ReadyMedia) {
  const blobs = yield* BlobStore
  const chunks = yield* Stream.runCollect(blobs.read(media.blobKey))
  return Uint8Array.from(chunks.flatMap((chunk) => Array.from(chunk)))
})

/** What a store that is away answers. */
export const away = (committed: StoreUnavailable["committed"] = "no") =>
  new StoreUnavailable({ operation: "test", committed, cause: "as scripted" })

/** Letters as bytes. */
export const textBytes = (text: string) => new TextEncoder().encode(text)
