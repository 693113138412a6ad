import { assert } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import type { FeedMessage } from "@loopbox/core/feed/FeedMessage"

/** What somebody hears who follows a scope behind a number, within some seconds. */
const hear = (caller: EntitledCaller, after: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const stream = yield* (yield* EventFeed).subscribe(caller, Option.some(after))
      const heard: Array<FeedMessage> = []
      yield* Effect.forkScoped(Stream.runForEach(stream, (message) => Effect.sync(() => void heard.push(message))))
      yield* TestClock.adjust("3 seconds")
      return heard.filter(({ _tag }) => _tag !== "Hello")
    })
  )

/**
 * Who comes back with a number hears all that followed it, each once and in order, however long that was ago; who is behind
 * what was deleted, or ahead of all, is told to read anew.
 */
export const checkResume = Effect.fnUntraced(function* (caller: EntitledCaller) {
  const { workspaceId } = caller.scope
  const log = (yield* MemoryState).inbox.logs.get(workspaceId)
  if (log === undefined) return
  const { events, last, removed } = log
  // Of a workspace's scope everything is shown but what only its endpoints are told, and what is disconnected.
  const middle = events[Math.floor(events.length / 2)]?.seq ?? last
  for (const after of new Set([removed, middle, Math.max(removed, last - 1)])) {
    const told = events.filter(({ event, seq }) => seq > after && event._tag === "NewItem")
    const heard = yield* hear(caller, after)
    assert.notInclude(
      heard.map(({ _tag }) => _tag),
      "ResyncRequired",
      `who goes on behind ${after} has to read anew`
    )
    const numbers = heard.flatMap((message) => (message._tag === "Delivered" ? [message.event.seq] : []))
    const ascending = numbers.every((seq, n) => seq > (numbers[n - 1] ?? after))
    assert.isTrue(ascending, `events after ${after} in their order`)
    const left = told.find(({ seq }) => !numbers.includes(seq))
    assert.isUndefined(left, `event ${left?.seq} is not told to who goes on behind ${after}`)
  }
  for (const after of [last + 1, ...(removed > 0 ? [removed - 1] : [])]) {
    const [first] = yield* hear(caller, after)
    assert.strictEqual(first?._tag, "ResyncRequired", `who goes on behind ${after} is not told to read anew`)
  }
})
