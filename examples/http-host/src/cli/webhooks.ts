import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson, printRows } from "./output.ts"

const commands = Effect.promise(() => import("../webhookCommands.ts"))

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const config = yield* loadHostConfig()
    const { listFailed } = yield* commands
    const failed = yield* listFailed(config)
    yield* json ? printJson(failed) : printRows(["id", "endpoint", "arrived_at", "failed_at", "reason"], failed)
  })
).pipe(Command.withDescription("List deliveries that could not be read whole, newest first"))

const replay = Command.make(
  "replay",
  {
    delivery: Argument.String("delivery").pipe(
      Argument.optional,
      Argument.withDescription("A delivery's id; without one, every failed delivery")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ delivery, json }) {
    const config = yield* loadHostConfig()
    const { replay } = yield* commands
    const replayed = yield* replay(config, delivery)
    yield* json ? printJson({ replayed }) : print(`${replayed} deliveries are ingested again.`)
  })
).pipe(Command.withDescription("Have failed deliveries ingested again; what is stored already changes nothing"))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription(
    "Look at what networks delivered and could not be read, and replay it; yours are `webhook-endpoint`"
  ),
  Command.withSubcommands([list, replay])
)
