import { Effect } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** Runs a call, and leaves out events of a kind that it wrote; those that are left have numbers without gaps. */
const without = <A, E>(
  inbox: MemoryInbox,
  call: Effect.Effect<A, E>,
  isLeftOut: (tag: LoggedEvent["_tag"]) => boolean
) =>
  Effect.suspend(() => {
    const before = new Map(Array.from(inbox.logs.values(), (log) => [log, log.last]))
    return Effect.tap(call, () =>
      Effect.sync(() => {
        for (const log of inbox.logs.values()) {
          const last = before.get(log) ?? 0
          const own = log.events.filter(({ event, seq }) => seq > last && !isLeftOut(event._tag))
          log.events = [
            ...log.events.filter(({ seq }) => seq <= last),
            ...own.map((kept, n) => ({ ...kept, seq: last + n + 1 }))
          ]
          log.last = last + own.length
        }
      })
    )
  })

/** A change of which nobody is told. */
export const tellingBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "nobody is told that a post has failed",
    breaks: /how its events say that it ended/,
    plant: wrong(PostStore, (right, { inbox }) =>
      PostStore.of({
        ...right,
        settle: (...of) => without(inbox, right.settle(...of), (tag) => tag === "PostFailed")
      })
    )
  },
  {
    name: "a target's change is committed without its event",
    near: 17,
    breaks: /has targets of which no event tells/,
    plant: wrong(PostStore, (right, { inbox }) =>
      PostStore.of({ ...right, change: (...of) => without(inbox, right.change(...of), () => true) })
    )
  },
  {
    name: "nobody is told that a job was canceled",
    near: 24,
    breaks: /jobs that have ended and those that events tell of|the end of .* is told 0 times/,
    plant: wrong(ConversionStore, (right, { inbox }) =>
      ConversionStore.of({ ...right, cancel: (...of) => without(inbox, right.cancel(...of), () => true) })
    )
  },
  {
    name: "nobody is told that an endpoint fails",
    breaks: /what is told of/,
    plant: wrong(OutgoingQueue, (right, { inbox }) =>
      OutgoingQueue.of({ ...right, settle: (...of) => without(inbox, right.settle(...of), () => true) })
    )
  }
]
