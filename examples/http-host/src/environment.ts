import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { parseEnv } from "node:util"
import { CommandFailed } from "./CommandFailed.ts"

export type Source = "flag" | "environment" | ".env"

export interface Variable {
  readonly text: string
  readonly source: Source
  /** As somebody typed it, where the source is a flag. */
  readonly flag?: string
}

/** What the command line says in place of variables, by their names. */
export type GivenFlags = Readonly<Record<string, { readonly flag: string; readonly text: string | undefined }>>

/** The variables that were given. An empty one counts as absent. */
export type Environment = ReadonlyMap<string, Variable>

const given = (
  variables: Readonly<Record<string, string | undefined>>,
  source: "environment" | ".env"
): ReadonlyArray<readonly [string, Variable]> =>
  Object.entries(variables).flatMap(([name, text]) =>
    text === undefined || text.trim() === "" ? [] : [[name, { text: text.trim(), source }] as const]
  )

/** A flag without a value is a variable of a shell that was not set: what is configured would be taken in its place. */
const ofFlags = (flags: GivenFlags) =>
  Effect.forEach(
    Object.entries(flags).flatMap(([name, { flag, text }]) =>
      text === undefined ? [] : [{ name, flag, text: text.trim() }]
    ),
    ({ flag, name, text }): Effect.Effect<readonly [string, Variable], CommandFailed> =>
      text === ""
        ? Effect.fail(new CommandFailed({ message: `${flag} is empty.`, isMisuse: true }))
        : Effect.succeed([name, { text, source: "flag", flag }])
  )

/** The process's environment over `.env` of the working folder; what a command's flags say wins over both. */
export const readEnvironment = Effect.fnUntraced(function* (
  flags: GivenFlags = {}
): Effect.fn.Return<Environment, CommandFailed, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.readFileString(".env").pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
    Effect.mapError((error) => new CommandFailed({ message: `.env cannot be read: ${error.message}` }))
  )
  return new Map([...given(parseEnv(file), ".env"), ...given(process.env, "environment"), ...(yield* ofFlags(flags))])
})

/** What a variable is called by whoever gave it: by its name, or by the flag that stands for it. */
export const givenAs = (environment: Environment, name: string): string => environment.get(name)?.flag ?? name

/** Each variable under its whole name; no part of a name has a meaning. */
export const toConfigProvider = (environment: Environment): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) => {
    const variable = environment.get(path.join("_"))
    return Effect.succeed(variable === undefined ? undefined : ConfigProvider.makeValue(variable.text))
  })
