import { typeOfEvent, typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { connectionFlags } from "./connection.ts"
import { keyFlag } from "./listen.ts"
import { jsonFlag } from "./output.ts"
import { choiceArgument, textFlag } from "./sandboxInputs.ts"

const types = [typeOfEvent.NewItem, typeOfJobEnd.gif_to_mp4, typeOfJobEnd.audio_overlay] as const

export const triggerCommand = Command.make(
  "trigger",
  {
    type: choiceArgument("type", types, "The type of the event"),
    account: textFlag("account", "A new item is of this account: acc_…; of a connected one if left out"),
    key: keyFlag,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, apiKeyFile, json, key, type, url }) {
    const connection = { url, apiKeyFile, apiKey: key }
    if (type === typeOfEvent.NewItem) {
      const { triggerNewItem } = yield* Effect.promise(() => import("./triggerCalls.ts"))
      return yield* triggerNewItem(connection, account, json)
    }
    if (Option.isSome(account)) {
      return yield* new CommandFailed({ message: "--account is for a new item: a media job has none.", isMisuse: true })
    }
    const { triggerJobEnd } = yield* Effect.promise(() => import("./triggerJobEnd.ts"))
    yield* triggerJobEnd(connection, type, json)
  })
).pipe(
  Command.withDescription(
    "Let an event happen, on the simulated networks or by a media job of two small files, and print the id of what came of it"
  )
)
