import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { readEnvironment } from "../environment.ts"
import { type HostConfig, readHostConfig } from "../hostConfig.ts"
import { settings } from "../settings.ts"
import { jsonFlag, print, printJson } from "./output.ts"

/** What is in force where nothing was set and the default depends on something else. */
const inForce = (config: HostConfig): Readonly<Record<string, string>> => ({
  [settings.data.name]: config.dataFolder,
  [settings.blobs.name]: config.blobFolder,
  [settings.port.name]: Option.match(config.port, { onNone: () => "none", onSome: String }),
  [settings.publicUrl.name]: Option.getOrElse(
    config.publicUrl,
    () => `http://${config.host}:${Option.getOrElse(config.port, () => 0)}`
  ),
  [settings.networks.name]: config.networks,
  [settings.conversionsAtOnce.name]: String(config.conversionsAtOnce),
  [settings.logFormat.name]: config.logFormat
})

export const configCommand = Command.make(
  "config",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const environment = yield* readEnvironment()
    const config = yield* readHostConfig(environment, { needsSecrets: false })
    const known = inForce(config)
    const rows = Object.values(settings).map(({ allowed, default: standard, description, isSecret, name }) => {
      const given = environment.get(name)
      const value =
        given === undefined ? (known[name] ?? standard) : isSecret ? "<redacted>" : (known[name] ?? given.text)
      return { name, value, source: given?.source ?? "default", default: standard, allowed, description }
    })
    if (json) return yield* printJson(rows)
    yield* print(
      rows
        .map(
          (row) =>
            `${row.name}=${row.value}\n  ${row.description}\n  ${row.allowed}; default: ${row.default} (now: ${row.source})`
        )
        .join("\n\n")
    )
    for (const warning of config.warnings) yield* print(`\nWarning: ${warning}`)
  })
).pipe(Command.withDescription("Print every setting with its value, default and bounds; secrets are not shown"))
