import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { type HostConfig, loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson } from "./output.ts"

/** Loaded only where it is asked for. */
const findNetworks = Effect.fnUntraced(function* (config: HostConfig) {
  const { examineNetworks } = yield* Effect.promise(() => import("../examineNetworks.ts"))
  return yield* examineNetworks(config)
})

export const doctorCommand = Command.make(
  "doctor",
  {
    repair: Flag.Boolean("repair").pipe(
      Flag.withDefault(false),
      Flag.withDescription(
        "Set unread counters right that do not agree with their items, make statistics of large tables that have none, give a bucket its rule for unfinished uploads, and all nodes of a distributed database its settings"
      )
    ),
    networks: Flag.Boolean("networks").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Also look at the networks: our apps there, their hosts, and the host's public address")
    ),
    files: Flag.Boolean("files").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Also ask for every file that a record names, as after a restore")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ files, json, networks, repair }) {
    const config = yield* loadHostConfig()
    const { examine } = yield* Effect.promise(() => import("../examine.ts"))
    const found = yield* examine(config, { files, repair })
    const findings = networks ? [...found, ...(yield* findNetworks(config))] : found
    const failed = findings.filter(({ status }) => status === "failed" || status === "degraded")
    const width = networks ? 9 : 8
    const longest = Math.max(12, ...findings.map(({ name }) => name.length))
    yield* json
      ? printJson(findings)
      : print(
          findings
            .map(({ message, name, status }) => `${status.padEnd(width)} ${name.padEnd(longest)} ${message}`)
            .join("\n")
        )
    if (failed.length > 0) {
      return yield* new CommandFailed({ message: `${failed.map(({ name }) => name).join(", ")}: not well.` })
    }
  })
).pipe(
  Command.withDescription(
    "Say in words whether database, files, secrets, tokens, clock, ffmpeg and counters are well, with --networks also what connecting needs"
  )
)
