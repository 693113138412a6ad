// Makes `npm start` and `npm test` work on a fresh clone: runs `npm ci` when node_modules is missing, half written or
// older than the lockfile. Plain JavaScript for Node 18, without dependencies, because there is nothing else yet.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
const lockfile = join(root, "package-lock.json")
/** npm writes this one last, so an install that was cut off leaves none. */
const installedLockfile = join(modules, ".package-lock.json")
/** Which lockfile our own `npm ci` has finished; it lies in node_modules, so that whoever empties that removes it. */
const stamp = join(modules, ".loopbox-installed")

const hashOf = (text) => createHash("sha256").update(text).digest("hex")

/** Whether npm's `os`, `cpu` or `libc` lets a package onto this machine: names, or names to stay away from. */
const suits = (names, actual) => {
  const list = [names ?? actual].flat()
  return list.includes(actual) || (list.every((name) => name.startsWith("!")) && !list.includes(`!${actual}`))
}

const libc = () => (process.report?.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc")

/** Why an install is needed, or undefined. */
const staleness = () => {
  // A link leads to another folder's install, which is not ours to replace.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  if (!existsSync(installedLockfile))
    return existsSync(modules) ? "the last install did not finish" : "nothing is installed yet"
  const lockText = readFileSync(lockfile, "utf8")
  const wanted = JSON.parse(lockText).packages
  const present = readJson(installedLockfile)?.packages
  if (present === undefined) return "the last install did not finish"
  for (const [path, entry] of Object.entries(present)) {
    if (wanted[path]?.version !== entry.version || wanted[path]?.integrity !== entry.integrity)
      return `${path} has changed`
    if (!existsSync(join(root, path, "package.json"))) return `${path} is missing`
  }
  const isDone = existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(lockText)
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || path in present) continue
    if (entry.optional !== true && entry.devOptional !== true && entry.peer !== true) return `${path} is new`
    // npm leaves an optional package out when its install script fails, which is no reason to try again at each
    // start. But one that is made for this machine and has no script must be there.
    if (!isDone && entry.hasInstallScript !== true && isNative(entry)) return `${path} was left out`
  }
  return undefined
}

const isNative = ({ cpu, libc: library, os }) =>
  cpu !== undefined &&
  suits(cpu, process.arch) &&
  suits(os, process.platform) &&
  (library === undefined || suits(library, libc()))

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

const fail = (message) => {
  console.error(`\nloopbox: ${message}`)
  process.exit(1)
}

const longestInstallMs = 30 * 60_000

/** Two terminals on one fresh clone: the second waits for the first instead of emptying node_modules under it. */
const withLock = (work) => {
  const user = process.getuid?.() ?? "user"
  const path = join(tmpdir(), `loopbox-install-${user}-${hashOf(root).slice(0, 16)}`)
  for (let told = false; ; told = true) {
    try {
      const file = openSync(path, "wx", 0o600)
      writeFileSync(file, String(process.pid))
      closeSync(file)
      break
    } catch (error) {
      if (error.code !== "EEXIST") return work()
    }
    const holder = Number(existsSync(path) ? readFileSync(path, "utf8") : "")
    const age = existsSync(path) ? Date.now() - statSync(path).mtimeMs : 0
    // Between creating the file and writing to it there is a moment without a number in it.
    const abandoned = holder > 0 ? !isRunning(holder) || age > longestInstallMs : age > 5_000
    if (abandoned) rmSync(path, { force: true })
    else {
      if (!told) console.error(`loopbox: waiting for the install of process ${holder || "?"}`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
  const release = () => rmSync(path, { force: true })
  process.once("exit", release)
  return work()
}

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/**
 * npm judges packages by the Node that it runs on itself, and silently leaves out optional ones that want a newer
 * Node: on Node 18 the native parts of the test runner. What they will run on is the Node that npm brings, so that is
 * the version to tell. npm has no option for it.
 */
const asBroughtNode = (version) =>
  `Object.defineProperty(process, "version", { value: "v${version}" }); ` +
  'import(require("node:url").pathToFileURL(process.argv[1]))'

/** npm's own program: of the npm that runs this script, else of the one on the path. */
const findNpm = (path) => {
  const candidates = [process.env.npm_execpath ?? "", ...path.split(delimiter).map((folder) => join(folder, "npm"))]
  const found = candidates.filter((file) => file !== "" && existsSync(file)).map((file) => realpathSync(file))
  return found.find((file) => file.endsWith("npm-cli.js"))
}

const isTooOld = () => {
  const [major, minor] = process.versions.node.split(".").map(Number)
  return major < 22 || (major === 22 && minor < 19)
}

const install = (reason) => {
  console.error(`loopbox: ${reason}; running npm ci`)
  // The node in node_modules/.bin may be the one that runs this file, and npm ci is about to delete it.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => resolve(folder || ".") !== join(modules, ".bin"))
    .join(delimiter)
  const flags = ["ci", "--include=dev", "--include=optional", "--engine-strict=false"]
  if (process.env.npm_config_loglevel === undefined) flags.push("--loglevel=error")
  const npm = findNpm(path)
  const brought = readJson(lockfile)?.packages[`node_modules/node-${process.platform}-${process.arch}`]?.version
  const asNewer = brought === undefined ? [] : ["--eval", asBroughtNode(brought), "--"]
  const [command, args] = npm === undefined ? ["npm", flags] : ["node", [...asNewer, npm, ...flags]]
  const windows = process.platform === "win32" && command === "npm"
  // Ctrl-C reaches npm as well: we outlive it, so that nobody starts another install before it has ended.
  process.on("SIGINT", () => undefined)
  const { error, signal, status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: "inherit",
    shell: windows
  })
  if (error !== undefined) fail(`npm could not be started (${error.message}). Install npm and Node 18 or newer.`)
  if (status !== 0) {
    fail(
      `npm ci failed (${signal ?? `exit code ${status}`}); its own message stands above. ` +
        "Mend the cause and give the same command again."
    )
  }
  writeFileSync(stamp, hashOf(readFileSync(lockfile, "utf8")))
}

const linkTo = (target, path) => {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if (error.code !== "EEXIST") fail(`${path} cannot be made: ${error.message}`)
  }
}

const ensureNode = () => {
  const program = join(modules, ".bin", "node")
  const brought = join("..", `node-${process.platform}-${process.arch}`, "bin", "node")
  // npm 9 makes this link and then removes it together with the package of another processor, which has the same one.
  if (!existsSync(program) && existsSync(join(modules, ".bin", brought))) linkTo(brought, program)
  if (existsSync(program) || !isTooOld()) return
  fail(
    `npm has no Node for ${process.platform} ${process.arch}, and this one (${process.versions.node}) is too old. ` +
      "Install Node 22.19 or newer."
  )
}

if (staleness() !== undefined) {
  withLock(() => {
    const reason = staleness()
    if (reason !== undefined) install(reason)
  })
}
ensureNode()
