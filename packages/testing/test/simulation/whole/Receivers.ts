import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { OutgoingDeliveryId, OutgoingEndpointId } from "@loopbox/core/kernel/Ids"
import { eventWildcards } from "@loopbox/core/outgoing/eventPatterns"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { atOnceOfEndpoint } from "@loopbox/core/outgoing/OutgoingQueue"
import type { WebhookMessage } from "@loopbox/core/outgoing/WebhookSender"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { Receivers } from "../../../src/fakes/FakeWebhookSender.ts"
import type { Chance } from "../Chance.ts"
import type { Causes } from "./Causes.ts"

export const receiverKinds = ["healthy", "ordered", "slow", "dead", "gone", "switched", "of a user"] as const
export type ReceiverKind = (typeof receiverKinds)[number]

/** The managed user of the endpoint that is one. */
export const userOfEndpoint = "u1"

/** A message as it arrived, and what was answered; `status` is absent until then, and where nobody waited for it. */
export interface Receipt {
  readonly endpointId: OutgoingEndpointId
  readonly messageId: string
  readonly seq: number
  readonly from: number
  to: number | undefined
  status: number | undefined
}

/** How long after a change of an endpoint a worker may still act on what it had read. */
const staleFor_ms = 8_000

/** The pauses of the schedule after each failed attempt in a row, in seconds (api-2.md §15). */
const pauses_s = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400]

/** The shortest that a pause may be, with its jitter. */
const shortestPause_ms = (failures: number): number => (pauses_s[failures - 1] ?? 5) * 900

const jobEnds = ["media.gif_conversion_ended", "media.audio_overlay_ended"]

/** Who never answers is told of little, for each of it is tried for days. */
const wanted = (kind: ReceiverKind, seed: number): Option.Option<ReadonlyArray<string>> => {
  if (kind === "ordered") return Option.some(["inbox.*", "post.*", ...jobEnds])
  // All that there is: a managed user is told of nothing that is not theirs, whatever their endpoint names.
  if (kind === "of a user") return Option.some([...eventWildcards, ...jobEnds])
  // In some seeds also that others fail, and never that it does: each of these is tried for days.
  const failing = seed % 8 === 5 ? ["webhook_endpoint.failing"] : []
  return kind === "dead" ? Option.some(["inbox.note_added", "post.failed", ...failing]) : Option.none()
}

/** What arrives at the receivers of a workspace, each of a kind, and how they answer. */
export const makeReceivers = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  causes: Causes,
  caller: EntitledCaller
) {
  const { inbox } = yield* MemoryState
  const { answers } = yield* Receivers
  const endpoints = yield* WebhookEndpoints
  const administration = yield* AccountAdministration
  const receipts: Array<Receipt> = []
  const violations: Array<string> = []
  /** Messages that the customer asked for once more, however late they come. */
  const redelivered = new Set<string>()
  /** Events that happened while the customer had an endpoint switched off, by their numbers. */
  const offFor: Array<{ readonly after: number; to: number }> = []
  const ids = new Map<ReceiverKind, OutgoingEndpointId>()
  const byMessage = new Map<string, Array<Receipt>>()

  /** How a receiver treats a message: what it answers, and after how long. */
  const behave = (kind: ReceiverKind, before: ReadonlyArray<Receipt>) => {
    const failed = { status: chance.pick([500, 503, 504]) ?? 500, after_ms: chance.isOneIn(4) ? 10_000 : 50 }
    if (kind === "dead") return failed
    if (kind === "gone" && receipts.length > 60) return { status: 410, after_ms: 20 }
    // A user's messages wait for long: meanwhile accounts become somebody else's.
    const failsOneIn = kind === "of a user" ? 2 : 5
    if (!weather.isFair && before.length < 3 && chance.isOneIn(failsOneIn)) {
      chance.note("a receiver fails")
      return failed
    }
    return { status: 200, after_ms: kind === "slow" ? chance.below(25_000) : chance.below(40) }
  }

  const { endpoints: kept, deliveries: rows } = inbox.outgoing
  const rowIds = new Map<string, OutgoingDeliveryId>()
  /** The delivery of a message, as the store has it now. */
  const rowOf = (messageId: string) => {
    if (!rowIds.has(messageId)) for (const [id, { delivery }] of rows) rowIds.set(delivery.messageId, id)
    const id = rowIds.get(messageId)
    return id === undefined ? undefined : rows.get(id)?.delivery
  }

  /** Whether something waits for an endpoint that was before an event. */
  const hasEarlier = (id: OutgoingEndpointId, seq: number) => {
    for (const { delivery } of rows.values())
      if (
        delivery.endpointId === id &&
        delivery.status === "pending" &&
        seq > Option.getOrElse(delivery.eventSeq, () => seq)
      )
        return true
    return false
  }

  /** Judges a message as it arrives. What is said here is asked for later: a worker takes a defect of its sender for its own. */
  const judge = (
    { delivery: { messageId }, endpoint: { id } }: WebhookMessage,
    before: ReadonlyArray<Receipt>,
    now: number
  ) => {
    const [row, endpoint] = [rowOf(messageId), kept.get(id)?.endpoint]
    if (row === undefined || endpoint === undefined) return void violations.push(`${messageId} is nobody's`)
    const wrong = (what: string, since: number) => {
      const isAsked = redelivered.has(messageId)
      if (!isAsked && !causes.explain(since, now, id)) violations.push(`${messageId} at ${now}: ${what}`)
    }
    const last = before[before.length - 1]
    if (last?.status === 200) wrong("sent again", last.from)
    if (last?.to !== undefined && last.status !== 200) {
      const pause_ms = now - last.to
      if (pause_ms < shortestPause_ms(1)) wrong("tried again at once", last.from)
      else if (pause_ms < shortestPause_ms(row.attemptsInSchedule)) wrong("tried again too soon", last.from)
    }
    const underWay = receipts.filter((one) => one.endpointId === id && one.to === undefined)
    const first = underWay[0]
    if (first !== undefined && underWay.length >= (endpoint.isOrdered ? 1 : atOnceOfEndpoint))
      wrong("sent beside too many others", first.from)
    const event = inbox.logs.get(row.workspaceId)?.events.find((one) => Option.contains(row.eventSeq, one.seq))?.event
    const type = event?._tag === "JobEnded" ? event.kind : event?._tag
    // As the fake sender writes it; what was erased since can't be compared.
    const isOwn = row.body.startsWith(`{"type":"${type}","data":{"seq":${Option.getOrElse(row.eventSeq, () => 0)}`)
    if (type !== undefined && !isOwn) violations.push(`${messageId} brings another event than its own`)
    if (row.status !== "pending") wrong("sent after its end", before[0]?.from ?? now - staleFor_ms)
    const seq = Option.getOrElse(row.eventSeq, () => 0)
    if (endpoint.isOrdered && hasEarlier(id, seq)) wrong("sent before an earlier one", now - staleFor_ms)
    const account = Option.flatMapNullishOr(row.accountId, (one) => inbox.accounts.get(one)?.account)
    const isOthers = Option.exists(account, ({ externalUserId }) => !Option.contains(externalUserId, userOfEndpoint))
    if (Option.isSome(endpoint.externalUserId) && isOthers && row.eventType !== "inbox.account_moved")
      violations.push(`${messageId}: sent to somebody whose account it is not`)
  }

  const receive = (kind: ReceiverKind, endpointId: OutgoingEndpointId) =>
    Effect.fnUntraced(function* (message: WebhookMessage) {
      const now = yield* Clock.currentTimeMillis
      const { messageId } = message.delivery
      const before = byMessage.get(messageId) ?? []
      judge(message, before, now)
      const seq = Number(messageId.slice(endpointId.length + 1))
      const receipt: Receipt = { endpointId, messageId, seq, from: now, to: undefined, status: undefined }
      receipts.push(receipt)
      byMessage.set(messageId, [...before, receipt])
      const { after_ms, status } = behave(kind, before)
      yield* Effect.sleep(after_ms).pipe(
        Effect.tap(() => Effect.sync(() => void (receipt.status = status))),
        Effect.ensuring(Effect.map(Clock.currentTimeMillis, (at) => void (receipt.to = at)))
      )
      return status
    })

  for (const kind of receiverKinds) {
    const { endpoint } = yield* endpoints.create(caller, {
      url: `https://hooks.example/${kind.replaceAll(" ", "-")}`,
      events: wanted(kind, chance.seed),
      externalUserId: kind === "of a user" ? Option.some(userOfEndpoint) : Option.none(),
      description: Option.none(),
      isOrdered: kind === "ordered"
    })
    ids.set(kind, endpoint.id)
    answers.set(endpoint.id, receive(kind, endpoint.id))
  }

  const answering = new Set(ids.values())

  /** The account of something that waits for the user's endpoint becomes another's. */
  const moveAway = Effect.gen(function* () {
    const waiting = Array.from(rows.values()).flatMap(({ delivery: { accountId, endpointId, status } }) => {
      const account = Option.flatMapNullishOr(accountId, (id) => inbox.accounts.get(id)?.account)
      const isTheirs = Option.exists(account, (one) => Option.contains(one.externalUserId, userOfEndpoint))
      return endpointId === ids.get("of a user") && status === "pending" && isTheirs ? Option.toArray(account) : []
    })
    const account = chance.pick(waiting)
    if (account === undefined) return
    chance.note("an account becomes another's")
    yield* administration.updateAccount(account.workspaceId, account.id, { externalUserId: Option.some("u2") })
  })

  const isOn = () =>
    Array.from(kept).some(([id, { endpoint }]) => id === ids.get("switched") && endpoint.status !== "disabled")

  const turns = Semaphore.makeUnsafe(1)
  /** The customer switches an endpoint off or on, or only off. Returns whether it was on; one after the other, and as a whole. */
  const toggle = (isOnlyOff: boolean) =>
    Effect.gen(function* () {
      const [id, now, wasOn] = [ids.get("switched"), yield* Clock.currentTimeMillis, isOn()]
      if (id === undefined || (isOnlyOff && !wasOn)) return false
      causes.note(now, now + staleFor_ms, id)
      chance.note("an endpoint is switched")
      const last = () => inbox.logs.get(caller.scope.workspaceId)?.last ?? 0
      const lastBefore = last()
      // A call that fails may have switched it all the same.
      const switched = yield* Effect.exit(endpoints.update(caller, id, { status: wasOn ? "disabled" : "enabled" }))
      const span = offFor[offFor.length - 1]
      // What happens while it is switched may be on either side.
      if (wasOn && !isOn()) offFor.push({ after: last(), to: Infinity })
      else if (!wasOn && isOn() && span?.to === Infinity) span.to = lastBefore
      yield* switched
      return wasOn
    }).pipe(turns.withPermits(1), Effect.uninterruptible)

  /**
   * A call for an endpoint that was on when it was looked at: sometimes the customer switches it off before the store is
   * asked. Whatever the call writes, nothing waits for it then.
   */
  const switchedOffBefore = <A, E, R>(call: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const isAsked = !weather.isFair && isOn() && chance.isOneIn(4)
      const isOffNow = isAsked && (yield* Effect.orDie(toggle(true)))
      const answer = yield* call
      const id = ids.get("switched")
      if (isOffNow && !isOn())
        for (const { delivery } of rows.values())
          if (delivery.endpointId === id && delivery.status === "pending")
            violations.push(`${delivery.messageId} waits for an endpoint that was switched off`)
      return answer
    })

  const store = yield* OutgoingEndpointStore
  const raced = OutgoingEndpointStore.of({
    ...store,
    redeliver: (workspaceId, id, ...of) => {
      const call = store.redeliver(workspaceId, id, ...of)
      return id === ids.get("switched") ? switchedOffBefore(call) : call
    }
  })
  const deliveries = Context.get(
    yield* Layer.build(
      Layer.provide(Layer.fresh(EndpointDeliveries.layer), Layer.succeed(OutgoingEndpointStore, raced))
    ),
    EndpointDeliveries
  )

  /** The customer switches an endpoint off or on, asks for a message once more, or gives an account to another. */
  const act = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (chance.isOneIn(3)) return yield* moveAway
    if (chance.isOneIn(2)) return void (yield* toggle(false))
    const ended = Array.from(inbox.outgoing.deliveries.values()).filter(
      ({ delivery }) => delivery.status === "delivered" && answering.has(delivery.endpointId)
    )
    const ofSwitched = chance.isOneIn(3)
      ? ended.filter(({ delivery }) => delivery.endpointId === ids.get("switched"))
      : []
    const one = chance.pick(ofSwitched.length > 0 ? ofSwitched : ended)?.delivery
    if (one === undefined) return
    causes.note(now, now + staleFor_ms, one.endpointId)
    const asked = yield* Effect.exit(deliveries.redeliver(caller, one.endpointId, one.id))
    if (asked._tag !== "Success") return
    chance.note("a webhook is asked for again")
    redelivered.add(one.messageId)
  })
  return { ids, offFor, receipts, violations, byMessage, act, switchedOffBefore }
})

export type ReceiverTown = Effect.Success<ReturnType<typeof makeReceivers>>
