import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { convert } from "./support/convert.ts"
import { judgePictures } from "./support/judge.ts"
import { testFfmpeg } from "./support/programs.ts"
import { dotsGif, spriteGif } from "./support/spriteGif.ts"

const scratch = mkdtempSync(join(tmpdir(), "loopbox-ghosts-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** These left the worst ghosts of 300, up to 28 of 255. */
const sprites = [6, 7, 17, 24].map((seed) => ({ name: `sprite-${seed}`, ...spriteGif(seed) }))
/** These up to 15 where chroma is quantised as coarsely as x264 does by itself. */
const dots = [0, 2, 4, 6].map((seed) => ({ name: `dots-${seed}`, ...dotsGif(seed) }))

if (testFfmpeg === undefined) {
  describe("what is erased on a saturated background", () =>
    it.skip("needs an ffmpeg: apt-get install ffmpeg, or LOOPBOX_FFMPEG", () => undefined))
} else {
  const encoder = FfmpegEncoder.layer({ scratch, ffmpeg: testFfmpeg.path, allowFallback: false })
  layer(encoder, { excludeTestServices: true })("what is erased on a saturated background", (it) => {
    it.effect.each([...sprites, ...dots])("leaves no ghost: $name", ({ background, gif, name }) =>
      Effect.gen(function* () {
        const { path, plan } = yield* convert(gif, background, { name })
        const judged = judgePictures(gif, path, plan, { count: 60, meanTolerance: 255 })
        assert.deepStrictEqual(yield* Effect.promise(() => judged), [])
      })
    )
  })
}
