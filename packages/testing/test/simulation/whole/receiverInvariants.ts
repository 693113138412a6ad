import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { typeOfEvent, typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import { type ReceiverTown, userOfEndpoint } from "./Receivers.ts"

/** Before a delivery is given up (api-2.md §15). */
const mostAttempts = 12

/** What an endpoint asks for, as the documents say it: all, or what it names; ends of media jobs by their whole names only. */
const asksFor = ({ events }: OutgoingEndpoint, type: string): boolean => {
  const names = Option.getOrUndefined(events)
  if (type.startsWith("media.")) return names?.includes(type) === true
  return names === undefined || names.includes(type) || names.includes(`${type.split(".")[0]}.*`)
}

type Outgoing = MemoryState["Service"]["inbox"]["outgoing"]
type OutgoingEntry = Outgoing["deliveries"] extends ReadonlyMap<unknown, infer Entry> ? Entry : never

/** The whole log of a workspace, as endpoints are told of it: number, name, account, and whose account it became. */
const readLog = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const { events, jobEnds } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  const told = events.map(({ event, seq }) => ({
    seq,
    type: typeOfEvent[event._tag],
    accountId: "accountId" in event ? event.accountId : undefined,
    user: "externalUserId" in event ? Option.getOrUndefined(event.externalUserId) : undefined,
    movedTo: event._tag === "AccountMoved" ? Option.getOrNull(event.to) : undefined,
    endpointId: event._tag === "EndpointFailing" ? event.endpoint.id : undefined,
    endpointStatus: event._tag === "EndpointFailing" ? event.endpoint.status : undefined
  }))
  const ended = jobEnds.map(({ event, seq }) => ({
    seq,
    type: typeOfJobEnd[event.kind],
    accountId: undefined,
    user: undefined,
    movedTo: undefined,
    endpointId: undefined,
    endpointStatus: undefined
  }))
  return [...told, ...ended].sort((a, b) => a.seq - b.seq)
})

type Told = Effect.Success<ReturnType<typeof readLog>>[number]

/** Since when each account is whose it is now: the events of a user's endpoint that nobody may withhold. */
const ownedBy = (log: ReadonlyArray<Told>, user: string): ReadonlyArray<Told> => {
  const since = new Map<string, { readonly owner: string | null; readonly seq: number }>()
  for (const { accountId, movedTo, seq } of log) {
    if (accountId !== undefined && movedTo !== undefined) since.set(accountId, { owner: movedTo, seq })
  }
  return log.filter(({ accountId, movedTo, seq }) => {
    const now = accountId === undefined ? undefined : since.get(accountId)
    return now !== undefined && now.owner === user && seq > now.seq && movedTo === undefined
  })
}

/** Rows of each endpoint, by the number of their event; two of one event are a fault. */
const rowsOf = (entries: Iterable<OutgoingEntry>) => {
  const rows = new Map<OutgoingEndpointId, Map<number, OutgoingEntry>>()
  for (const entry of entries) {
    const { endpointId, eventSeq } = entry.delivery
    if (Option.isNone(eventSeq)) continue
    const own = rows.get(endpointId) ?? new Map<number, OutgoingEntry>()
    if (own.has(eventSeq.value)) assert.fail(`two deliveries of event ${eventSeq.value}`)
    rows.set(endpointId, own.set(eventSeq.value, entry))
  }
  return rows
}

/** The deliveries to the receivers of this town. */
const ownOf = ({ ids }: ReceiverTown, { deliveries }: Outgoing): ReadonlyArray<OutgoingEntry> => {
  const own = new Set(ids.values())
  return Array.from(deliveries.values()).filter(({ delivery }) => own.has(delivery.endpointId))
}

/** Deliveries as they may be at any moment. Of thousands: an assertion that says what it is about is made where it fails. */
const checkRow = ({ byMessage, ids }: ReceiverTown, { delivery, log }: OutgoingEntry) => {
  // What waits for an endpoint that is disabled has failed by the answer that it had.
  const isDisabled = [ids.get("gone"), ids.get("switched")].includes(delivery.endpointId)
  const { attempts, attemptsInSchedule, messageId, nextAttemptAt, status } = delivery
  const receipts = byMessage.get(messageId) ?? []
  if (log.length > receipts.length) assert.fail(`${messageId} has attempts that nobody made`)
  if (attempts !== log.length) assert.fail(`${messageId}: attempts and their log`)
  if (status === "delivered" && !receipts.some((one) => one.status === 200))
    assert.fail(`${messageId} is delivered, and did not arrive`)
  if (status === "failed" && !isDisabled)
    assert.strictEqual(attemptsInSchedule, mostAttempts, `${messageId} was given up early`)
  if ((status === "pending") !== Option.isSome(nextAttemptAt)) assert.fail(messageId)
}

/** Its workspace was told that an endpoint fails, or is disabled because of it. */
const checkFailing = ({ id, status, statusReason }: OutgoingEndpoint, log: ReadonlyArray<Told>) => {
  const isByFailures = status === "failing" || Option.exists(statusReason, (reason) => reason !== "requested")
  const told = log.findLast(({ endpointId }) => endpointId === id)?.endpointStatus
  if (isByFailures) assert.strictEqual(told, status, `what is told of ${id}, and what it is`)
}

/** What must hold at every moment, whatever is under way. */
export const checkReceivers = Effect.fnUntraced(function* (town: ReceiverTown, workspaceId: WorkspaceId) {
  const { inbox } = yield* MemoryState
  const { endpoints, positions } = inbox.outgoing
  const deliveries = ownOf(town, inbox.outgoing)
  assert.isEmpty(town.violations, town.violations.slice(0, 10).join("; "))
  for (const entry of deliveries) checkRow(town, entry)
  for (const { delivery } of inbox.outgoing.deliveries.values()) {
    const endpoint = endpoints.get(delivery.endpointId)?.endpoint ?? assert.fail(`${delivery.messageId} is for nobody`)
    if (endpoint.status === "disabled" && delivery.status === "pending")
      assert.fail(`${delivery.messageId} waits for an endpoint that is switched off`)
    if (!asksFor(endpoint, delivery.eventType)) assert.fail(`${delivery.messageId} tells what nobody has asked for`)
    if (endpoint.workspaceId !== delivery.workspaceId) assert.fail(`${delivery.messageId} is another workspace's`)
  }
  const position = positions.get(workspaceId) ?? 0
  const log = yield* readLog(workspaceId)
  assert.isAtMost(position, log.length, "the position is behind the end of the log")
  const rows = rowsOf(deliveries)
  for (const [seq] of rows.get(town.ids.get("switched") ?? assert.fail("no such endpoint")) ?? []) {
    const isOff = town.offFor.some(({ after, to }) => after < seq && seq <= to)
    assert.isFalse(isOff, `event ${seq} is for an endpoint that was switched off`)
  }
  for (const { endpoint } of endpoints.values()) if (endpoint.workspaceId === workspaceId) checkFailing(endpoint, log)
  for (const { accountId, endpointId, seq, type, user: of } of log) {
    if (endpointId !== undefined && rows.get(endpointId)?.has(seq) === true)
      assert.fail(`event ${seq}: an endpoint is told of its own failure`)
    const user = town.ids.get("of a user")
    // Media jobs and posts of the workspace are not a managed user's; that somebody has read everything is.
    const isTheirs = accountId !== undefined || of === userOfEndpoint || type.startsWith("inbox.")
    if (!isTheirs && user !== undefined && rows.get(user)?.has(seq) === true)
      assert.fail(`event ${seq} (${type}) is told to a managed user, and is not theirs`)
  }
  for (const [id, { endpoint, since }] of endpoints) {
    if (Option.isSome(endpoint.externalUserId) || endpoint.status === "disabled") continue
    const own = rows.get(id)
    for (const { endpointId, seq, type } of log) {
      if (seq <= since || seq > position || endpointId === id) continue
      if (!asksFor(endpoint, type)) continue
      if (own?.has(seq) !== true) assert.fail(`event ${seq} was written for nobody, and the position is ${position}`)
    }
  }
})

/** What must hold besides when the weather was fair for long enough: who answers has everything. */
export const checkReceived = Effect.fnUntraced(function* (town: ReceiverTown, workspaceId: WorkspaceId) {
  const { inbox } = yield* MemoryState
  const { positions } = inbox.outgoing
  const log = yield* readLog(workspaceId)
  assert.strictEqual(positions.get(workspaceId), log.length, "events of which no deliveries were written")
  const rows = rowsOf(ownOf(town, inbox.outgoing))
  for (const kind of ["healthy", "ordered", "slow"] as const) {
    const id = town.ids.get(kind)
    const statuses = Array.from(
      id === undefined ? [] : (rows.get(id)?.values() ?? []),
      ({ delivery }) => delivery.status
    )
    assert.deepStrictEqual([...new Set(statuses)], ["delivered"], `of the ${kind} endpoint`)
    const endpoint = id === undefined ? undefined : inbox.outgoing.endpoints.get(id)?.endpoint
    assert.deepStrictEqual(
      [endpoint?.status, endpoint?.failuresInRow, endpoint?.failingSince],
      ["enabled", 0, Option.none()],
      `the ${kind} endpoint answers, and counts as one that fails`
    )
  }
  const firsts = new Set<number>()
  for (const { endpointId, seq, status } of town.receipts) {
    if (endpointId === town.ids.get("ordered") && status === 200) firsts.add(seq)
  }
  const inOrder = Array.from(firsts)
  assert.deepStrictEqual(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
    "arrived in another order"
  )
  const users = town.ids.get("of a user")
  for (const { seq, type } of ownedBy(log, userOfEndpoint)) {
    const status = users === undefined ? undefined : rows.get(users)?.get(seq)?.delivery.status
    assert.strictEqual(status, "delivered", `event ${seq} (${type}) of the user's account`)
  }
})

/** What must hold when every schedule is over: all that was accepted has ended. */
export const checkAllEnded = Effect.fnUntraced(function* (town: ReceiverTown, workspaceId: WorkspaceId) {
  yield* checkReceivers(town, workspaceId)
  const { inbox } = yield* MemoryState
  for (const { delivery } of inbox.outgoing.deliveries.values()) {
    assert.notStrictEqual(delivery.status, "pending", `${delivery.messageId} never ended`)
  }
  const gone = inbox.outgoing.endpoints.get(town.ids.get("gone") ?? assert.fail("no such endpoint"))
  const wasTold = town.receipts.some(({ status }) => status === 410)
  assert.strictEqual(gone?.endpoint.status === "disabled", wasTold, "who is gone is disabled")
})
