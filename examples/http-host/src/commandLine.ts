import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { accountCommand } from "./cli/account.ts"
import { blobsCommand } from "./cli/blobs.ts"
import { configCommand } from "./cli/config.ts"
import { consoleCommand } from "./cli/console.ts"
import { convertCommand } from "./cli/convert.ts"
import { dbCommand } from "./cli/db.ts"
import { demoGifCommand } from "./cli/demoGif.ts"
import { doctorCommand } from "./cli/doctor.ts"
import { inboxCommand } from "./cli/inbox.ts"
import { listenCommand } from "./cli/listen.ts"
import { keyCommand } from "./cli/key.ts"
import { managedUserCommand } from "./cli/managedUser.ts"
import { memberCommand } from "./cli/member.ts"
import { migrateCommand } from "./cli/migrate.ts"
import { postCommand } from "./cli/post.ts"
import { sandboxCommand } from "./cli/sandbox.ts"
import { secretsCommand } from "./cli/secrets.ts"
import { serveCommand } from "./cli/serve.ts"
import { triggerCommand } from "./cli/trigger.ts"
import { tokenCommand } from "./cli/token.ts"
import { webhookEndpointCommand } from "./cli/webhookEndpoint.ts"
import { webhooksCommand } from "./cli/webhooks.ts"
import { workspaceCommand } from "./cli/workspace.ts"
import { exitCodeOf, reportFailure } from "./reportFailure.ts"
import { version } from "./version.ts"

/** Every command. */
export const loopbox = Command.make("loopbox").pipe(
  Command.withDescription("Social inbox and GIF-to-MP4 conversion behind one HTTP API."),
  Command.withSubcommands([
    serveCommand,
    migrateCommand,
    configCommand,
    doctorCommand,
    dbCommand,
    blobsCommand,
    convertCommand,
    inboxCommand,
    postCommand,
    listenCommand,
    triggerCommand,
    webhookEndpointCommand,
    workspaceCommand,
    memberCommand,
    keyCommand,
    managedUserCommand,
    accountCommand,
    consoleCommand,
    tokenCommand,
    webhooksCommand,
    secretsCommand,
    sandboxCommand,
    demoGifCommand
  ])
)

/** As that of each command; 2 for a command line that cannot be understood. */
const exitCodeOfLine = (exit: Exit.Exit<void, unknown>): number => {
  const error = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  if (!CliError.isCliError(error)) return exitCodeOf(exit)
  return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : 2
}

/** What the command line's own runner has not said yet. */
const report = (cause: Cause.Cause<unknown>) =>
  CliError.isCliError(Cause.squash(cause)) ? Effect.void : reportFailure(cause)

/** Help is an answer where somebody asked for it. With a fault it is none, and whatever reads answers gets nothing. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.provideService(CliOutput.defaultPresenter.present(event), Console.Console, {
          ...globalThis.console,
          log: globalThis.console.error
        })
      : CliOutput.defaultPresenter.present(event)
}

/** Runs a command as a user types it, without the program's name, to its exit code. */
export const runCommandLine = (args: ReadonlyArray<string>): Effect.Effect<number> =>
  Command.runWith(loopbox, { version })(args).pipe(
    Effect.tapCause(report),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        SocialNetworks.layer,
        SecureRandom.layerWebCrypto,
        CliOutput.layerPresenter(presenter),
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
      )
    ),
    Effect.exit,
    Effect.map(exitCodeOfLine)
  )
