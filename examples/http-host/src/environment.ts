import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { parseEnv } from "node:util"
import { CommandFailed } from "./CommandFailed.ts"

export type Source = "flag" | "environment" | ".env"

export interface Variable {
  readonly text: string
  readonly source: Source
}

/** The variables that were given. An empty one counts as absent. */
export type Environment = ReadonlyMap<string, Variable>

const given = (
  variables: Readonly<Record<string, string | undefined>>,
  source: Source
): ReadonlyArray<readonly [string, Variable]> =>
  Object.entries(variables).flatMap(([name, text]) =>
    text === undefined || text.trim() === "" ? [] : [[name, { text: text.trim(), source }] as const]
  )

/** The process's environment over `.env` of the working folder; what a command's flags say wins over both. */
export const readEnvironment = Effect.fnUntraced(function* (
  flags: Readonly<Record<string, string | undefined>> = {}
): Effect.fn.Return<Environment, CommandFailed, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.readFileString(".env").pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
    Effect.mapError((error) => new CommandFailed({ message: `.env cannot be read: ${error.message}` }))
  )
  return new Map([...given(parseEnv(file), ".env"), ...given(process.env, "environment"), ...given(flags, "flag")])
})

/** Each variable under its whole name; no part of a name has a meaning. */
export const toConfigProvider = (environment: Environment): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) => {
    const variable = environment.get(path.join("_"))
    return Effect.succeed(variable === undefined ? undefined : ConfigProvider.makeValue(variable.text))
  })
