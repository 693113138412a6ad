import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson } from "./output.ts"

export const doctorCommand = Command.make(
  "doctor",
  {
    repair: Flag.Boolean("repair").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Set unread counters right that do not agree with their items")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, repair }) {
    const config = yield* loadHostConfig()
    const { examine } = yield* Effect.promise(() => import("../examine.ts"))
    const findings = yield* examine(config, { repair })
    const failed = findings.filter(({ status }) => status === "failed")
    yield* json
      ? printJson(findings)
      : print(
          findings.map(({ message, name, status }) => `${status.padEnd(7)} ${name.padEnd(12)} ${message}`).join("\n")
        )
    if (failed.length > 0) {
      return yield* new CommandFailed({ message: `${failed.map(({ name }) => name).join(", ")}: not well.` })
    }
  })
).pipe(
  Command.withDescription("Say in words whether database, files, secrets, tokens, clock, ffmpeg and counters are well")
)
