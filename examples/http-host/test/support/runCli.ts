import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { CommandAsked, CommandDone } from "./commandMessages.ts"
import { cleanEnvironment, type Ended, keepOutput, type Variables } from "./hostProcess.ts"
import { movedFiles } from "./movedTo.ts"

interface Server {
  readonly child: ChildProcess
  readonly waiting: Map<number, (done: CommandDone | Error) => void>
}

const program = fileURLToPath(new URL("commandServer.ts", import.meta.url))
let asked = 0
let server: Server | undefined

const start = (): Server => {
  const child = fork(program, { execArgv: ["--conditions=@loopbox/source"], env: cleanEnvironment(), silent: true })
  const waiting: Server["waiting"] = new Map()
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (said += text))
  child.on("message", (done: CommandDone) => {
    waiting.get(done.id)?.(done)
    waiting.delete(done.id)
    // A test run ends though this process waits for more.
    if (waiting.size === 0) letGo(child)
  })
  child.on("exit", (code, signal) => {
    server = undefined
    for (const tell of waiting.values()) tell(new Error(`The process of commands ended (${code ?? signal}): ${said}`))
  })
  return { child, waiting }
}

const hold = (child: ChildProcess): void => {
  child.ref()
  child.channel?.ref()
}

const letGo = (child: ChildProcess): void => {
  child.unref()
  child.channel?.unref()
}

/**
 * Runs a command to its end. All of them run one after another in one process, which loads the program once; what is about
 * the process itself, or two at once, is tested by `runCliProcess`.
 */
export const runCli = async (
  args: ReadonlyArray<string>,
  folder: string,
  variables: Variables = {}
): Promise<Ended> => {
  server ??= start()
  const { child, waiting } = server
  hold(child)
  asked += 1
  const message: CommandAsked = {
    id: asked,
    args,
    folder,
    variables: { ...cleanEnvironment(), ...movedFiles(variables) }
  }
  const done = await new Promise<CommandDone | Error>((resolve) => {
    waiting.set(message.id, resolve)
    child.send(message)
  })
  if (done instanceof Error) throw done
  keepOutput(folder, done.output)
  return { code: done.code, signal: null, output: done.output }
}
