import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { movedFiles, subscribeMoved } from "./movedTo.ts"

/** The command line as a user starts it. */
export const bin = fileURLToPath(new URL("../../bin/loopbox.js", import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string
}

export type Variables = Readonly<Record<string, string | undefined>>

/** The machine's environment without what a developer may have set for Loopbox. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(LOOPBOX_|DATABASE_URL$|NODE_ENV$|OTEL_|VITEST)/.test(name))
  )

/** What processes have written, by the folder that they were started in. */
const outputs = new Map<string, Array<string>>()
export const keepOutput = (folder: string, text: string): void => {
  const kept = outputs.get(folder) ?? []
  outputs.set(folder, kept)
  kept.push(text)
}
/** All that the commands and hosts of a folder have written. */
export const allOutput = (folder: string): string => (outputs.get(folder) ?? []).join("")

/** As npm does: the parent of the host, which hands signals on and ends as the host did. */
const parentProgram = `
const child = require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" })
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? signal))`

const launch = (
  args: ReadonlyArray<string>,
  folder: string,
  variables: Variables,
  before: ReadonlyArray<string> = [],
  program: string = bin
): ChildProcess => {
  const child = spawn(process.execPath, [...before, program, ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...movedFiles(variables) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: before.length > 0
  })
  child.stdout?.setEncoding("utf8").on("data", (text: string) => keepOutput(folder, text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => keepOutput(folder, text))
  return child
}

const collect = (child: ChildProcess): (() => string) => {
  let output = ""
  child.stdout?.on("data", (text: string) => (output += text))
  child.stderr?.on("data", (text: string) => (output += text))
  return () => output
}

/** Runs a command to its end in a process of its own. Where that is not what matters, `runCli` is much faster. */
export const runCliProcess = (
  args: ReadonlyArray<string>,
  folder: string,
  variables: Variables = {},
  program: string = bin
): Promise<Ended> => {
  const child = launch(args, folder, variables, [], program)
  const output = collect(child)
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, output: output() })))
}

export interface HostProcess {
  readonly pid: number
  readonly url: string
  readonly output: () => string
  readonly ended: Promise<Ended>
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/** Lines that may run before the ones that are waited for. */
const patience_ms = 120_000

/** Starts `loopbox serve` on a free port and waits until it says that it is ready. */
export const startHost = async (
  folder: string,
  variables: Variables = {},
  args: ReadonlyArray<string> = ["--port", "0"]
): Promise<HostProcess> => {
  const host = await whenReady(
    launch(["serve", ...args], folder, { LOOPBOX_LOG_FORMAT: "json", LOOPBOX_STOP_PAUSE: "0 seconds", ...variables }),
    (child, signal) => {
      child.kill(signal)
    }
  )
  await subscribeMoved(folder)
  return host
}

/** The same of another release, by its `bin/loopbox.js`. */
export const startHostOf = (
  program: string,
  folder: string,
  variables: Variables = {},
  args: ReadonlyArray<string> = ["--port", "0"]
): Promise<HostProcess> =>
  whenReady(
    launch(["serve", ...args], folder, { LOOPBOX_LOG_FORMAT: "json", ...variables }, [], program),
    (child, signal) => {
      child.kill(signal)
    }
  )

/** The same under a parent like npm's, in a process group of their own that gets the signals. */
export const startHostGroup = (folder: string, variables: Variables = {}): Promise<HostProcess> =>
  whenReady(
    launch(
      ["serve", "--port", "0"],
      folder,
      { LOOPBOX_LOG_FORMAT: "json", LOOPBOX_STOP_PAUSE: "0 seconds", ...variables },
      ["-e", parentProgram]
    ),
    ({ pid }, signal) => {
      if (pid !== undefined) process.kill(-pid, signal)
    }
  )

const whenReady = async (
  child: ChildProcess,
  kill: (child: ChildProcess, signal: NodeJS.Signals) => void
): Promise<HostProcess> => {
  const output = collect(child)
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, output: output() }))
  )
  const deadline = performance.now() + patience_ms
  const isReady = () => /"message":"(listening|working)"/.test(output())
  while (!isReady()) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      kill(child, "SIGKILL")
      throw new Error(`The host did not start: ${output()}`)
    }
    await sleep(20)
  }
  const url = /"message":"listening"[^\n]*"address":"([^"]+)"/.exec(output())?.[1] ?? ""
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    kill(child, signal)
    return ended
  }
  return { pid: child.pid ?? 0, url, output, ended, stop }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Asks again until the answer is there. The time is against what hangs; other work may make a machine slow. */
export const until = async <A>(
  what: string,
  ask: () => Promise<A | undefined> | A | undefined,
  within_ms = 120_000,
  every_ms = 50
) => {
  const deadline = performance.now() + within_ms
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${within_ms} ms`)
    await sleep(every_ms)
  }
}

/** A folder of its own, with a space in its name as users have them. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "loopbox host "))
  // As root, PostgreSQL's own account must be able to pass through.
  chmodSync(folder, 0o711)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Largest resident memory that a process ever had. */
export const peakMemory_MiB = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
