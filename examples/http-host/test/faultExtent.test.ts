import { Option } from "effect"
import { assert, it } from "vitest"
import { describeExtent } from "../src/cli/sandboxNetworks.ts"

it("says how often a fault happens, and not that it stays where it is over after one request", () => {
  const said = (times?: number, percent?: number) =>
    describeExtent({ times: Option.fromUndefinedOr(times), percent: Option.fromUndefinedOr(percent) })
  assert.strictEqual(said(), "from now on")
  assert.strictEqual(said(1), "once")
  assert.strictEqual(said(3), "3 times")
  assert.strictEqual(said(undefined, 30), "to 30 of 100 requests, from now on")
  assert.strictEqual(said(2, 30), "to 30 of 100 requests, 2 times")
})
