import { makeFolders } from "@loopbox/core/kernel/makeFolders"
import * as Effect from "effect/Effect"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { OptionsInvalid } from "./OptionsInvalid.ts"

/**
 * For nobody else to look into. For root others may pass through it, because PostgreSQL never runs as root and its cluster
 * lies inside.
 */
const folderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700)

/** The system's own reason: "EACCES: permission denied, mkdir '/data'". */
const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? reasonOf(cause) : message)

/** Says of a failed call by which option its folder was named. */
export const cannotUse = (option: string, folder: string) => (error: Error) =>
  new OptionsInvalid({ problems: [`${option}: the folder ${folder} cannot be used: ${reasonOf(error)}`] })

/** Makes the folder of `data`, before anything is put into it. An existing one keeps its mode. */
export const makeDataFolder = Effect.fnUntraced(function* ({ data }: LoopboxOptions) {
  if (data === undefined) return
  yield* Effect.mapError(makeFolders(data, { mode: folderMode() }), cannotUse("data", data))
})
