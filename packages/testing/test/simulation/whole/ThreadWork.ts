import { assert } from "@effect/vitest"
import { DateTime, Effect, Equal, Layer, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import type { ThreadMove } from "@loopbox/core/items/Thread"
import type { InboxThread } from "@loopbox/core/items/threading/InboxThread"
import type { ThreadId, ThreadNoteId } from "@loopbox/core/kernel/Ids"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { Threads } from "@loopbox/core/threads/Threads"
import { walkThreads } from "../../../src/fixtures/threadFixtures.ts"
import type { Chance } from "../Chance.ts"
import type { Lossy } from "../Weather.ts"

const people = ["ann", "bob"] as const
const mostSnooze_s = 90 * 24 * 3_600
const labels = ["Billing", "Bug", "Praise", "Urgent"] as const

/** A label as a thread has had it, for as long as nobody took it away; `n` counts all that were ever given. */
export interface GivenLabel {
  readonly label: string
  readonly n: number
}

/** What the people who work on threads were told is so. */
export interface ThreadLedger {
  readonly labels: Map<ThreadId, ReadonlyArray<GivenLabel>>
  readonly notes: Map<ThreadId, ReadonlyArray<{ readonly id: ThreadNoteId; readonly text: string }>>
}

/** Services over a store of threads that fails now and then; a note is written once, for nothing tells two of one text apart. */
export const withLossyThreads =
  (lossy: Lossy) =>
  <A, E, R>(services: Layer.Layer<A, E, R>) =>
    services.pipe(
      Layer.updateService(ThreadStore, (store) =>
        ThreadStore.of({
          ...store,
          change: (...of) => lossy(store.change(...of)),
          setLabels: (...of) => lossy(store.setLabels(...of)),
          markRead: (...of) => lossy(store.markRead(...of))
        })
      )
    )

/** Whoever gets no answer asks again: each of these calls may be repeated. */
const untilAnswered = <A, E>(call: Effect.Effect<A, E>) =>
  Effect.retry(call, { while: (error) => error instanceof StoreUnavailable, times: 20 })

const workStateOf = ({ assignedTo, snoozedUntil, status }: InboxThread) => ({ assignedTo, snoozedUntil, status })

/** People work on threads: they assign, snooze and resolve them, give them labels, note something, read. */
export const makeThreadWork = Effect.fnUntraced(function* (chance: Chance, callers: ReadonlyArray<EntitledCaller>) {
  const threads = yield* Threads
  const ledger: ThreadLedger = { labels: new Map(), notes: new Map() }
  let given = 0

  const moveOf = (now: DateTime.Utc, { status }: InboxThread): ThreadMove => {
    const who = Option.some(chance.pick(people) ?? "ann")
    switch (chance.below(6)) {
      case 0:
        return { status: "assigned", assignedTo: who }
      case 1:
        return { status: "resolved", assignedTo: undefined }
      case 2:
        return { status: "open", assignedTo: undefined, snoozedUntil: Option.none() }
      case 3:
        return { status: "open", assignedTo: who, isNamedInAny: true }
      default: {
        const until = DateTime.add(now, { seconds: 60 + chance.below(chance.isOneIn(3) ? 90_000 : 240) })
        const kept = status === "resolved" ? "open" : status
        return { status: kept, assignedTo: undefined, snoozedUntil: Option.some(until) }
      }
    }
  }

  const move = Effect.fnUntraced(function* (caller: EntitledCaller, thread: InboxThread) {
    const asked = moveOf(yield* DateTime.now, thread)
    const moved = yield* untilAnswered(threads.setState(caller, thread.id, asked))
    const there = yield* threads.find(caller, thread.id)
    assert.deepStrictEqual(workStateOf(there), workStateOf(moved), `${thread.id}: what was answered is not there`)
    assert.strictEqual(there.status, asked.status, thread.id)
    if (asked.snoozedUntil !== undefined) assert.isTrue(Equal.equals(there.snoozedUntil, asked.snoozedUntil), thread.id)
  })

  const label = Effect.fnUntraced(function* (caller: EntitledCaller, { id }: InboxThread) {
    // Some write them in another way.
    const chosen = labels.filter(() => chance.isOneIn(3)).map((name) => (chance.isOneIn(3) ? name.toUpperCase() : name))
    yield* untilAnswered(threads.setLabels(caller, id, chosen))
    const before = ledger.labels.get(id) ?? []
    const since = (name: string) => before.find(({ label }) => label.toLowerCase() === name.toLowerCase())?.n
    ledger.labels.set(
      id,
      chosen.map((name) => ({ label: name, n: since(name) ?? ++given }))
    )
  })

  const note = Effect.fnUntraced(function* (caller: EntitledCaller, { id }: InboxThread) {
    const known = ledger.notes.get(id) ?? []
    const old = chance.isOneIn(3) ? chance.pick(known) : undefined
    if (old !== undefined) {
      yield* threads.removeNote(caller, id, old.id)
      ledger.notes.set(
        id,
        known.filter((one) => one !== old)
      )
      return
    }
    // Several in one moment, so that pages end between them.
    const name = `Note ${chance.below(1_000)}`
    const added = yield* Effect.forEach([1, 2, 3], (place) =>
      threads.addNote(caller, id, { text: `${name}, part ${place}`, author: Option.none() })
    )
    ledger.notes.set(id, [...known, ...added.map(({ id: noteId, text }) => ({ id: noteId, text }))])
  })

  const read = Effect.fnUntraced(function* (caller: EntitledCaller, { id }: InboxThread) {
    yield* untilAnswered(threads.markRead(caller, id))
    assert.strictEqual((yield* threads.find(caller, id)).unreadCount, 0, `${id} was marked read`)
  })

  /** For how long a thread may be snoozed, from both sides. */
  const limits = Effect.fnUntraced(function* (caller: EntitledCaller, { id, status }: InboxThread) {
    if (status === "resolved") return
    const now = yield* DateTime.now
    const snooze = (seconds: number) =>
      threads.setState(caller, id, {
        status,
        assignedTo: undefined,
        snoozedUntil: Option.some(DateTime.add(now, { seconds }))
      })
    for (const seconds of [59, mostSnooze_s + 1]) {
      const refused = yield* Effect.flip(snooze(seconds))
      assert.strictEqual(refused._tag, "SnoozeInvalid", `${id} was snoozed for ${seconds} s`)
    }
    for (const seconds of [mostSnooze_s, 60]) yield* untilAnswered(snooze(seconds))
  })

  const acts = [limits, move, move, move, label, label, note, note, read] as const
  const step = Effect.gen(function* () {
    const caller = chance.pick(callers)
    const found = caller === undefined ? [] : yield* walkThreads(caller)
    for (let n = 0; n < 2; n++) {
      const thread = chance.pick(found)
      if (caller !== undefined && thread !== undefined) yield* (chance.pick(acts) ?? move)(caller, thread)
    }
  })
  return { ledger, step }
})
