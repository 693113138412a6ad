import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { machineFailed, opened } from "./workFiles.ts"

/** How much is copied at once. */
const block_bytes = 1_048_576

/** Bytes of `unit`, read around its end, that follow `at`: `length` of them at most. */
const around = async (unit: FileHandle, unit_bytes: number, at: number, length: number): Promise<Uint8Array> => {
  const from = at % unit_bytes
  const part = new Uint8Array(Math.min(length, unit_bytes - from))
  const { bytesRead } = await unit.read(part, 0, part.length, from)
  return part.subarray(0, bytesRead)
}

/** A short sound many times over, so that it is not written sample by sample. */
const lengthened = async (unit: FileHandle, unit_bytes: number): Promise<Uint8Array> => {
  const one = await around(unit, unit_bytes, 0, unit_bytes)
  const times = Math.ceil(block_bytes / unit_bytes)
  const all = new Uint8Array(unit_bytes * times)
  for (let time = 0; time < times; time++) all.set(one, time * unit_bytes)
  return all
}

const fill = async (file: FileHandle, unit: FileHandle, length_bytes: number): Promise<void> => {
  const [{ size: begins }, { size: unit_bytes }] = await Promise.all([file.stat(), unit.stat()])
  if (unit_bytes === 0) return
  const short = unit_bytes < block_bytes ? await lengthened(unit, unit_bytes) : undefined
  let at = begins
  while (at < length_bytes) {
    const left = length_bytes - at
    const part = short?.subarray(0, left) ?? (await around(unit, unit_bytes, at - begins, Math.min(left, block_bytes)))
    if (part.length === 0) return
    await file.write(part, 0, part.length, at)
    at += part.length
  }
}

const catchRepeat = machineFailed("the sound could not be repeated")

/** Appends a file of samples to another again and again, until that one has a length. Both may be the same. */
export const repeatSamples = Effect.fnUntraced(function* (path: string, unitPath: string, length_bytes: number) {
  const file = yield* opened(path, "r+", catchRepeat)
  const unit = yield* opened(unitPath, "r", catchRepeat)
  yield* Effect.tryPromise({ try: () => fill(file, unit, length_bytes), catch: catchRepeat })
}, Effect.scoped)
