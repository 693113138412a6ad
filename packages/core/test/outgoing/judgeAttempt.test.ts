import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option } from "effect"
import * as FastCheck from "fast-check"
import { OutgoingEndpointId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { mostAttempts, pauseAfter } from "../../src/outgoing/deliverySchedule.ts"
import { judgeAttempt } from "../../src/outgoing/judgeAttempt.ts"
import type { AttemptRecord } from "../../src/outgoing/OutgoingDelivery.ts"
import { OutgoingEndpoint } from "../../src/outgoing/OutgoingEndpoint.ts"

const noon = DateTime.makeUnsafe("2026-11-23T12:00:00.000Z")

const fresh = new OutgoingEndpoint({
  id: OutgoingEndpointId.make("whe_01k9j8m2x4v6q8s0t2w4y6z8ab"),
  workspaceId: WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ab"),
  url: "https://example.com/hook",
  events: Option.none(),
  externalUserId: Option.none(),
  description: Option.none(),
  status: "enabled",
  statusReason: Option.none(),
  isOrdered: false,
  createdAt: noon,
  lastSuccessAt: Option.none(),
  lastFailureAt: Option.none(),
  failingSince: Option.none(),
  failuresInRow: 0
})

const answered = (status: number): AttemptRecord => ({
  at: noon,
  status: Option.some(status),
  duration_ms: 5,
  response: Option.some(""),
  error: Option.none()
})
const unanswered: AttemptRecord = { ...answered(0), status: Option.none(), error: Option.some("timeout") }

/** One delivery after the other fails for so long; each attempt at its time. */
const failUntil = (endpoint: OutgoingEndpoint, days: number) => {
  let [now, state, attemptsInSchedule] = [noon, endpoint, 0]
  const announced: Array<string> = []
  while (DateTime.isLessThan(now, DateTime.add(noon, { days })) && state.status !== "disabled") {
    const judged = judgeAttempt(state, { attemptsInSchedule }, unanswered, { at: now, random: 0.5 })
    state = judged.endpoint
    if (judged.events.length > 0) announced.push(`${state.status} on attempt ${attemptsInSchedule + 1}`)
    attemptsInSchedule = judged.status === "pending" ? judged.attemptsInSchedule : 0
    now = Option.getOrElse(judged.nextAttemptAt, () => DateTime.add(now, { hours: 1 }))
  }
  return { state, announced, now }
}

describe("the schedule of a delivery", () => {
  it("is eleven pauses of 51 hours and 42 minutes and 35 seconds, each within a tenth", () => {
    const middle = Array.from({ length: 11 }, (_, n) => Option.getOrThrow(pauseAfter(n + 1, 0.5)))
    const hours = middle.reduce((sum, pause) => sum + Duration.toMillis(pause), 0) / 3_600_000
    assert.closeTo(hours, 51 + 42 / 60 + 35 / 3600, 1e-9)
    assert.isTrue(Option.isNone(pauseAfter(mostAttempts, 0)))
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 1, max: 11 }),
        FastCheck.double({ min: 0, max: 0.999, noNaN: true }),
        (n, random) => {
          const [low, high] = [0, 1].map((edge) => Duration.toMillis(Option.getOrThrow(pauseAfter(n, edge))))
          const pause = Duration.toMillis(Option.getOrThrow(pauseAfter(n, random)))
          assert.isTrue(low !== undefined && high !== undefined && low <= pause && pause <= high)
        }
      )
    )
    assert.deepStrictEqual(
      [0, 1].map((edge) => Duration.toMillis(Option.getOrThrow(pauseAfter(1, edge)))),
      [4_500, 5_500]
    )
  })
})

describe("an attempt", () => {
  it("delivers by any 2xx, and makes a failing endpoint sound again", () => {
    const failing = failUntil(fresh, 1).state
    assert.strictEqual(failing.status, "failing")
    const judged = judgeAttempt(failing, { attemptsInSchedule: 3 }, answered(204), { at: noon, random: 0 })
    assert.deepStrictEqual(
      [judged.status, judged.nextAttemptAt, judged.events.length > 0],
      ["delivered", Option.none(), false]
    )
    const { failingSince, failuresInRow, lastSuccessAt, status } = judged.endpoint
    assert.deepStrictEqual(
      { failingSince, failuresInRow, lastSuccessAt, status },
      {
        failingSince: Option.none(),
        failuresInRow: 0,
        lastSuccessAt: Option.some(noon),
        status: "enabled"
      }
    )
  })

  it("fails by every other answer and by none, and waits from its end", () => {
    for (const attempt of [answered(199), answered(301), answered(404), answered(500), unanswered]) {
      const judged = judgeAttempt(fresh, { attemptsInSchedule: 0 }, attempt, { at: noon, random: 0.5 })
      assert.deepStrictEqual(judged.nextAttemptAt, Option.some(DateTime.add(noon, { seconds: 5 })))
      assert.deepStrictEqual([judged.status, judged.endpoint.status], ["pending", "enabled"])
    }
  })

  it("disables the endpoint by 410, at once and with the event", () => {
    const judged = judgeAttempt(fresh, { attemptsInSchedule: 0 }, answered(410), { at: noon, random: 0 })
    assert.deepStrictEqual([judged.status, judged.events.length > 0], ["failed", true])
    assert.deepStrictEqual([judged.endpoint.status, judged.endpoint.statusReason], ["disabled", Option.some("gone")])
  })

  it("makes it failing with the tenth in a row, and disables it after five days of nothing but failures", () => {
    const { announced, now, state } = failUntil(fresh, 10)
    assert.deepStrictEqual(announced[0], "failing on attempt 10")
    assert.strictEqual(announced.length, 2)
    assert.deepStrictEqual(state.statusReason, Option.some("failures"))
    assert.isTrue(DateTime.isGreaterThanOrEqualTo(now, DateTime.add(noon, { days: 5 })))
  })

  it("makes it failing when a delivery has failed for good, however few failures came before", () => {
    const judged = judgeAttempt(fresh, { attemptsInSchedule: 11 }, unanswered, { at: noon, random: 0 })
    assert.deepStrictEqual(
      [judged.status, judged.endpoint.status, judged.events.length > 0],
      ["failed", "failing", true]
    )
  })

  it("leaves an endpoint disabled that was disabled while it ran", () => {
    const disabled = new OutgoingEndpoint({ ...fresh, status: "disabled", statusReason: Option.some("requested") })
    for (const attempt of [answered(200), answered(500)]) {
      const judged = judgeAttempt(disabled, { attemptsInSchedule: 0 }, attempt, { at: noon, random: 0 })
      assert.deepStrictEqual([judged.endpoint.status, judged.events.length > 0], ["disabled", false])
      assert.deepStrictEqual(judged.nextAttemptAt, Option.none())
    }
  })
})
