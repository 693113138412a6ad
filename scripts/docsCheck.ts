/**
 * `npm run docs:check [-- PAGE…]`: runs what the Markdown pages tell a reader to run. How a block is marked is said
 * in CONTRIBUTING.md. Without arguments it takes every page, and a package without README is a failure.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { copyRepository, root } from "./copyRepository.ts"
import { type Block, isProgram, isShell, readBlocks } from "./docs/readBlocks.ts"
import { announce, shellScript } from "./docs/shellScript.ts"

const programLimitMs = 120_000
const pageLimitMs = 10 * 60_000

const folder = mkdtempSync(join(tmpdir(), "loopbox docs "))
// The database's account gets in: what a page makes is removed with it.
chmodSync(folder, 0o755)
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
const clone = join(folder, "clone")
const programs = join(folder, "programs")

/** The folder of a checkout's host (examples/http-host/bin): without it each program compiles effect anew. */
const compiled = join(root, "node_modules/.cache/loopbox-modules")

const problems: Array<string> = []
let passed = 0
const pass = (what: string) => {
  passed++
  console.log(`ok      ${what}`)
}
const problem = (what: string, details = "") => {
  problems.push(what)
  console.log(`FAILED  ${what}${details === "" ? "" : `\n${details.trimEnd().replaceAll(/^/gm, "        ")}`}`)
}

/** A page's commands run with nothing configured, as a reader's do. */
const environment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LOOPBOX_|npm_|NODE_OPTIONS$|DATABASE_URL$|INIT_CWD$)/.test(name)
  )
  return { ...Object.fromEntries(kept), ...more }
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer()
    server.once("error", fail)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const runShell = async (page: string, blocks: ReadonlyArray<Block>) => {
  if (shellScript(blocks, folder) === "") return
  rmSync(clone, { recursive: true, force: true })
  copyRepository(clone)
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  const port = String(await freePort())
  // A reader's port is 8080; here it may be taken.
  const script = shellScript(blocks, folder).replaceAll(/(?<![\d.])8080(?!\d)/g, port)
  const run = spawnSync("bash", ["-c", script], {
    cwd: clone,
    env: environment({ LOOPBOX_PORT: port }),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: pageLimitMs
  })
  const steps = run.stdout.split("\n").filter((line) => line.startsWith(announce))
  const names = steps.map((line) => line.slice(announce.length))
  const last = names.pop() ?? "start"
  for (const name of names) pass(`${page}: ${name}`)
  if (last !== "done" || run.status !== 0) {
    const output = run.stdout.slice(run.stdout.lastIndexOf(announce))
    const why = run.signal === null ? `exit ${run.status}` : `${run.signal} after ${pageLimitMs / 1000} s`
    problem(`${page}: ${last}: ${why}`, output + run.stderr)
  }
}

interface Program {
  readonly title: string
  readonly file: string
  readonly block: Block
}

const writePrograms = (page: string, blocks: ReadonlyArray<Block>): ReadonlyArray<Program> =>
  blocks.flatMap((block) => {
    if (!isProgram(block) || block.mark?._tag === "Skip") return []
    const name = `${page.replaceAll(/\W+/g, "-")}-${block.line}`
    const file = join(programs, `${name}.${block.language === "ts" ? "ts" : "mjs"}`)
    writeFileSync(file, block.code)
    return [{ title: `${page}: line ${block.line} (${block.language})`, file, block }]
  })

const checkTypes = (all: ReadonlyArray<Program>) => {
  const files = all.filter(({ file }) => file.endsWith(".ts"))
  if (files.length === 0) return
  const config = {
    extends: join(root, "tsconfig.base.json"),
    // An example may name what it does not use.
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      noEmit: true,
      noUnusedLocals: false
    },
    // The examples meet the packages' sources, which lean on declarations that no import names.
    files: [...globSync(join(root, "packages/*/src/**/*.d.ts")), ...files.map(({ file }) => file)]
  }
  writeFileSync(join(programs, "tsconfig.json"), JSON.stringify(config))
  const run = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", programs], {
    encoding: "utf8",
    cwd: programs
  })
  if (run.status === 0) pass(`types of ${files.length} examples`)
  else problem("types of the examples", run.stdout + run.stderr)
}

const runProgram = ({ block, file, title }: Program) => {
  // A marked one has run in the page's shell.
  if (block.mark?._tag === "Types" || block.mark?._tag === "Run") return
  const run = spawnSync(process.execPath, ["--conditions=@loopbox/source", file], {
    cwd: programs,
    env: environment({ NODE_COMPILE_CACHE: compiled }),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: programLimitMs
  })
  if (run.status === 0) pass(title)
  else problem(`${title}: ${run.signal ?? `exit ${run.status}`}`, run.stdout + run.stderr)
}

const everyPage = (): ReadonlyArray<string> => {
  const packages = globSync("{packages/*,examples/http-host}/package.json", { cwd: root })
  const needed = ["README.md", "CONTRIBUTING.md", ...packages.map((path) => path.replace("package.json", "README.md"))]
  const others = globSync(["examples/*/README.md", "docs/**/*.md"], { cwd: root })
  return [...new Set([...needed, ...others])]
}

mkdirSync(programs)
symlinkSync(join(root, "node_modules"), join(programs, "node_modules"))
writeFileSync(join(programs, "package.json"), '{ "type": "module" }\n')

const given = process.argv.slice(2)
const all: Array<Program> = []
for (const page of given.length > 0 ? given : everyPage()) {
  const path = resolve(root, page)
  if (!existsSync(path)) {
    problem(`${page}: there is no such page`)
    continue
  }
  const { blocks, problems: faults } = readBlocks(readFileSync(path, "utf8"))
  for (const fault of faults) problem(`${page}: ${fault}`)
  all.push(...writePrograms(page, blocks))
  if (blocks.some((block) => isShell(block) || block.mark?._tag === "Run")) await runShell(page, blocks)
}
if (all.length > 0) spawnSync(process.execPath, [join(root, "scripts/makeGif.mjs"), join(programs, "demo.gif")])
checkTypes(all)
for (const program of all) runProgram(program)
console.log(`docs: ${passed} passed, ${problems.length} failed`)
process.exitCode = problems.length === 0 ? 0 : 1
