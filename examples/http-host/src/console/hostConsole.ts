import { Installation } from "@loopbox/adapters-postgres"
import type { ConsoleOptions } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import { ConsoleIdentity, ConsoleSessions } from "@loopbox/core/access/ConsoleSessions"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { HostConfig } from "../hostConfig.ts"
import type { HostSecrets } from "../hostSecrets.ts"
import type { RunningSandbox } from "../sandbox.ts"
import { makeActivity } from "./activity.ts"
import { consoleFolder, makeBrowserFiles } from "./browserFiles.ts"
import { sandboxControls } from "./sandboxControls.ts"

/** What the host gives to its console; none where it serves none. */
export const makeHostConsole = Effect.fnUntraced(function* (
  { hasConsole, role }: HostConfig,
  { adminToken }: HostSecrets,
  sandbox: Option.Option<RunningSandbox>
) {
  if (!hasConsole || role === "worker" || Option.isNone(adminToken)) return Option.none<ConsoleOptions>()
  const sessions = Context.get(yield* Layer.build(ConsoleSessions.layer(adminToken.value)), ConsoleSessions)
  const folder = consoleFolder()
  const console: ConsoleOptions = {
    sessions,
    installation: yield* Installation.id,
    files: folder === undefined ? Effect.succeed(new Map()) : yield* makeBrowserFiles(folder),
    activity: yield* makeActivity(),
    sandbox: Option.getOrUndefined(Option.map(sandbox, sandboxControls)),
    sandboxUrl: Option.getOrUndefined(Option.map(sandbox, ({ url }) => url))
  }
  return Option.some(console)
})

/** Lets requests of the console be those of its sessions. */
export const layerConsoleCallers = (console: Option.Option<ConsoleOptions>): Layer.Layer<never> =>
  Option.match(console, {
    onNone: () => Layer.empty,
    onSome: ({ sessions }) =>
      Layer.succeed(ConsoleIdentity, { stands: (token) => Effect.map(sessions.find(token), Option.isSome) })
  })

/** An address that signs in once, for whoever sits before the host. */
export const makeConsoleLink = (url: string, console: Option.Option<ConsoleOptions>) =>
  Effect.transposeOption(
    Option.map(console, ({ sessions }) =>
      Effect.map(sessions.issueTicket, (ticket) => `${url}/console#${Redacted.value(ticket)}`)
    )
  )
