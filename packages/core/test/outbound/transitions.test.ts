import { testNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Option } from "effect"
import * as fc from "fast-check"
import { OutcomeUnknown as Unknown, RateLimited, Rejected, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { InboxItemId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { deadlineOf, OutboundOperation, statusOf, Waiting } from "../../src/outbound/OutboundOperation.ts"
import type { OperationStatus } from "../../src/items/ShownOperation.ts"
import * as transitions from "../../src/outbound/transitions.ts"
import { noon, posted } from "@loopbox/testing/fixtures/activities"

const body = "0".repeat(26)

const operationOf = (key: string | undefined, source: "ig_comment" | "threads_reply" = "ig_comment") =>
  new OutboundOperation({
    id: OutboundOperationId.make(`op_${body}`),
    workspaceId: WorkspaceId.make(`ws_${body}`),
    accountId: SocialAccountId.make(`acc_${body}`),
    itemId: InboxItemId.make(`itm_${body}`),
    source,
    idempotencyKey: Option.map(Option.fromUndefinedOr(key), (text) => IdempotencyKey.make(text)),
    text: "Yes",
    target: { externalId: "c1", replyTargetId: "c1", threadKey: "c1", linkedPostId: Option.none() },
    attempts: 0,
    state: new Waiting({ since: noon }),
    createdAt: noon,
    updatedAt: noon
  })

const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const
const errors = {
  unknown: new Unknown(about),
  refused: new Rejected({ ...about, reason: "blocked" }),
  limited: new RateLimited({ ...about, retryAt: Option.none() }),
  away: new Unavailable({ ...about, reason: "upstream" })
}
const post = posted({ externalId: "r1", isOwn: true })

type Step = (operation: OutboundOperation, now: DateTime.Utc) => OutboundOperation

/** Everything that may be done to an operation, in whatever order it comes. */
const steps: Record<string, Step> = {
  begin: transitions.begin,
  expire: transitions.expire,
  rearm: transitions.rearm,
  prepared: (operation) => transitions.prepared(operation, "container"),
  uncertain: transitions.uncertain,
  unknown: (operation, now) => transitions.failed(operation, errors.unknown, now),
  refused: (operation, now) => transitions.failed(operation, errors.refused, now),
  limited: (operation, now) => transitions.failed(operation, errors.limited, now),
  away: (operation, now) => transitions.failed(operation, errors.away, now),
  accepted: (operation, now) => transitions.accepted(operation, post, now),
  completed: (operation, now) => transitions.completed(operation, { externalId: "r1", itemId: Option.none() }, now),
  storeLater: transitions.storeLater,
  looked: transitions.looked,
  hastened: transitions.hastened,
  unreconciled: transitions.unreconciled,
  cameToNothing: transitions.cameToNothing,
  neverPublished: transitions.neverPublished
}

/** The picture of design §6. */
const follows: Record<OperationStatus, ReadonlyArray<OperationStatus>> = {
  pending: ["pending", "sending", "rejected"],
  sending: ["sending", "pending", "outcome_unknown", "remote_succeeded", "rejected", "needs_reconciliation"],
  outcome_unknown: ["outcome_unknown", "remote_succeeded", "completed", "rejected", "needs_reconciliation"],
  remote_succeeded: ["remote_succeeded", "completed"],
  completed: ["completed"],
  rejected: ["rejected"],
  needs_reconciliation: ["needs_reconciliation"]
}

const walk = fc.record({
  key: fc.option(fc.constant("k"), { nil: undefined }),
  path: fc.array(
    fc.record({
      name: fc.constantFrom(...Object.keys(steps)),
      seconds: fc.oneof(fc.nat(70), fc.nat(90_000))
    }),
    { maxLength: 30 }
  )
})

describe("the states of a reply (design §6)", () => {
  it("follow each other only as in the diagram, in any order of calls", () => {
    fc.assert(
      fc.property(walk, ({ key, path }) => {
        let operation = operationOf(key)
        let now = noon
        let hasBegun = 0
        for (const { name, seconds } of path) {
          now = DateTime.add(now, { seconds })
          const before = operation
          operation = steps[name]?.(before, now) ?? before
          const [from, to] = [statusOf(before), statusOf(operation)]
          assert.include(follows[from], to, name)
          if (from !== "sending" && to === "sending") hasBegun += 1
          assert.strictEqual(operation.attempts, hasBegun)
          // Bytes may have gone out: from then on nothing makes it one that is sent.
          if (from === "outcome_unknown") assert.notInclude(["pending", "sending"], to)
          // Only what has ended has no more to come, and what ended stays as it is.
          assert.strictEqual(Option.isSome(transitions.dueAt(operation)), Option.isNone(transitions.endOf(operation)))
          if (Option.isSome(transitions.endOf(before))) assert.strictEqual(operation, before)
          if (before.state._tag === "Waiting" && operation.state._tag === "Sending") {
            assert.isTrue(DateTime.isLessThan(now, DateTime.add(before.state.since, { seconds: 60 })))
          }
          if (operation.state._tag === "Held") assert.isTrue(Option.isSome(operation.idempotencyKey))
        }
      })
    )
  })

  it("are looked after at 5, 15 and 60 seconds, 5, 15 and 29 minutes, and at the deadline for the last time", () => {
    let operation = transitions.uncertain(transitions.begin(operationOf("k"), noon), noon)
    const moments: Array<number> = []
    while (operation.state._tag === "OutcomeUnknown") {
      const due = Option.getOrThrow(transitions.dueAt(operation))
      moments.push(Duration.toSeconds(DateTime.distance(noon, due)))
      assert.isFalse(transitions.isLookDue(operation, DateTime.subtract(due, { milliseconds: 1 })))
      assert.isTrue(transitions.isLookDue(operation, due))
      const begun = transitions.begin(operation, due)
      operation = begun === operation ? transitions.looked(operation, due) : begun
    }
    assert.deepStrictEqual(moments, [5, 15, 60, 300, 900, 1740, 1800])
    assert.strictEqual(operation.state._tag, "NeedsReconciliation")
    assert.deepStrictEqual(Duration.toMinutes(DateTime.distance(noon, deadlineOf(noon))), 30)
  })

  it("are looked for once even where every worker was away until after the deadline", () => {
    const late = DateTime.add(noon, { hours: 2 })
    const lost = transitions.begin(transitions.begin(operationOf("k"), noon), late)
    assert.strictEqual(transitions.begin(lost, late).state._tag, "OutcomeUnknown")
    assert.strictEqual(transitions.looked(lost, late).state._tag, "NeedsReconciliation")
  })

  it("expire at 60 seconds untried and at 24 hours held, and not a millisecond before", () => {
    const waiting = operationOf("k")
    const at = (time: Duration.Input) => DateTime.addDuration(noon, time)
    assert.strictEqual(transitions.expire(waiting, at("59999 millis")).state._tag, "Waiting")
    assert.strictEqual(transitions.begin(waiting, at("59999 millis")).state._tag, "Sending")
    assert.strictEqual(transitions.begin(waiting, at("60 seconds")).state._tag, "Rejected")
    const held = transitions.failed(transitions.begin(waiting, noon), errors.limited, noon)
    assert.strictEqual(transitions.expire(held, at("86399999 millis")).state._tag, "Held")
    assert.strictEqual(transitions.expire(held, at("24 hours")).state._tag, "Rejected")
    assert.strictEqual(transitions.rearm(held, at("1 hour")).state._tag, "Waiting")
  })

  it("let a container that was never kept be made again within a minute of its attempt, and never later (Threads)", () => {
    const lost = transitions.begin(transitions.begin(operationOf("k", "threads_reply"), noon), noon)
    assert.strictEqual(
      transitions.unpublished(testNetworks.traitsOf(lost.source), lost, DateTime.add(noon, { seconds: 59 })),
      "again"
    )
    assert.strictEqual(
      transitions.unpublished(testNetworks.traitsOf(lost.source), lost, DateTime.add(noon, { seconds: 60 })),
      "never"
    )
    const kept = transitions.prepared(lost, "container")
    assert.isUndefined(transitions.unpublished(testNetworks.traitsOf(kept.source), kept, noon))
    const other = transitions.begin(transitions.begin(operationOf("k"), noon), noon)
    assert.isUndefined(transitions.unpublished(testNetworks.traitsOf(other.source), other, noon))
  })
})
