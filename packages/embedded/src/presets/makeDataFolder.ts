import type { EmbeddedPostgresError } from "@loopbox/adapters-postgres"
import { makeFolders } from "@loopbox/core/kernel/makeFolders"
import * as Effect from "effect/Effect"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { OptionsInvalid } from "./OptionsInvalid.ts"

/** The system's own reason: "EACCES: permission denied, mkdir '/data'". */
const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? reasonOf(cause) : message)

/** Says of a failed call by which option its folder was named. */
export const cannotUse = (option: string, folder: string) => (error: Error) =>
  new OptionsInvalid({ problems: [`${option}: the folder ${folder} cannot be used: ${reasonOf(error)}`] })

/** The folder of `data` cannot be had, which the option's name says; any other failure of its database is told as it is. */
export const cannotOpen = (error: EmbeddedPostgresError): EmbeddedPostgresError | OptionsInvalid =>
  error.reason === "Unreachable" ? new OptionsInvalid({ problems: [`data: ${error.message}`] }) : error

/** Makes the folder of `data`, for nobody else to look into, before anything is put there. An existing one keeps its mode. */
export const makeDataFolder = Effect.fnUntraced(function* ({ data }: LoopboxOptions) {
  if (data === undefined) return
  yield* Effect.mapError(makeFolders(data, { mode: 0o700 }), cannotUse("data", data))
})
