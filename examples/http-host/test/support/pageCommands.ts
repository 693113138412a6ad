import { spawn } from "node:child_process"
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bin, cleanEnvironment, type Variables } from "./hostProcess.ts"
import { serverAccount, serverPrograms } from "./ownServer.ts"

const root = join(import.meta.dirname, "../../../..")

/** The shell blocks of a page that say `a test runs it as "name"`, which is this test. */
export const blocksOf = (page: string): ReadonlyMap<string, string> => {
  const marked = /^ *<!-- skip: a test runs it as "([\w-]+)" -->\n\n *```sh\n([^]*?)^ *```$/gm
  const text = readFileSync(join(root, page), "utf8")
  return new Map(Array.from(text.matchAll(marked), ([, name = "", code = ""]) => [name, code]))
}

export interface PageRun {
  readonly code: number
  readonly output: string
}

/** The `PATH` of somebody in a folder in which `loopbox` is a command, as those of PostgreSQL are. */
export const commandPath = (folder: string): string => {
  const programs = join(folder, "programs")
  mkdirSync(programs, { recursive: true })
  const program = join(programs, "loopbox")
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(program, 0o755)
  return [programs, ...(serverPrograms === undefined ? [] : [serverPrograms]), process.env["PATH"]].join(":")
}

/** The commands of a page, word for word, in a folder in which `loopbox` is a command. */
export const pageCommands = (page: string, folder: string) => {
  const blocks = blocksOf(page)
  const left = new Set(blocks.keys())
  const path = commandPath(folder)
  /** Runs a block to its end, by itself or as the account that a server has. */
  const run = (
    name: string,
    variables: Variables,
    options: { readonly asServer?: boolean; readonly cwd?: string } = {}
  ): Promise<PageRun> => {
    const code = blocks.get(name)
    if (code === undefined) throw new Error(`${page} has no commands called ${name}`)
    left.delete(name)
    const account = options.asServer === true ? serverAccount() : {}
    const log = join(folder, `output-${name}`)
    // Not a pipe: a server that the commands start would keep it open.
    const output = openSync(log, "w")
    const child = spawn("bash", ["-euo", "pipefail", "-c", code], {
      ...account,
      cwd: options.cwd ?? folder,
      env: { ...cleanEnvironment(), ...variables, PATH: path },
      stdio: ["ignore", output, output],
      timeout: 180_000
    })
    return new Promise((resolve, reject) => {
      child.on("error", reject)
      child.on("exit", (status) => {
        closeSync(output)
        resolve({ code: status ?? 1, output: readFileSync(log, "utf8") })
      })
    })
  }
  return { run, left: (): ReadonlyArray<string> => [...left] }
}
