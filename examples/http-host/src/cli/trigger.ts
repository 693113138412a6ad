import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { connectionFlags } from "./connection.ts"
import { keyFlag } from "./listen.ts"
import { jsonFlag } from "./output.ts"
import { textFlag } from "./sandboxInputs.ts"

export const triggerCommand = Command.make(
  "trigger",
  {
    type: Argument.Literals("type", ["inbox.new_item"]).pipe(Argument.withDescription("The type of the event")),
    account: textFlag("account", "Of this account: acc_…; of a connected one if left out"),
    key: keyFlag,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, apiKeyFile, json, key, url }) {
    const { triggerNewItem } = yield* Effect.promise(() => import("./triggerCalls.ts"))
    yield* triggerNewItem({ url, apiKeyFile, apiKey: key }, account, json)
  })
).pipe(Command.withDescription("Let an event happen on the simulated networks, and print the id of what came of it"))
