/**
 * `npm run pack:check`: builds and packs every package, looks into the tarballs, installs them into an empty project,
 * type-checks and runs a consumer, the client on the machine's own Node, the embedded example, and the host without an
 * ffmpeg on PATH.
 */
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { root } from "./copyRepository.ts"
import { judgeTarball } from "./judgeTarball.ts"
import { clientConsumer, clientTypes } from "./pack/clientConsumer.ts"

const stepLimitMs = 300_000

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8"))

class StepFailed extends Error {}

/** Runs one command; its output is shown only when it fails. */
const run = (
  title: string,
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }
): string => {
  const result = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: stepLimitMs,
    maxBuffer: 64 * 1024 * 1024
  })
  if (result.status !== 0) {
    const why = result.error?.message ?? result.signal ?? `exit ${result.status}`
    throw new StepFailed(`${title}: ${why}\n${result.stdout}${result.stderr}`)
  }
  console.log(`ok      ${title}`)
  return result.stdout
}

/** npm tells its children about the workspace that it runs in; an empty project must not hear of it. */
const cleanEnvironment = (path: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(?!config_(cache|registry|userconfig)$)|LOOPBOX_|DATABASE_URL$|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$)/.test(
          name
        )
    )
  ),
  PATH: path
})

const folder = mkdtempSync(join(tmpdir(), "loopbox pack "))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

/** This Node, whatever the machine's own is; and nothing of the checkout's node_modules/.bin. */
const nodeFolder = join(folder, "node")
mkdirSync(nodeFolder)
symlinkSync(process.execPath, join(nodeFolder, "node"))
const machinePath = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"))
const path = [nodeFolder, ...machinePath].join(delimiter)

/** The machine's PATH as one folder of links in which there is no ffmpeg. */
const pathWithoutFfmpeg = (): string => {
  const links = join(folder, "no-ffmpeg")
  mkdirSync(links)
  for (const part of machinePath.filter((part) => existsSync(part))) {
    for (const name of readdirSync(part)) {
      if (/^ff(mpeg|probe|play)$/.test(name) || existsSync(join(links, name))) continue
      try {
        symlinkSync(join(part, name), join(links, name))
      } catch {
        // A link that leads nowhere is there already: the first one on PATH counts.
      }
    }
  }
  return [nodeFolder, links].join(delimiter)
}

const published = globSync(["packages/*/package.json", "examples/*/package.json"], { cwd: root })
  .map((file) => ({ file, manifest: manifestOf(join(root, file)) }))
  .filter(({ manifest }) => manifest.private !== true)

/** Whether a file that the compiler wrote has a source, or is none of the compiler's (elements' bundles). */
const hasSource = (folder: string, file: string): boolean =>
  file.startsWith("browser/") || existsSync(join(folder, "src", file.replace(/(\.d)?\.(js|ts)(\.map)?$/, ".ts")))

const build = () => {
  // What is left of a source that is gone must not be packed. All others are built already, if their types were checked.
  for (const { file } of published) {
    const folder = join(root, dirname(file))
    const built = globSync("**/*.{js,d.ts,map}", { cwd: join(folder, "dist") })
    if (built.every((one) => hasSource(folder, one))) continue
    rmSync(join(folder, "dist"), { recursive: true, force: true })
    rmSync(join(folder, "tsconfig.tsbuildinfo"), { force: true })
  }
  run("build", "npm", ["run", "build"], { cwd: root })
}

const pack = (): ReadonlyMap<string, string> =>
  new Map(
    published.map(({ file, manifest }) => {
      const args = ["pack", "--json", "--pack-destination", folder]
      run(`pack ${manifest.name}`, "npm", args, { cwd: join(root, dirname(file)), env: cleanEnvironment(path) })
      const tarball = join(folder, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`)
      const unpacked = join(folder, "unpacked", manifest.name)
      mkdirSync(unpacked, { recursive: true })
      run(`unpack ${manifest.name}`, "tar", ["-xzf", tarball, "-C", unpacked], { cwd: folder })
      const faults = judgeTarball(join(unpacked, "package"), [root.replace(/\/$/, "")])
      if (faults.length > 0) throw new StepFailed(`${manifest.name}:\n${faults.join("\n")}`)
      console.log(`ok      contents of ${manifest.name}`)
      return [manifest.name, tarball]
    })
  )

const emptyProject = (name: string): string => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), '{ "name": "stranger", "private": true, "type": "module" }\n')
  return project
}

const consumer = (names: ReadonlyArray<string>): string =>
  [
    ...names.map((name, i) => `import * as package${i} from "${name}"`),
    'import { createLoopbox } from "@loopbox/embedded"',
    'import { MemoryAdapters } from "@loopbox/adapters-memory"',
    'import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"',
    `for (const [i, exported] of [${names.map((_, i) => `package${i}`).join(", ")}].entries()) {`,
    "  if (Object.keys(exported).length === 0) throw new Error(`package ${i} exports nothing`)",
    "}",
    'const loopbox = await createLoopbox(MemoryAdapters.layer, FfmpegEncoder.layer({ scratch: "scratch", allowFallback: false }))',
    "await loopbox.close()",
    'console.log("consumer ran")',
    ""
  ].join("\n")

/** TypeScript in the strictest form that a stranger may have: our declarations are checked with theirs. */
const strictest = {
  compilerOptions: {
    target: "es2024",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ["node"],
    noEmit: true
  },
  files: ["consumer.ts"]
}

const versionOf = (name: string): string =>
  `${name}@${manifestOf(join(root, "node_modules", name, "package.json")).version}`

const tryLibraries = (tarballs: ReadonlyMap<string, string>) => {
  const project = emptyProject("library user")
  const env = cleanEnvironment(path)
  const libraries = published.map(({ manifest }) => manifest).filter(({ name }) => name !== "loopbox")
  const files = libraries.flatMap(({ name }) => tarballs.get(name) ?? [])
  const others = ["effect", "@effect/platform-node", "typescript", "@types/node"].map(versionOf)
  run("install the packages", "npm", ["install", ...files, ...others], { cwd: project, env })
  // The conformance suites have no index: each is imported by its own name, where vitest is installed.
  const imported = libraries.map(({ name }) => name).filter((name) => name !== "@loopbox/testing")
  writeFileSync(join(project, "consumer.ts"), consumer(imported))
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(strictest))
  run("types of a consumer", "npx", ["tsc", "-p", "."], { cwd: project, env })
  run("a consumer", "node", ["consumer.ts"], { cwd: project, env })
  copyFileSync(join(root, "examples/embedded/main.mjs"), join(project, "main.mjs"))
  run("make a GIF", "node", [join(root, "scripts/makeGif.mjs"), "demo.gif"], { cwd: project, env })
  run("the embedded example", "node", ["main.mjs", "demo.gif", "demo.mp4"], { cwd: project, env })
  const video = readFileSync(join(project, "demo.mp4"))
  if (video.toString("latin1", 4, 8) !== "ftyp") throw new StepFailed("the embedded example made no MP4")
}

/** The suite of a store of files of one's own, by the letter of the guide; and with the oldest vitest that is promised. */
const tryConformance = (tarballs: ReadonlyMap<string, string>) => {
  const project = emptyProject("adapter author")
  const env = cleanEnvironment(path)
  const files = published.flatMap(({ manifest: { name } }) => (name === "loopbox" ? [] : (tarballs.get(name) ?? [])))
  const others = ["effect", "@effect/platform-node", "vitest", "@effect/vitest"].map(versionOf)
  run("install the suites", "npm", ["install", ...files, ...others], { cwd: project, env })
  const guide = readFileSync(join(root, "docs/guides/writing-an-adapter.md"), "utf8")
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(guide) ?? []
  writeFileSync(join(project, "blobs.test.ts"), example)
  const suite = (title: string) => {
    const said = run(title, "npx", ["vitest", "run"], { cwd: project, env })
    if (!/blobs\.test\.ts/.test(said) || !/Tests .*passed/.test(said)) throw new StepFailed(`${title}:\n${said}`)
  }
  suite("the guide's store passes its suite")
  const { peerDependencies = {} } = manifestOf(join(root, "packages/testing/package.json"))
  const [oldest = ""] = /\d+\.\d+\.\d+/.exec(peerDependencies["vitest"] ?? "") ?? []
  run(`install vitest ${oldest}`, "npm", ["install", `vitest@${oldest}`], { cwd: project, env })
  suite(`the same with vitest ${oldest}`)
}

/** The client alone, on the machine's own Node, if it has one: that may be older than ours. */
const tryClient = (tarballs: ReadonlyMap<string, string>) => {
  const project = emptyProject("client user")
  const env = cleanEnvironment(path)
  const needed = ["typescript", "@types/node"].map(versionOf)
  run("install the client", "npm", ["install", tarballs.get("@loopbox/client") ?? "", ...needed], { cwd: project, env })
  writeFileSync(join(project, "client.ts"), clientConsumer)
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(clientTypes))
  run("types of the client's consumer", "npx", ["tsc", "-p", "."], { cwd: project, env })
  const hasNode = machinePath.some((part) => existsSync(join(part, "node")))
  const own = cleanEnvironment(hasNode ? machinePath.join(delimiter) : path)
  const version = run("the Node of the client's consumer", "node", ["--version"], { cwd: project, env: own })
  run(`a consumer of the client on Node ${version.trim()}`, "node", ["out/client.js"], { cwd: project, env: own })
}

const tryHost = (tarballs: ReadonlyMap<string, string>) => {
  const project = emptyProject("host user")
  const env = cleanEnvironment(pathWithoutFfmpeg())
  // One command with all tarballs, because our packages are in no registry yet.
  run("install the host", "npm", ["install", ...tarballs.values()], { cwd: project, env })
  const version = run("loopbox --version", "npx", ["loopbox", "--version"], { cwd: project, env })
  const wanted = published.find(({ manifest }) => manifest.name === "loopbox")?.manifest.version ?? "none"
  if (!version.includes(wanted)) throw new StepFailed(`loopbox --version said ${version.trim()} instead of ${wanted}`)
  const command = [join(root, "scripts/tryHost.mjs"), "--api", project, "npx", "loopbox", "serve", "--port", "0"]
  run("the host without ffmpeg on PATH", "node", command, { cwd: project, env })
}

try {
  build()
  const tarballs = pack()
  tryLibraries(tarballs)
  tryConformance(tarballs)
  tryClient(tarballs)
  tryHost(tarballs)
  console.log("pack: all passed")
} catch (error) {
  if (!(error instanceof StepFailed)) throw error
  console.error(`FAILED  ${error.message}`)
  process.exitCode = 1
}
