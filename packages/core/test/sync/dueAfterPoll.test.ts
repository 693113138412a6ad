import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option } from "effect"
import * as fc from "fast-check"
import { dueAfterPoll } from "../../src/sync/dueAfterPoll.ts"
import { newPollState } from "../../src/sync/SyncRun.ts"

const now = DateTime.makeUnsafe("2026-11-24T12:00:00.000Z")
const moment = fc.integer({ min: -86_400, max: 86_400 }).map((seconds) => DateTime.add(now, { seconds }))
const maybe = fc.option(moment, { nil: undefined }).map(Option.fromUndefinedOr)
const life = fc.record({ aliveAt: moment, every: fc.integer({ min: 1, max: 7_200 }).map(Duration.seconds) })
const noted = fc.record({ aliveAt: maybe, dueAt: maybe })

describe("When an account is polled next after a poll", () => {
  it("is when that says; who says nothing leaves it due as it was, or now", () => {
    fc.assert(
      fc.property(maybe, noted, (nextPollAt, before) => {
        const due = dueAfterPoll({ nextPollAt, state: newPollState }, before, now)
        const wanted = Option.getOrElse(Option.isSome(nextPollAt) ? nextPollAt : before.dueAt, () => now)
        assert.deepStrictEqual(due, wanted)
      })
    )
  })

  it("is within the interval of news that it knew nothing of, and no later for them", () => {
    fc.assert(
      fc.property(moment, noted, life, (next, before, told) => {
        const settled = { life: told, nextPollAt: Option.some(next), state: newPollState }
        const due = dueAfterPoll(settled, before, now)
        const news = Option.filter(before.aliveAt, DateTime.isGreaterThan(told.aliveAt))
        const latest = Option.map(news, (at) => DateTime.addDuration(at, told.every))
        assert.isTrue(DateTime.isLessThanOrEqualTo(due, next))
        assert.isFalse(Option.exists(latest, DateTime.isLessThan(due)))
        if (Option.isNone(latest)) assert.deepStrictEqual(due, next)
      })
    )
  })

  it("is not before a network that asks to wait allows it", () => {
    const error = { step: "token", code: "RATE_LIMITED", message: "", retryAt: Option.none() } as const
    fc.assert(
      fc.property(moment, noted, life, (next, before, told) => {
        const state = { ...newPollState, wait: Option.some({ until: next, error }) }
        assert.deepStrictEqual(dueAfterPoll({ life: told, nextPollAt: Option.some(next), state }, before, now), next)
      })
    )
  })
})
