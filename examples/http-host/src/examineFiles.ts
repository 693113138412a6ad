import { storedBlobs } from "@loopbox/adapters-postgres"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { layerBlobs } from "./hostLayers.ts"
import { explainFailure } from "./startFailure.ts"

/** Files that are looked at at a time. */
const atOnce = 16

/** How many of those that are wrong are named. */
const mostNamed = 5

interface Count {
  readonly files: number
  readonly wrong: number
  readonly named: ReadonlyArray<string>
}

const none: Count = { files: 0, wrong: 0, named: [] }

/**
 * Whether each file that a record names is there, with as many bytes as the record says; in a sentence. For a look after a
 * restore: it asks for the size of every file.
 */
export const compareFiles = Effect.fnUntraced(
  function* (_config: HostConfig) {
    const blobs = yield* BlobStore
    const { files, named, wrong } = yield* storedBlobs.pipe(
      Stream.mapEffect((one) => Effect.map(blobs.size(one.key), (size) => ({ ...one, size })), { concurrency: atOnce }),
      Stream.runFold(
        () => none,
        (count, { mediaId, size, sizeBytes }) =>
          Option.contains(size, sizeBytes)
            ? { ...count, files: count.files + 1 }
            : {
                files: count.files + 1,
                wrong: count.wrong + 1,
                named: count.named.length < mostNamed ? [...count.named, mediaId] : count.named
              }
      )
    )
    return wrong === 0
      ? { isWell: true, message: `all ${files} files that records name are there, with their sizes` }
      : {
          isWell: false,
          message:
            `${wrong} of ${files} files are missing or have another size: ${named.join(", ")}` +
            (wrong > named.length ? " …" : "")
        }
  },
  (effect, config) =>
    effect.pipe(
      Effect.provide(layerBlobs(config)),
      Effect.provide(layerShared(config, { patience: "10 minutes" })),
      explainFailure
    )
)
