import { opendir } from "node:fs/promises"
import * as Stream from "effect/Stream"

/** Names that are read from the disk at a time. */
const bufferSize = 256

async function* namesOf(folder: string) {
  for await (const { name } of await opendir(folder, { bufferSize })) yield name
}

const isGone = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ENOENT"

/** The names in a folder, page by page, however many there are; none of a folder that is gone. */
export const folderNames = <E>(folder: string, onFailure: (cause: unknown) => E): Stream.Stream<string, E> =>
  Stream.fromAsyncIterable(namesOf(folder), (cause) => cause).pipe(
    Stream.catch((cause) => (isGone(cause) ? Stream.empty : Stream.fail(onFailure(cause))))
  )
