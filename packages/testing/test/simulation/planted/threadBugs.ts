import { DateTime, Effect, Option } from "effect"
import type { AccountEntry, EventLog, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { WorkState } from "@loopbox/core/items/Thread"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type Store = ThreadStore["Service"]

const wrongStore = (make: (right: Store, inbox: MemoryInbox) => Partial<Store>) =>
  wrong(ThreadStore, (right, { inbox }) => ThreadStore.of({ ...right, ...make(right, inbox) }))

/** Runs a call, and then puts back what it has changed of threads, where it is to be put back. */
const putBack = <A, E>(
  inbox: MemoryInbox,
  call: Effect.Effect<A, E>,
  isPutBack: (before: WorkState, now: WorkState) => boolean
) =>
  Effect.suspend(() => {
    const before = Array.from(inbox.accounts.values(), (entry) => ({ entry, threads: new Map(entry.threads) }))
    return Effect.tap(call, () =>
      Effect.sync(() => {
        for (const { entry, threads } of before) {
          for (const [name, state] of threads) {
            const now = entry.threads.get(name)
            if (now !== undefined && isPutBack(state, now)) entry.threads.set(name, state)
          }
        }
      })
    )
  })

/** Runs a call, and takes back the events that it wrote. */
const untold = <A, E>(inbox: MemoryInbox, call: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const before = Array.from(inbox.logs.values(), (log): readonly [EventLog, number] => [log, log.last])
    return Effect.tap(call, () =>
      Effect.sync(() => {
        for (const [log, last] of before) {
          log.events = log.events.filter(({ seq }) => seq <= last)
          log.last = last
        }
      })
    )
  })

const isSnoozed = ({ snoozedUntil }: WorkState) => Option.isSome(snoozedUntil)

const entriesOf = ({ accounts }: MemoryInbox): ReadonlyArray<AccountEntry> => Array.from(accounts.values())

export const threadBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a new message does not wake a snoozed thread",
    breaks: /says nothing new|did not bring the thread back/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) => putBack(inbox, right.ingest(unit), (before, now) => isSnoozed(before) && !isSnoozed(now))
      })
    )
  },
  {
    name: "a resolved thread stays resolved when somebody writes",
    breaks: /is another than its events say/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          putBack(inbox, right.ingest(unit), (before, now) => before.status === "resolved" && now.status === "open")
      })
    )
  },
  {
    name: "snoozes are never ended",
    breaks: /was never woken/,
    plant: wrongStore(() => ({ wakeDue: () => Effect.succeed(0) }))
  },
  {
    name: "nobody is told that a snooze is over",
    breaks: /is another than its events say/,
    plant: wrongStore((right, inbox) => ({ wakeDue: (...of) => untold(inbox, right.wakeDue(...of)) }))
  },
  {
    name: "a thread's change is committed without its event",
    breaks: /is another than its events say/,
    plant: wrongStore((right, inbox) => ({ change: (...of) => untold(inbox, right.change(...of)) }))
  },
  {
    name: "resolving a thread does not take it off the counts of its labels",
    breaks: /labels of a scope/,
    plant: wrongStore((right, inbox) => ({
      labels: (...of) =>
        Effect.suspend(() => {
          const before = entriesOf(inbox).map((entry) => ({ entry, threads: new Map(entry.threads) }))
          for (const { entry, threads } of before)
            for (const [name, state] of threads) entry.threads.set(name, { ...state, status: "open" })
          return Effect.ensuring(
            right.labels(...of),
            Effect.sync(() => {
              for (const { entry, threads } of before)
                for (const [name, state] of threads) entry.threads.set(name, state)
            })
          )
        })
    }))
  },
  {
    name: "reading a thread leaves its items in the counter",
    breaks: /counters that are wrong/,
    plant: wrongStore((right, inbox) => ({
      markRead: (...of) =>
        Effect.suspend(() => {
          const before = entriesOf(inbox).map((entry) => ({ entry, unread: new Map(entry.unread) }))
          return Effect.tap(right.markRead(...of), () =>
            Effect.sync(() => {
              for (const { entry, unread } of before)
                for (const [source, count] of unread) entry.unread.set(source, count)
            })
          )
        })
    }))
  },
  {
    name: "labels are kept by the name of a thread, and another account's thread of that name loses its own",
    breaks: /is another than its events say/,
    plant: wrongStore((right, inbox) => ({
      setLabels: (...of) =>
        Effect.suspend(() => {
          const before = entriesOf(inbox).map((entry) => ({ entry, labels: new Map(entry.labels) }))
          return Effect.tap(right.setLabels(...of), () =>
            Effect.sync(() => {
              const isChanged = before.some(({ entry, labels }) =>
                Array.from(entry.labels).some(([name, given]) => labels.get(name) !== given)
              )
              const other = before.find(({ labels }) => labels.size > 0)
              const [name] = other?.labels.keys() ?? []
              if (isChanged && other !== undefined && name !== undefined) other.entry.labels.delete(name)
            })
          )
        })
    }))
  },
  {
    name: "the notes of a thread go when it is resolved",
    breaks: /notes of/,
    plant: wrongStore((right, inbox) => ({
      change: (scope, id, decide, at) =>
        Effect.tap(right.change(scope, id, decide, at), (changed) =>
          Effect.sync(() => {
            if (!Option.exists(changed, ({ status }) => status === "resolved")) return
            for (const { notes } of inbox.accounts.values())
              for (const note of notes.values()) if (note.threadId === id) notes.delete(note.id)
          })
        )
    }))
  },
  {
    name: "a snoozed thread is in the list of open ones as well",
    breaks: /the list of open threads/,
    plant: wrongStore((right) => ({
      list: (scope, query) =>
        Effect.gen(function* () {
          if (!Option.contains(query.stage, "open")) return yield* right.list(scope, query)
          const page = yield* right.list(scope, { ...query, stage: Option.none(), limit: 1_000 })
          return { threads: page.threads.filter(({ status }) => status === "open"), next: Option.none() }
        })
    }))
  },
  {
    name: "an assignment is answered, and its transaction is rolled back",
    breaks: /what was answered is not there/,
    plant: wrongStore((right, inbox) => {
      let calls = 0
      return {
        change: (...of) => {
          const isLost = ++calls % 5 === 0
          return putBack(inbox, right.change(...of), (before, now) => isLost && before.assignedTo !== now.assignedTo)
        }
      }
    })
  },
  {
    name: "marking all as read reaches what came after the click",
    breaks: /is another than its events say/,
    plant: wrong(InboxStore, (right, { inbox }) =>
      InboxStore.of({
        ...right,
        markBatch: (scope, batch) =>
          Effect.tap(right.markBatch(scope, { ...batch, upToSeq: batch.upToSeq + 1_000 }), () =>
            Effect.sync(() => {
              const kept = inbox.logs.get(scope.scope.workspaceId)?.events ?? []
              const last = kept[kept.length - 1]
              if (last?.event._tag !== "ItemsRead") return
              kept[kept.length - 1] = { ...last, event: { ...last.event, upToSeq: batch.upToSeq } }
            })
          )
      })
    )
  },
  {
    name: "an edit is committed without its event",
    breaks: /items and those that events tell of|items are new, and/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          unit.arrivals.every(({ activity }) => activity._tag === "Edited")
            ? untold(inbox, right.ingest(unit))
            : right.ingest(unit)
      })
    )
  },
  {
    name: "an item that is delivered again is counted again as used",
    breaks: /items and posts that were counted/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          Effect.tap(right.ingest(unit), ({ created, isRepeated }) =>
            Effect.sync(() => {
              const hours = inbox.logs.get(unit.workspaceId)?.itemHours
              const [hour, count] = Array.from(hours ?? []).at(-1) ?? []
              if (hour === undefined || count === undefined || created > 0 || isRepeated) return
              hours?.set(hour, count + unit.arrivals.length)
            })
          )
      })
    )
  },
  {
    name: "a note is taken away without its event",
    breaks: /and those that events tell of/,
    plant: wrongStore((right, inbox) => ({ removeNote: (...of) => untold(inbox, right.removeNote(...of)) }))
  },
  {
    name: "a snooze ends two minutes before its time",
    breaks: /was woken early/,
    plant: wrongStore((right) => ({
      wakeDue: (now, limit) => right.wakeDue(DateTime.add(now, { minutes: 2 }), limit)
    }))
  }
]
