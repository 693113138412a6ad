/**
 * The host of the release before, out of this repository's history: for tests that run it beside this one.
 *
 * `scripts/previousRelease.json` names it by commit, because a clone may come without tags; whoever releases a version sets both.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

const run = (command: string, args: ReadonlyArray<string>, cwd: string): string => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 300_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`)
  return stdout
}

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly link?: boolean; readonly dev?: boolean }>
  >
}

const readLock = (folder: string): LockFile => JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"))

/** Packages that the old host needs and that are here in another version, or not at all. */
const differing = (folder: string): ReadonlyArray<string> => {
  const here = readLock(root).packages
  return Object.entries(readLock(folder).packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true)
    .filter(([path, { version }]) => here[path]?.version !== version)
    .map(([path]) => path)
}

/** Links what is installed here, and the old release's own packages in place of these. */
const linkModules = (folder: string): void => {
  const modules = join(folder, "node_modules")
  const link = (target: string, name: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(target, join(modules, name))
  }
  for (const entry of readdirSync(join(root, "node_modules"))) {
    if (entry.startsWith(".") || entry === "@loopbox" || entry === "loopbox") continue
    link(join(root, "node_modules", entry), entry)
  }
  for (const manifest of globSync(["packages/*/package.json", "examples/*/package.json"], { cwd: folder })) {
    const { name }: { readonly name: string } = JSON.parse(readFileSync(join(folder, manifest), "utf8"))
    link(join(folder, dirname(manifest)), name)
  }
}

export interface PreviousRelease {
  readonly tag: string
  /** Its command line; run by Node, it takes its own sources, as a checkout does. */
  readonly bin: string
}

/** Puts the previous release into a folder, ready to run. */
export const preparePreviousRelease = (folder: string): PreviousRelease => {
  const { commit, tag }: { readonly commit: string; readonly tag: string } = JSON.parse(
    readFileSync(join(root, "scripts", "previousRelease.json"), "utf8")
  )
  if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(
      `The history here lacks ${tag} (${commit}), which this version is tried beside. ` +
        "Fetch all of it (git fetch --unshallow), or run this in a clone."
    )
  }
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, "release.tar")
  run("git", ["archive", "--format=tar", "-o", archive, commit], root)
  run("tar", ["-xf", archive, "-C", folder], root)
  rmSync(archive)
  if (differing(folder).length === 0) linkModules(folder)
  else run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
  const bin = join(folder, "examples", "http-host", "bin", "loopbox.js")
  if (!existsSync(bin)) throw new Error(`${tag} has no ${bin}`)
  return { tag, bin }
}
