import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceId } from "../../src/kernel/Ids.ts"
import { makePutOffs } from "../../src/outgoing/putOffs.ts"

const workspace = (n: number) => WorkspaceId.make(`ws_${String(n).padStart(26, "0")}`)
const [one, other] = [workspace(1), workspace(2)]

describe("workspaces that are put off", () => {
  it.effect("wait longer with each fault in a row, and not at all after a success", () =>
    Effect.gen(function* () {
      const putOffs = yield* makePutOffs
      assert.isTrue(putOffs.isDue(one))
      for (const seconds of [1, 2, 4]) {
        assert.strictEqual(Duration.toSeconds(putOffs.putOff(one)), seconds)
        assert.isFalse(putOffs.isDue(one))
        assert.isTrue(putOffs.isDue(other))
        yield* TestClock.adjust(Duration.seconds(seconds))
        assert.isTrue(putOffs.isDue(one))
      }
      putOffs.clear(one)
      assert.strictEqual(Duration.toSeconds(putOffs.putOff(one)), 1)
    })
  )

  it.effect("are forgotten an hour after they were due and nobody tried them: they were erased", () =>
    Effect.gen(function* () {
      const putOffs = yield* makePutOffs
      for (let n = 10; n < 1_000; n++) putOffs.putOff(workspace(n))
      yield* TestClock.adjust("59 minutes")
      putOffs.putOff(one)
      assert.strictEqual(putOffs.size(), 991)
      yield* TestClock.adjust("2 minutes")
      putOffs.putOff(other)
      assert.strictEqual(putOffs.size(), 2)
    })
  )

  it.effect("are ten thousand at most, of whom those of the latest faults wait", () =>
    Effect.gen(function* () {
      const putOffs = yield* makePutOffs
      for (let n = 0; n < 10_050; n++) putOffs.putOff(workspace(n))
      assert.strictEqual(putOffs.size(), 10_000)
      assert.deepStrictEqual([putOffs.isDue(workspace(49)), putOffs.isDue(workspace(50))], [true, false])
    })
  )
})
