/** Files that no program writes, made from GIFs by damage: each is judged, quickly, and what is admitted is written anew. */
import { assert } from "@effect/vitest"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { makeGifScan, scanGif } from "@loopbox/core/media/gif/scanGif"
import { animatedGif, commentOf, joinBytes, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { makeRandom, type Random } from "@loopbox/testing/fixtures/seeded"
import { Result } from "effect"

/** What a file of some KiB may cost; hundreds of times what it does. */
const longestMillis = 500

const samples: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>] = [
  animatedGif([10, 20], { width: 4, height: 4 }),
  animatedGif([3], { width: 3, height: 1 }),
  sampleGif({
    width: 20,
    height: 10,
    before: commentOf(300),
    images: [
      { delay_cs: 0, disposal: 2, transparentIndex: 3 },
      { delay_cs: undefined, left: 5, top: 5, width: 4, height: 4, palette: [1, 2, 3, 4, 5, 6], isInterlaced: true },
      { delay_cs: 40, data: Uint8Array.of(2, 1, 0xff, 0) },
      { delay_cs: 3, disposal: 4, left: 30 },
      { delay_cs: 7, codeSize: 8 }
    ]
  })
]

/** Bytes that mean something in a GIF: blocks, extensions, sizes and ends. */
const telling: readonly [number, ...ReadonlyArray<number>] = [
  0, 1, 2, 8, 11, 12, 0x21, 0x2c, 0x3b, 0x7f, 0x80, 0xf9, 0xfe, 0xff
]

const damage = (random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array => {
  const at = random.below(bytes.length + 1)
  const changed = Uint8Array.from(bytes)
  switch (random.below(8)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return joinBytes([bytes.subarray(0, at), bytes.subarray(at + random.below(30))])
    case 2: {
      const from = random.below(other.length)
      return joinBytes([bytes.subarray(0, at), other.subarray(from, from + random.below(80)), bytes.subarray(at)])
    }
    case 3:
      // The canvas and its flags.
      if (changed.length > 12) changed[6 + random.below(6)] = random.below(256)
      return changed
    case 4:
      if (at < changed.length) changed[at] = random.below(256)
      return changed
    default:
      if (at < changed.length) changed[at] = random.pick(telling)
      return changed
  }
}

/** In pieces of any size: a scanner is given what a connection brings. */
const scanInPieces = (random: Random, bytes: Uint8Array) => {
  const scan = makeGifScan({ followsData: true })
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + random.below(40))
    scan.push(bytes.subarray(at, end))
    at = end
  }
  return scan.finish()
}

const check = (random: Random, bytes: Uint8Array): boolean => {
  const facts = scanGif(bytes)
  if (random.chance(0.2)) assert.deepStrictEqual(scanInPieces(random, bytes), facts)
  if (Result.isFailure(facts)) return false
  const pieces = canonicalPieces(facts.success, "#12C8F0")
  const canonical = makeCanonicalWriter(pieces).push(bytes)
  const again = scanGif(canonical)
  assert.isTrue(Result.isSuccess(again), "what was written anew is no GIF")
  if (Result.isFailure(again)) return false
  assert.strictEqual(again.success.images.length, facts.success.images.length, "images")
  assert.strictEqual(again.success.cycle_cs, facts.success.cycle_cs, "how long it plays")
  return true
}

/** Milliseconds of this process's own work, however slow the machine is with that of others. */
const worked = (self: () => void): number => {
  const before = process.cpuUsage()
  self()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

/** Judges the files of the seeds from `from` on; how many were admitted. */
export const fuzzGifs = ({ count, from }: { readonly from: number; readonly count: number }): number => {
  let admitted = 0
  for (let seed = from; seed < from + count; seed++) {
    const random = makeRandom(seed)
    const any = () => random.pick(samples)
    let bytes = any()
    for (let left = 1 + random.below(4); left > 0; left--) bytes = damage(random, bytes, any())
    const judge = () => {
      try {
        if (check(random, bytes)) admitted += 1
      } catch (error) {
        throw new Error(`seed ${seed}: ${Buffer.from(bytes).toString("hex")}`, { cause: error })
      }
    }
    // A collector of garbage counts too: what is slow by itself is so again.
    const slow = worked(judge) > longestMillis && worked(judge) > longestMillis && worked(judge) > longestMillis
    assert.isFalse(slow, `seed ${seed} takes more than ${longestMillis} ms`)
  }
  return admitted
}
