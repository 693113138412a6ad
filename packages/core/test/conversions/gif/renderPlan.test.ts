import { assert, describe, it } from "@effect/vitest"
import type { GifFacts, GifImage } from "@loopbox/core/media/gif/GifFacts"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import * as fc from "fast-check"

const image: GifImage = {
  left: 0,
  top: 0,
  width: 1,
  height: 1,
  isInterlaced: false,
  delay_cs: 10,
  disposal: "keep",
  transparentIndex: undefined,
  localColours: 0,
  paletteOffset: 0,
  dataOffset: 0,
  dataLength: 4,
  codeSize: 2,
  dataEnd: undefined,
  closestColours: undefined,
  isUsable: true
}

const factsOf = (facts: Partial<GifFacts>): GifFacts => ({
  version: "89a",
  width: 10,
  height: 10,
  globalPalette: new Uint8Array(6),
  images: [image, image],
  cycle_cs: 20,
  ...facts
})

const planOf = (facts: Partial<GifFacts>) => renderPlan(factsOf(facts), "#FFFFFF")

const side = fc.integer({ min: 1, max: 4096 })
const cycle = fc.integer({ min: 4, max: 6000 })

describe("renderPlan: time (§8.2)", () => {
  it.each([
    [7, { cycles: 72, pictures: 151, unit: { cycles: 10, pictures: 21, isRepeated: true } }],
    [37, { cycles: 14, pictures: 155, unit: { cycles: 10, pictures: 111, isRepeated: true } }],
    [490, { cycles: 2, pictures: 294, unit: { cycles: 1, pictures: 147, isRepeated: true } }],
    [499, { cycles: 2, pictures: 299, unit: { cycles: 2, pictures: 299, isRepeated: false } }],
    [500, { cycles: 1, pictures: 150, unit: { cycles: 1, pictures: 150, isRepeated: false } }],
    [6000, { cycles: 1, pictures: 1800, unit: { cycles: 1, pictures: 1800, isRepeated: false } }]
  ])("plans a cycle of %i cs", (cycle_cs, wanted) => assert.deepInclude(planOf({ cycle_cs }), wanted))

  it("shows a single image for five seconds, whatever its delay", () =>
    assert.deepInclude(planOf({ images: [image], cycle_cs: 65_535 }), { pictures: 150, duration_ms: 5000, cycles: 1 }))

  it("says how long the video is, not how long the GIF would take", () =>
    assert.deepInclude(planOf({ cycle_cs: 37 }), { pictures: 155, duration_ms: 5167 }))

  it("shows whole cycles, at least five seconds and 150 pictures of them, and no cycle too many", () => {
    fc.assert(
      fc.property(cycle, (cycle_cs) => {
        const plan = planOf({ cycle_cs })
        assert.isAtLeast(plan.cycles * cycle_cs, 500)
        assert.isAtLeast(plan.pictures, 150)
        if (plan.cycles > 1) assert.isBelow((plan.cycles - 1) * cycle_cs, 500)
        assert.isAtMost(Math.abs(plan.pictures * 10 - plan.cycles * cycle_cs * 3), 5)
      })
    )
  })

  it("repeats only a unit that ends exactly on a picture", () => {
    fc.assert(
      fc.property(cycle, (cycle_cs) => {
        const { pictures, unit } = planOf({ cycle_cs })
        assert.isTrue(Number.isInteger(unit.pictures))
        assert.isAtMost(unit.pictures, pictures)
        if (unit.isRepeated) assert.strictEqual(unit.pictures * 10, unit.cycles * cycle_cs * 3)
        else assert.strictEqual(unit.pictures, pictures)
      })
    )
  })
})

describe("renderPlan: size (§8.2)", () => {
  it.each([
    [[3, 5], [2, 4], "crop"],
    [[1, 1], [2, 2], "double"],
    [[1, 9], [2, 8], "double"],
    [[1920, 1080], [1920, 1080], "none"],
    [[1921, 1080], [1920, 1078], "shrink"],
    [[4096, 2], [1920, 2], "shrink"],
    [[4096, 1], [1920, 2], "shrink"],
    [[4096, 4096], [1920, 1920], "shrink"]
  ] as const)("makes %j to %j", ([width, height], wanted, resize) => {
    const plan = planOf({ width, height })
    assert.deepStrictEqual([plan.width, plan.height], [...wanted])
    assert.strictEqual(plan.resize, resize)
  })

  it("gives even sides of 2 to 1920 and never enlarges a side over 1", () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const plan = planOf({ width, height })
        for (const [made, given] of [
          [plan.width, width],
          [plan.height, height]
        ] as const) {
          assert.strictEqual(made % 2, 0)
          assert.isAtLeast(made, 2)
          assert.isAtMost(made, Math.max(2, Math.min(1920, given)))
        }
      })
    )
  })
})

describe("renderPlan: canvas", () => {
  it("cuts a canonical canvas that had to hold a wider image", () =>
    assert.isTrue(planOf({ images: [image, { ...image, width: 11 }] }).canvas.isCut))
})
