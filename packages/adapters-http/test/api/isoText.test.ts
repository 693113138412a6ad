import { toIsoText } from "../../src/api/isoText.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"

/** As far from 1970 as a `Date` reaches. */
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8.64e15 }))

describe("times on the wire", () => {
  const check = (epochMilliseconds: number) => {
    const time = DateTime.makeUnsafe(epochMilliseconds)
    assert.strictEqual(toIsoText(time), DateTime.formatIso(time))
  }

  it("are RFC 3339 in UTC with milliseconds", () => {
    for (const text of [
      "2026-11-21T07:00:00.000Z",
      "2026-11-21T23:59:59.999Z",
      "2026-11-22T00:00:00.000Z",
      "2024-02-29T12:34:56.078Z",
      "1969-12-31T23:59:59.999Z",
      "0001-01-01T00:00:00.000Z",
      "0999-12-31T23:59:59.999Z",
      "1000-01-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
      "+010000-01-01T00:00:00.000Z"
    ]) {
      assert.strictEqual(toIsoText(DateTime.makeUnsafe(text)), text)
    }
  })

  it.prop("are what effect writes, for any time that there is", { millis: Millis }, ({ millis }) => {
    check(millis)
    check(-millis)
  })
})
