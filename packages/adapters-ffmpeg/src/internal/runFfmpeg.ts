import { spawn } from "node:child_process"
import type { ChildProcessByStdio } from "node:child_process"
import { setPriority } from "node:os"
import type { Readable } from "node:stream"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Ffmpeg } from "../findFfmpeg.ts"
import { makeProgressReader } from "./progress.ts"
import type { ProgressReader } from "./progress.ts"

/** How one ffmpeg ended. */
export interface FfmpegExit {
  readonly code: number | null
  readonly signal: string | null
  /** Pictures that it had written. */
  readonly pictures: number
  /** Whether it was stopped because its file grew over the limit. */
  readonly isTooLarge: boolean
  /** The last 4 KB of what it complained about; for logs. */
  readonly complaint: string
}

export interface FfmpegRun {
  readonly ffmpeg: Ffmpeg
  readonly args: ReadonlyArray<string>
  /** Working folder; the names in `args` are relative to it. */
  readonly folder: string
  readonly maxOutput_bytes: number
  /** Called from the reader of the program's output; must be quick. */
  readonly onProgress: (progress: ProgressReader) => void
}

/** Customers' jobs wait for the host's requests, not the other way about. */
const niceness = 5
const complaint_chars = 4096

type Child = ChildProcessByStdio<null, Readable, Readable>

interface Started {
  readonly child: Child
  readonly exit: Deferred.Deferred<FfmpegExit, EncodeFailed>
}

const isAlive = (child: Child): boolean => child.exitCode === null && child.signalCode === null

/** The whole group, so that nothing that the program started stays either. It may be gone already. */
const kill = (child: Child) =>
  Result.try(() => isAlive(child) && child.pid !== undefined && process.kill(-child.pid, "SIGKILL"))

const notStarted = (cause: unknown) =>
  new EncodeFailed({ reason: "MachineFailed", detail: `ffmpeg did not start: ${cause}` })

const start = (run: FfmpegRun): Effect.Effect<Started, EncodeFailed> =>
  Effect.try({ try: () => spawnFfmpeg(run), catch: notStarted })

const spawnFfmpeg = (run: FfmpegRun): Started => {
  const [program, ...before] = [...run.ffmpeg.launcher, run.ffmpeg.path]
  const exit = Deferred.makeUnsafe<FfmpegExit, EncodeFailed>()
  const progress = makeProgressReader()
  let isTooLarge = false
  let complaint = ""
  const child = spawn(program, [...before, ...run.args], {
    cwd: run.folder,
    // Its own process group, and nothing of our environment: it holds secrets.
    detached: true,
    env: {},
    stdio: ["ignore", "pipe", "pipe"]
  })
  child.stdout.setEncoding("latin1").on("data", (text: string) => {
    progress.push(text)
    run.onProgress(progress)
    if (progress.size_bytes() <= run.maxOutput_bytes || isTooLarge) return
    isTooLarge = true
    kill(child)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaint_chars)
  })
  child.once("error", (error) => {
    Deferred.doneUnsafe(exit, notStarted(error.message))
  })
  child.once("close", (code, signal) => {
    const pictures = progress.pictures()
    Deferred.doneUnsafe(exit, Effect.succeed({ code, signal, pictures, isTooLarge, complaint }))
  })
  return { child, exit }
}

/** Interruption kills the program and waits until it is gone: only then may its folder be removed. */
const stop = ({ child, exit }: Started): Effect.Effect<void> =>
  Effect.suspend(() =>
    isAlive(child)
      ? Effect.sync(() => kill(child)).pipe(Effect.andThen(Effect.exit(Deferred.await(exit))), Effect.asVoid)
      : Effect.void
  )

/** Runs one ffmpeg to its end. It never outlives the effect. */
export const runFfmpeg = (run: FfmpegRun): Effect.Effect<FfmpegExit, EncodeFailed> =>
  Effect.acquireUseRelease(
    start(run),
    ({ child, exit }) =>
      Effect.try(() => child.pid !== undefined && setPriority(child.pid, niceness)).pipe(
        Effect.ignore,
        Effect.andThen(Deferred.await(exit))
      ),
    stop
  )
