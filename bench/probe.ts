import { execFile } from "node:child_process"
import { createWriteStream } from "node:fs"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { makeGifScan } from "@loopbox/core/media/gif/scanGif"
import { bigGifChunks } from "@loopbox/testing/fakes/gifSamples"
import { Result } from "effect"
import type { Benchmark } from "./Benchmark.ts"
import { median } from "./statistics.ts"

const size_bytes = 52_428_800
const rounds = 5

const milliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const scanFile = async (path: string): Promise<void> => {
  const scan = makeGifScan()
  const chunk = new Uint8Array(262_144)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length)
      if (bytesRead === 0) break
      scan.push(chunk.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
  Result.getOrThrow(scan.finish())
}

const probeFile = (path: string) =>
  promisify(execFile)("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", path])

/** Milliseconds to know everything about the largest allowed GIF, read from disk. */
export const probe: Benchmark = {
  name: "probe",
  description: "facts of a 50 MB GIF: our scanner against ffprobe -count_frames (how many times faster)",
  better: "higher",
  wanted: 5,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "loopbox-probe-"))
    try {
      const path = join(folder, "big.gif")
      await pipeline(Readable.from(bigGifChunks(size_bytes)), createWriteStream(path))
      const ours: Array<number> = []
      const theirs: Array<number> = []
      await scanFile(path)
      await probeFile(path)
      for (let round = 0; round < rounds; round++) {
        ours.push(await milliseconds(() => scanFile(path)))
        theirs.push(await milliseconds(() => probeFile(path)))
      }
      const [mine, baseline] = [median(ours), median(theirs)]
      return { ours: mine, baseline, unit: "ms", ratio: baseline / mine }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
