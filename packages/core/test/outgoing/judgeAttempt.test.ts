import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as FastCheck from "fast-check"
import { OutgoingEndpointId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { mostAttempts, retryAt } from "../../src/outgoing/deliverySchedule.ts"
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

const minutes_ms = 60_000
const pauses_ms = [5_000, 30_000, ...[2, 10, 30, 60, 120, 240, 480, 720, 1_440].map((count) => count * minutes_ms)]

/** After how many milliseconds a delivery of the endpoint is due again. */
const pauseAfter = (attempts: number, random: number, at = noon, id = fresh.id): number =>
  DateTime.toEpochMillis(Option.getOrThrow(retryAt(id, attempts, { at, random }))) - DateTime.toEpochMillis(at)

const anyRandom = FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const anyMoment = FastCheck.integer({ min: 0, max: 10_000 }).map((millis) =>
  DateTime.add(noon, { milliseconds: millis })
)
const anyEndpoint = FastCheck.stringMatching(/^whe_[0-7][0-9a-hjkmnp-tv-z]{25}$/).map((id) =>
  OutgoingEndpointId.make(id)
)

describe("the schedule of a delivery", () => {
  it("is eleven pauses, each within a tenth", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 1, max: 11 }),
        anyRandom,
        anyMoment,
        anyEndpoint,
        (attempts, random, at, id) => {
          const wanted = pauses_ms[attempts - 1] ?? 0
          const pause = pauseAfter(attempts, random, at, id)
          assert.isTrue(pause >= wanted * 0.9 && pause <= wanted * 1.1, `${pause} for ${wanted}`)
        }
      )
    )
    assert.isTrue(Option.isNone(retryAt(fresh.id, mostAttempts, { at: noon, random: 0 })))
  })

  it("spreads what fails at once over the tenth, and brings what is near each other together", () => {
    const long = Array.from({ length: 1_000 }, (_, n) => pauseAfter(6, n / 1_000))
    assert.isBelow(Math.min(...long), 55 * minutes_ms)
    assert.isAbove(Math.max(...long), 65 * minutes_ms)
    const moments = new Set(
      Array.from({ length: 1_000 }, (_, n) => {
        const at = DateTime.add(noon, { milliseconds: n })
        return pauseAfter(1, (n * 0.618) % 1, at) + n
      })
    )
    assert.isAtMost(moments.size, 5)
  })

  it("has endpoints' retries at moments of their own", () => {
    const ids = Array.from({ length: 20 }, (_, n) => OutgoingEndpointId.make(`${fresh.id.slice(0, -2)}${n + 10}`))
    assert.isAbove(new Set(ids.map((id) => pauseAfter(1, 0.5, noon, id))).size, 10)
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
      assert.deepStrictEqual(judged.nextAttemptAt, retryAt(fresh.id, 1, { at: noon, random: 0.5 }))
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
