import { Installation, type StoredBlob, storedBlobs } from "@loopbox/adapters-postgres"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { type BlobPlace, describePlace, layerBlobsAt } from "./blobPlace.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { cannotUse, checkMark, checkUnclaimed, putMark } from "./installationMark.ts"
import { explainFailure } from "./startFailure.ts"

/** Files that are on their way at a time. */
const atOnce = 4

/** A store that is away fails every file: there is no use in trying them all. */
const mostFailed = 100

/** A file that could not be copied. */
interface FailedCopy {
  readonly workspaceId: string
  readonly mediaId: string
  readonly why: string
}

/** How far a copy is, and what came of it in the end. */
export interface CopyReport {
  readonly copied: number
  readonly copiedBytes: number
  /** That were there already. */
  readonly skipped: number
  /** That were deleted meanwhile. */
  readonly gone: number
  readonly failed: ReadonlyArray<FailedCopy>
}

type Store = BlobStore["Service"]
type Outcome = "copied" | "skipped" | "missing" | { readonly why: string }

const explain = ({ cause, operation }: StoreUnavailable): string =>
  cause instanceof Error ? cause.message : `${operation} failed`

const hashOf = (store: Store, key: string) =>
  Effect.suspend(() => {
    const hash = createHash("sha256")
    return Effect.map(
      Stream.runForEach(store.read(key), (chunk) => Effect.sync(() => hash.update(chunk))),
      () => hash.digest("hex")
    )
  })

/** Whether the file is there as its record says: by its size, and where that is wanted by its bytes. */
const isThere = Effect.fnUntraced(function* (store: Store, blob: StoredBlob, verify: boolean) {
  if (!Option.contains(yield* store.size(blob.key), blob.sizeBytes)) return false
  return !verify || (yield* hashOf(store, blob.key)) === blob.sha256
})

const copyOne = (source: Store, target: Store, verify: boolean) =>
  Effect.fnUntraced(
    function* (blob: StoredBlob): Effect.fn.Return<Outcome, StoreUnavailable> {
      const { key, sha256, sizeBytes } = blob
      if (yield* Effect.catchTag(isThere(target, blob, verify), "BlobMissing", () => Effect.succeed(false))) {
        return "skipped"
      }
      const sent = yield* Effect.result(target.write(key, source.read(key)))
      if (Result.isFailure(sent)) {
        return sent.failure._tag === "BlobMissing" ? "missing" : { why: explain(sent.failure) }
      }
      if (sent.success.sizeBytes !== sizeBytes || sent.success.sha256 !== sha256) {
        yield* target.remove(key)
        return { why: "its bytes are not those of its record: the file was damaged before it was copied" }
      }
      const isWhole = yield* Effect.catchTag(isThere(target, blob, verify), "BlobMissing", () => Effect.succeed(false))
      return isWhole ? "copied" : { why: "it has not arrived as it was sent" }
    },
    Effect.catchTag("StoreUnavailable", (error) => Effect.succeed<Outcome>({ why: explain(error) }))
  )

/** A file that its place lacks was deleted meanwhile, unless a record still names it. */
const judgeMissing = Effect.fnUntraced(function* (missing: ReadonlySet<string>) {
  if (missing.size === 0) return []
  const named = yield* Stream.runCollect(Stream.filter(storedBlobs, ({ key }) => missing.has(key)))
  return named.map(({ mediaId, workspaceId }): FailedCopy => ({
    workspaceId,
    mediaId,
    why: "its place does not have it"
  }))
})

const storeAt = (place: BlobPlace, config: HostConfig, namedBy: string) =>
  Layer.build(layerBlobsAt(place, config.s3Key)).pipe(
    Effect.map((context) => Context.get(context, BlobStore)),
    Effect.mapError(cannotUse(place, namedBy))
  )

/**
 * Copies every file that a record names to another place, while hosts may serve. What lies there already is passed over, so
 * that a run which was broken off is gone on with, and a later one brings what came meanwhile. The other place becomes the
 * installation's only once all files are in it.
 */
export const copyBlobs = Effect.fnUntraced(
  function* (
    config: HostConfig,
    options: { readonly from: BlobPlace; readonly fromName: string; readonly to: BlobPlace; readonly verify: boolean },
    onProgress: (report: CopyReport) => Effect.Effect<void>
  ) {
    const { from, fromName, to, verify } = options
    if (describePlace(from) === describePlace(to)) {
      return yield* new CommandFailed({ message: `The files are in ${describePlace(to)} already.` })
    }
    const id = yield* Installation.findId
    if (Option.isNone(id)) {
      return yield* new CommandFailed({ message: "No host has been started on this database yet: it has no files." })
    }
    yield* checkMark(from, config.s3Key, id.value, fromName)
    yield* checkUnclaimed(to, config.s3Key, id.value, "--to")
    const source = yield* storeAt(from, config, fromName)
    const target = yield* storeAt(to, config, "--to")
    yield* target.probe
    const missing = new Set<string>()
    let report: CopyReport = { copied: 0, copiedBytes: 0, skipped: 0, gone: 0, failed: [] }
    const count = ({ key, mediaId, sizeBytes, workspaceId }: StoredBlob, outcome: Outcome) => {
      if (outcome === "missing") missing.add(key)
      else if (outcome === "skipped") report = { ...report, skipped: report.skipped + 1 }
      else if (outcome === "copied") {
        report = { ...report, copied: report.copied + 1, copiedBytes: report.copiedBytes + sizeBytes }
      } else report = { ...report, failed: [...report.failed, { workspaceId, mediaId, why: outcome.why }] }
    }
    const copy = copyOne(source, target, verify)
    yield* storedBlobs.pipe(
      Stream.mapEffect(
        (blob) =>
          Effect.flatMap(copy(blob), (outcome) => {
            count(blob, outcome)
            return onProgress(report)
          }),
        { concurrency: atOnce }
      ),
      Stream.takeWhile(() => report.failed.length < mostFailed),
      Stream.runDrain
    )
    const lost = yield* judgeMissing(missing)
    report = { ...report, gone: missing.size - lost.length, failed: [...report.failed, ...lost] }
    if (report.failed.length === 0) {
      yield* putMark(to, config.s3Key, id.value, "--to")
      // Of two that copied into one place, one stays.
      yield* checkMark(to, config.s3Key, id.value, "--to")
    }
    return report
  },
  Effect.scoped,
  (effect, config) => Effect.provide(effect, layerShared(config, { patience: "10 minutes" })).pipe(explainFailure)
)
