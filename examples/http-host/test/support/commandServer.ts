/**
 * A process that runs commands of the command line one after another, each in the folder and with the variables that it is
 * told: a process of its own for each loads a thousand modules, which takes longer than what most commands do.
 *
 * Started by `runCli`, which talks to it over the channel between the two.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as Effect from "effect/Effect"
import { runCommandLine } from "../../src/commandLine.ts"
import type { CommandAsked, CommandDone } from "./commandMessages.ts"

/** What the command that runs has printed; there is nobody who reads this process's own streams. */
let output = ""
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: Uint8Array | string, ...rest: ReadonlyArray<unknown>) => {
    output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")
    const told = rest.at(-1)
    if (typeof told === "function") told()
    return true
  }
}

const run = async ({ args, folder, id, variables }: CommandAsked): Promise<CommandDone> => {
  process.chdir(folder)
  process.env = { ...variables }
  output = ""
  const code = await Effect.runPromise(runCommandLine(args))
  // The folder may be removed now.
  process.chdir("/")
  return { id, code, output }
}

let last: Promise<unknown> = Promise.resolve()
process.on("message", (asked: CommandAsked) => {
  // The folder and the variables are the whole process's.
  last = last.then(async () => process.send?.(await run(asked)))
})
process.on("disconnect", () => process.exit(0))
