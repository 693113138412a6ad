import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { OperationStatus } from "@loopbox/core/items/ShownOperation"
import { deadlineOf } from "@loopbox/core/outbound/OutboundOperation"
import { walk } from "../../src/fixtures/inboxFixtures.ts"
import type { ReplyNetwork } from "./ReplyNetwork.ts"
import type { ReplyTown } from "./ReplyTown.ts"

/** What design §6 draws. A worker that is lost between two steps may be seen to skip one. */
const follows: Record<OperationStatus, ReadonlyArray<OperationStatus>> = {
  pending: ["pending", "sending", "rejected"],
  sending: ["pending", "outcome_unknown", "remote_succeeded", "rejected", "needs_reconciliation"],
  outcome_unknown: ["remote_succeeded", "completed", "rejected", "needs_reconciliation"],
  remote_succeeded: ["completed"],
  completed: [],
  rejected: [],
  needs_reconciliation: []
}

const operationsOf = Effect.map(MemoryState, ({ inbox }) =>
  Array.from(inbox.accounts.values()).flatMap(({ operations }) =>
    Array.from(operations.values(), ({ operation }) => operation)
  )
)

/** How long after it was asked for an attempt may begin, and how long that attempt's last call may take to begin. */
const beginsWithin = { seconds: 60 } as const
const callsWithin = { seconds: 125 } as const

/** When attempts began, as readers were told. */
const beginningsOf = Effect.map(MemoryState, ({ inbox }) =>
  Map.groupBy(
    Array.from(inbox.logs.values()).flatMap(({ events }) =>
      events.flatMap(({ at, event }) =>
        event._tag === "ReplyUpdated" && event.operation.status === "sending" ? [{ id: event.operation.id, at }] : []
      )
    ),
    ({ id }) => id
  )
)

/** What must hold at every moment, whatever is under way. */
export const checkReplies = Effect.fnUntraced(function* (
  network: ReplyNetwork,
  asked: ReadonlyMap<string, ReadonlyArray<DateTime.Utc>>
) {
  const now = yield* DateTime.now
  const made = new Set(network.effects.map(({ operationId }) => operationId))
  assert.strictEqual(network.effects.length, made.size, "two effects of one operation")
  const operations = yield* operationsOf
  const ids = operations.flatMap(({ state }) => (state._tag === "Completed" ? [state.responseExternalId] : []))
  assert.strictEqual(new Set(ids).size, ids.length, "one post of two operations")
  const keys = operations.flatMap(({ idempotencyKey, itemId }) =>
    Option.toArray(Option.map(idempotencyKey, (key) => `${itemId} ${key}`))
  )
  assert.strictEqual(new Set(keys).size, keys.length, "two operations of one key")
  const beginnings = yield* beginningsOf
  for (const operation of operations) {
    const { attempts, id, source, state } = operation
    if (state._tag === "OutcomeUnknown") {
      // A look that has just begun may take its whole time; at the end processes look every 150 seconds only.
      const end = DateTime.add(deadlineOf(state.attemptedAt), { seconds: 50 + 150 })
      assert.isTrue(DateTime.isLessThan(now, end), `undecided beyond its deadline: ${id}`)
    }
    const calls = network.calls.filter(({ operationId }) => operationId === id)
    if (source !== "threads_reply") assert.isAtMost(calls.length, attempts, "a call that is no attempt")
    const requests = asked.get(
      `${operation.itemId} ${Option.getOrElse(operation.idempotencyKey, () => operation.text)}`
    )
    const isPrompt = (at: DateTime.Utc, within: typeof beginsWithin | typeof callsWithin) =>
      requests?.some(
        (request) =>
          DateTime.isLessThanOrEqualTo(request, at) && DateTime.isLessThanOrEqualTo(at, DateTime.add(request, within))
      ) === true
    for (const { at } of beginnings.get(id) ?? [])
      assert.isTrue(isPrompt(at, beginsWithin), `an attempt began too late: ${id}`)
    for (const { at, container } of calls) {
      // A machine may have slept between the decision and the call.
      const isFresh = beginnings
        .get(id)
        ?.some(
          (begun) =>
            DateTime.isLessThanOrEqualTo(begun.at, at) &&
            DateTime.isLessThanOrEqualTo(at, DateTime.add(begun.at, { seconds: 60 }))
        )
      if (container === undefined) assert.isTrue(isFresh, `sent long after its attempt began: ${id}`)
      const isPublishedAgain = container !== undefined && calls.some((earlier) => earlier.container === container)
      assert.isTrue(isPrompt(at, callsWithin) || isPublishedAgain, `sent late by machine: ${id}`)
    }
  }
})

/** What must hold a day later: nothing waits any more, also not for somebody who asks again. */
export const checkRepliesOver = Effect.map(operationsOf, (operations) => {
  for (const { id, state } of operations)
    assert.include(["Completed", "Rejected", "NeedsReconciliation"], state._tag, `${id} never ended`)
})

/** What must hold when the storm is over and every deadline has passed. */
export const checkRepliesAtRest = Effect.fnUntraced(function* (town: ReplyTown, network: ReplyNetwork) {
  const { workspaceId } = town.caller.scope
  const operations = (yield* operationsOf).filter((operation) => operation.workspaceId === workspaceId)
  const items = yield* walk(town.caller)
  for (const { id, itemId, source, state, target, text } of operations) {
    const own = network.effects.find(({ operationId }) => operationId === id)
    const isOpen = !["Completed", "Rejected", "NeedsReconciliation", "Held"].includes(state._tag)
    assert.isFalse(isOpen, `${id} is ${state._tag}`)
    if (own !== undefined) {
      assert.include(["Completed", "NeedsReconciliation"], state._tag, `${id} was posted`)
    }
    if (state._tag !== "Completed") continue
    const post = network.effects.find((effect) => effect.post.externalId === state.responseExternalId)
    assert.deepStrictEqual([post?.text, post?.post.source], [text, source], id)
    assert.deepStrictEqual(post?.post.parentExternalId, Option.some(target.externalId), `what ${id} answers`)
    const item = items.find((one) => Option.contains(state.responseItemId, one.id))
    assert.deepStrictEqual([item?.body, item?.isOwn], [text, true], `${id} of ${itemId}`)
  }
  const { events } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  const told = events.flatMap(({ event }) => (event._tag === "ReplyUpdated" ? [event.operation] : []))
  for (const { id, state } of operations) {
    const own = told.filter((shown) => shown.id === id).map(({ status }) => status)
    assert.strictEqual(own[0], "pending", "the first event of a reply")
    for (let n = 1; n < own.length; n++) {
      assert.include(follows[own[n - 1] ?? "pending"], own[n], `${id}: ${own.join(" ")}, now ${state._tag}`)
    }
  }
  return operations.map(({ state }) => state._tag)
})
