import { concatList, repeatArguments, unitArguments } from "@loopbox/adapters-ffmpeg"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

const planOf = (delays_cs: ReadonlyArray<number>, width = 32, height = 32) =>
  renderPlan(Result.getOrThrow(scanGif(animatedGif(delays_cs, { width, height }))), "#12C8F0")

const filterOf = (width: number, height: number): string => {
  const args = unitArguments(planOf([10, 10], width, height))
  return args[args.indexOf("-vf") + 1] ?? ""
}

describe("arguments of universal_mp4_v1 (§8.2)", () => {
  it("force the demuxer, allow files only, and give the background to the decoder", () => {
    const args = unitArguments(planOf([10])).join(" ")
    assert.include(args, "-protocol_whitelist file")
    assert.include(args, "-f gif -i c.gif")
    assert.include(args, "-trans_color 0xFF12C8F0")
    assert.isTrue(args.endsWith("-movflags +faststart -use_editlist 0 -f mp4 u.mp4"))
  })

  it("read a short cycle often enough to end on a picture, each time with its exact length", () => {
    const plan = planOf([3, 4])
    assert.include(unitArguments(plan).join(" "), "-f concat -i l.txt")
    assert.strictEqual(concatList(plan)?.match(/file c\.gif\nduration 0\.07\n/g)?.length, 10)
    assert.include(unitArguments(plan).join(" "), "-frames:v 21 ")
    assert.include(repeatArguments(plan).join(" "), "-stream_loop 7 -i u.mp4")
    assert.include(repeatArguments(plan).join(" "), "-frames:v 151 ")
  })

  it("need no list when the cycle is read once", () => assert.isUndefined(concatList(planOf([250, 250]))))

  it.each([
    [32, 32, "scale=out_color_matrix"],
    [33, 15, "crop=32:14:0:0,scale=out_color_matrix"],
    [1, 9, "crop=1:8:0:0,scale=2:8:flags=neighbor"],
    [1, 1, "crop=1:1:0:0,scale=2:2:flags=neighbor"],
    [4096, 2, "scale=1920:2:flags=bicubic"]
  ])("resize %i×%i by %s", (width, height, filter) => assert.isTrue(filterOf(width, height).startsWith(filter)))
})
