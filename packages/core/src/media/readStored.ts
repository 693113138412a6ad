import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobMissing, BlobRange, BlobStore } from "./BlobStore.ts"
import type { StoredBytes } from "./Media.ts"

type Stored = Pick<StoredBytes, "blobKey" | "sizeBytes">

/** How many bytes of a file there are to read. */
const lengthOf = ({ sizeBytes }: Stored, range: BlobRange | undefined): number =>
  range === undefined ? sizeBytes : Math.max(0, Math.min(range.length, sizeBytes - range.offset))

/** Reads a stored file. Fails where the store gives more or fewer bytes than there are: they would be taken for the file. */
export const readStored = (
  blobs: BlobStore["Service"],
  stored: Stored,
  range?: BlobRange
): Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable> =>
  Stream.suspend(() => {
    const length = lengthOf(stored, range)
    let given = 0
    const wrong = (comparison: string) =>
      new StoreUnavailable({
        operation: "media.read",
        committed: "no",
        cause: new Error(`the store of files gave ${comparison} than the ${length} bytes that there are: ${given}`)
      })
    const counted = Stream.tap(blobs.read(stored.blobKey, range), (chunk) => {
      given += chunk.length
      return given > length ? Effect.fail(wrong("more")) : Effect.void
    })
    return Stream.concat(
      counted,
      Stream.suspend(() => (given < length ? Stream.fail(wrong("fewer")) : Stream.empty))
    )
  })
