import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Setting } from "../Setting.ts"
import { settings } from "../settings.ts"
import { version } from "../version.ts"

/** What a default says that is a value and not a description: the part before what it depends on. */
const valueOf = Effect.fnUntraced(function* ({ config, default: standard, name }: Setting<unknown>) {
  const [value = ""] = standard.split("; ")
  if (/^none|[<,]/.test(value)) return ""
  const provider = ConfigProvider.make((path) =>
    Effect.succeed(path.join("_") === name ? ConfigProvider.makeValue(value) : undefined)
  )
  return Result.isSuccess(yield* Effect.result(config.parse(provider))) ? value : ""
})

const quoted = (value: string): string => (/[\s#]/.test(value) ? `"${value}"` : value)

const entry = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const { allowed, default: standard, description, name } = setting
  const value = quoted(yield* valueOf(setting))
  return [`# ${description}`, `# Must be ${allowed}. Default: ${standard}.`, `#${name}=${value}`].join("\n")
})

/** A `.env` in which every setting stands as a comment, with its default where that is a value. */
export const envTemplate = Effect.gen(function* () {
  const head = [
    `# Settings of loopbox ${version}: \`loopbox config --env > .env\`. Take the # away from what you change.`,
    "# `serve` and every other command read .env in their working folder; the environment wins over it."
  ]
  const entries = yield* Effect.forEach(Object.values(settings), (setting: Setting<unknown>) => entry(setting))
  return [head.join("\n"), ...entries].join("\n\n")
})
