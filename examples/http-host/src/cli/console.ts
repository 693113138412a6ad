import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { jsonFlag, print, printJson } from "./output.ts"

const noConsole =
  "The host serves no console. Start it with LOOPBOX_CONSOLE=on: with DATABASE_URL it is off unless that is said."

const Ticket = Schema.Struct({ ticket: Schema.String, expires_at: Schema.String })

export const consoleCommand = Command.make(
  "console",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { callOperator } = yield* Effect.promise(() => import("./adminClient.ts"))
    const { data, url } = yield* Effect.mapError(callOperator({ method: "POST", path: "/console/tickets" }), (error) =>
      error.code === "NOT_FOUND" ? new CommandFailed({ message: noConsole }) : error
    )
    const { expires_at, ticket } = yield* Effect.orDie(Schema.decodeUnknownEffect(Ticket)(data))
    const link = `${url}/console#${ticket}`
    yield* json ? printJson({ url: link, expires_at }) : print(link)
  })
).pipe(Command.withDescription("Print a link that signs in to the console once, within 10 minutes"))
