import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { describePlace } from "../blobPlace.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { hasAccessLog, pauseOf } from "../edgeSettings.ts"
import { type HostConfig, loadHostConfig } from "../hostConfig.ts"
import { findServing } from "../serving.ts"
import { settings } from "../settings.ts"
import { envTemplate } from "./envTemplate.ts"
import { networksText } from "./networksText.ts"
import { jsonFlag, print, printJson } from "./output.ts"

/** What is in force where nothing was set and the default depends on something else. */
const inForce = (config: HostConfig): Readonly<Record<string, string>> => ({
  [settings.data.name]: config.dataFolder,
  [settings.blobs.name]: describePlace(config.blobs),
  [settings.port.name]: Option.match(config.port, { onNone: () => "none", onSome: String }),
  [settings.publicUrl.name]: Option.getOrElse(
    config.publicUrl,
    () => `http://${config.host}:${Option.getOrElse(config.port, () => 0)}`
  ),
  [settings.console.name]: config.hasConsole ? "on" : "off",
  [settings.networks.name]: config.networks,
  [settings.conversionsAtOnce.name]: String(config.conversionsAtOnce),
  [settings.logFormat.name]: config.logFormat,
  [settings.stopPause.name]: Duration.format(pauseOf(config.edge, Option.isSome(config.databaseUrl))),
  [settings.accessLog.name]: hasAccessLog(config) ? "on" : "off"
})

/** What a host that serves the data folder was told and this shell was not, or otherwise. */
const findDifferences = Effect.fnUntraced(function* (config: HostConfig) {
  const host = yield* findServing(config.dataFolder)
  if (Option.isNone(host)) return []
  const { given, pid, url } = host.value
  const differing = Object.values(settings).flatMap(({ default: standard, isSecret, name }) => {
    const [there, here] = [given.get(name), config.given.get(name)]
    if (isSecret || there?.text === here?.text) return []
    const address = name === settings.port.name ? `, which is ${url}` : ""
    return [`  ${name}: ${there === undefined ? standard : `${there.text} (${there.source})`}${address}`]
  })
  if (differing.length === 0) return []
  return [`A host with other values serves ${config.dataFolder} (process ${pid}):`, ...differing]
})

const shownRows = (config: HostConfig) => {
  const known = inForce(config)
  return Object.values(settings).map(({ allowed, default: standard, description, isSecret, name }) => {
    const given = config.given.get(name)
    const value =
      given === undefined ? (known[name] ?? standard) : isSecret ? "<redacted>" : (known[name] ?? given.text)
    return { name, value, source: given?.source ?? "default", default: standard, allowed, description }
  })
}

/** What belongs at the networks, and what is missing here. */
const printNetworks = Effect.fnUntraced(function* (config: HostConfig, json: boolean) {
  const { networkReport } = yield* Effect.promise(() => import("../networkReport.ts"))
  const logins = yield* networkReport(config)
  if (json) return yield* printJson(logins)
  yield* print(networksText(logins))
  if (Option.isNone(config.publicUrl)) {
    yield* print(
      `\nThe addresses are not public: ${settings.publicUrl.name} must name the one by which networks reach the host.`
    )
  }
  if (config.networks === "sandbox") {
    yield* print("\nThe networks are a sandbox here: accounts of it are connected without any of these settings.")
  }
})

export const configCommand = Command.make(
  "config",
  {
    env: Flag.Boolean("env").pipe(
      Flag.withDefault(false),
      Flag.withDescription("A .env to begin with: every setting with its default, as comments")
    ),
    networks: Flag.Boolean("networks").pipe(
      Flag.withDefault(false),
      Flag.withDescription("The addresses to paste at Meta, Threads and X, and which settings are missing")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ env, json, networks }) {
    if (env && (json || networks)) {
      return yield* new CommandFailed({
        message: "--env prints a file of comments: leave --json and --networks out.",
        isMisuse: true
      })
    }
    if (env) return yield* print(yield* envTemplate)
    const config = yield* loadHostConfig()
    if (networks) return yield* printNetworks(config, json)
    const rows = shownRows(config)
    if (json) return yield* printJson(rows)
    yield* print(
      rows
        .map(
          (row) =>
            `${row.name}: ${row.value} (${row.source})\n  ${row.description}\n  Must be ${row.allowed}; default: ${row.default}`
        )
        .join("\n\n")
    )
    for (const warning of config.warnings) yield* print(`\nWarning: ${warning}`)
    const differences = yield* findDifferences(config)
    if (differences.length > 0) yield* print(`\n${differences.join("\n")}`)
    yield* print(
      "\nThese are the values of this shell and its .env. `loopbox config --env` prints a .env to begin with."
    )
  })
).pipe(Command.withDescription("Print every setting with its value, default and bounds; secrets are not shown"))
