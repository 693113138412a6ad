import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The token of the examples' admin API. */
export const adminToken = "an-admin-token-of-the-examples-32"

/** Whoever runs it, of which none outlives its test. */
const running = new Set<ChildProcess>()

/** Ends what a test left that failed before it did so itself. */
export const stopExamples = async (): Promise<void> => {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((done) => {
          child.once("exit", done)
          child.kill("SIGKILL")
        })
    )
  )
}

/** An example as a reader starts it. */
export interface ExampleServer {
  readonly port: number
  /** Ends it by SIGTERM; what it exited with. */
  readonly stop: () => Promise<number | null>
}

/** The port of a process that says it so. */
export const portOf = (child: ChildProcess, said: RegExp): Promise<number> =>
  new Promise((done, fail) => {
    let output = ""
    const read = (text: string) => {
      output += text
      const [, port] = said.exec(output) ?? []
      if (port !== undefined) done(Number(port))
    }
    child.stdout?.setEncoding("utf8").on("data", read)
    child.stderr?.setEncoding("utf8").on("data", (text: string) => void (output += text))
    child.once("exit", (code) => fail(new Error(`it ended with ${code}: ${output}`)))
  })

/** Starts an example on a free port, by flags of Node's if there are any. */
export const startExample = async (program: string, flags: ReadonlyArray<string> = []): Promise<ExampleServer> => {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@loopbox/source", ...flags, file, "0"], {
    env: { ...process.env, ADMIN_TOKEN: adminToken },
    stdio: ["ignore", "pipe", "pipe"]
  })
  running.add(child)
  const ended = new Promise<number | null>((done) => child.once("exit", done))
  child.once("exit", () => running.delete(child))
  const port = await portOf(child, /^port (\d+)$/m)
  return {
    port,
    stop: async () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}
