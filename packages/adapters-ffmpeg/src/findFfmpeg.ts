import { execFile } from "node:child_process"
import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, isAbsolute, join, resolve } from "node:path"
import { EngineMissing } from "@loopbox/core/encoding/Engine"
import type { EngineHealth } from "@loopbox/core/encoding/Engine"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** npm packages that carry an ffmpeg. They are optional dependencies of the host, never of this package. */
export type FfmpegPackage = "ffmpeg-static" | "@ffmpeg-installer/ffmpeg"

/** Path of the program that an npm package carries; none when the package is not installed. */
export type ResolvePackage = (name: FfmpegPackage) => Option.Option<string>

export interface FindFfmpegOptions {
  /** LOOPBOX_FFMPEG: this program and no other. */
  readonly ffmpeg?: string | undefined
  /** Whether the ffmpeg of 2018 inside `@ffmpeg-installer/ffmpeg` may serve; no unless said. Never in production. */
  readonly allowFallback?: boolean | undefined
  /** How the host looks npm packages up: `packagesOf(import.meta.url)`. No package is looked for when it is left out. */
  readonly resolvePackage?: ResolvePackage | undefined
  /** Folders to search, as in the environment's PATH. */
  readonly searchPath?: string | undefined
}

/** A program that can encode, and what stands before it on the command line to bound it. */
export interface Ffmpeg extends EngineHealth {
  readonly launcher: ReadonlyArray<string>
}

interface Candidate {
  readonly source: string
  readonly path: string
  readonly warning?: string
}

/** Address space for one ffmpeg. The largest allowed GIF took 0.7 GB of it with 5.1, and 2.1 GB with 7.0. */
const addressSpace_bytes = 4_294_967_296
const cpuSeconds = 600
const answerWithin_ms = 10_000

const howToInstall = "Install one (apt-get install ffmpeg, or npm install ffmpeg-static), or name it in LOOPBOX_FFMPEG."

const PackageExport = Schema.Union([Schema.String, Schema.Struct({ path: Schema.String })])

/** Looks packages up as the module at this URL would: pass `import.meta.url`. */
export const packagesOf = (moduleUrl: string): ResolvePackage => {
  const require = createRequire(moduleUrl)
  const load = Option.liftThrowable((name: FfmpegPackage): unknown => require(name))
  return (name) =>
    load(name).pipe(
      Option.flatMap(Schema.decodeUnknownOption(PackageExport)),
      Option.map((exported) => (typeof exported === "string" ? exported : exported.path))
    )
}

const isExecutable = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  }).pipe(Effect.orElseSucceed(() => false))

const foldersOf = (searchPath: string | undefined): ReadonlyArray<string> =>
  (searchPath ?? process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)

const findOnPath = (name: string, searchPath: string | undefined): Effect.Effect<string | undefined> =>
  Effect.findFirst(
    foldersOf(searchPath).map((folder) => join(folder, name)),
    isExecutable
  ).pipe(Effect.map(Option.getOrUndefined))

/** What a short call of a program prints. */
const outputOf = (command: ReadonlyArray<string>): Effect.Effect<string, string> =>
  Effect.callback((resume) => {
    const [program = "", ...args] = command
    const options = { env: {}, timeout: answerWithin_ms, maxBuffer: 1_048_576 }
    const child = execFile(program, args, options, (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(error.message.slice(0, 500)))
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

/** `setpriv` and `prlimit`, when both are there and do what we ask: the one of BusyBox does not. */
const findLauncher = Effect.fnUntraced(function* (path: string, searchPath: string | undefined) {
  const setpriv = yield* findOnPath("setpriv", searchPath)
  const prlimit = yield* findOnPath("prlimit", searchPath)
  if (setpriv === undefined || prlimit === undefined) return []
  const limits = [`--as=${addressSpace_bytes}`, `--cpu=${cpuSeconds}`, "--nofile=64", "--core=0", "--"]
  const launcher = [setpriv, "--pdeathsig", "KILL", prlimit, ...limits]
  return yield* outputOf([...launcher, path, "-version"]).pipe(
    Effect.as(launcher),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
})

/** Fails with what the program lacks. */
const examine = Effect.fnUntraced(function* (candidate: Candidate, searchPath: string | undefined) {
  const { path, source } = candidate
  const [version, encoders, filters, launcher] = yield* Effect.all(
    [
      outputOf([path, "-version"]),
      outputOf([path, "-hide_banner", "-encoders"]),
      outputOf([path, "-hide_banner", "-filters"]),
      findLauncher(path, searchPath)
    ],
    { concurrency: 2 }
  )
  if (!/\blibx264\b/.test(encoders)) return yield* Effect.fail("has no encoder libx264")
  if (!/\btpad\b/.test(filters)) return yield* Effect.fail("has no filter tpad, so it is older than 4.1")
  const unbounded =
    "setpriv and prlimit (util-linux) are not here: an encoder may outlive a killed worker, and has no memory limit."
  const found: Ffmpeg = {
    path,
    source,
    version: /^ffmpeg version (\S+)/.exec(version)?.[1] ?? "unknown",
    launcher,
    warnings: [
      ...(candidate.warning === undefined ? [] : [candidate.warning]),
      ...(launcher.length === 0 ? [unbounded] : [])
    ]
  }
  return found
})

const fallbackWarning = `This is the ffmpeg of 2018 out of @ffmpeg-installer/ffmpeg, for trying Loopbox out: it has had no fixes since. ${howToInstall}`

const candidatesOf = Effect.fnUntraced(function* (options: FindFfmpegOptions) {
  if (options.ffmpeg !== undefined) return [{ source: "LOOPBOX_FFMPEG", path: resolve(options.ffmpeg) }]
  const packaged = (name: FfmpegPackage) => options.resolvePackage?.(name).pipe(Option.getOrUndefined)
  const carried = packaged("ffmpeg-static")
  const onPath = yield* findOnPath("ffmpeg", options.searchPath)
  const fallback = options.allowFallback === true ? packaged("@ffmpeg-installer/ffmpeg") : undefined
  const candidates: ReadonlyArray<Candidate> = [
    // With install scripts switched off the package names a file that is not there.
    ...(carried !== undefined && (yield* isExecutable(carried)) ? [{ source: "ffmpeg-static", path: carried }] : []),
    ...(onPath === undefined ? [] : [{ source: "PATH", path: onPath }]),
    ...(fallback !== undefined && (yield* isExecutable(fallback))
      ? [{ source: "@ffmpeg-installer/ffmpeg", path: fallback, warning: fallbackWarning }]
      : [])
  ]
  return candidates
})

/** Fails when `LOOPBOX_FFMPEG` names no program: a start must not fall through to another one. */
export const requireNamed = Effect.fnUntraced(function* (options: FindFfmpegOptions) {
  if (options.ffmpeg === undefined || (yield* isExecutable(options.ffmpeg))) return
  return yield* new EngineMissing({ detail: `LOOPBOX_FFMPEG names no program: ${options.ffmpeg}` })
})

/**
 * Finds the ffmpeg to use: `LOOPBOX_FFMPEG`, else `ffmpeg-static`, else the PATH, else, where allowed,
 * `@ffmpeg-installer/ffmpeg`. The first that has libx264 and tpad serves.
 */
export const findFfmpeg = Effect.fn("findFfmpeg")(function* (options: FindFfmpegOptions) {
  const lacking: Array<string> = []
  for (const candidate of yield* candidatesOf(options)) {
    const found = yield* examine(candidate, options.searchPath).pipe(
      Effect.catch((lacks) =>
        Effect.sync(() => void lacking.push(`${candidate.path} (${candidate.source}): ${lacks}.`))
      )
    )
    if (found !== undefined) return { ...found, warnings: [...found.warnings, ...lacking] }
  }
  return yield* new EngineMissing({
    detail: ["No ffmpeg that can encode was found.", ...lacking, howToInstall].join(" ")
  })
})
