import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { LoopName } from "../kernel/lease/LoopName.ts"
import { supervisedStream } from "../kernel/lease/supervised.ts"
import type { InboxEvents } from "./InboxEvents.ts"

/** Fallback poll, in case a notification is lost; less and less often. */
const firstLook = Duration.seconds(1)
const lookAtLeastEvery = Duration.seconds(2)

/** Shortest interval between two reads: every event of the workspace is a wake-up. */
const lookAgainAfter = Duration.millis(100)

/**
 * For a caller that waits for an outcome with an event. Subscribes now, until the scope closes. The returned effect
 * ends when the workspace has a new event, or when a fallback poll is due.
 */
export const makeAwaitChange = Effect.fnUntraced(function* (
  events: InboxEvents["Service"],
  workspaceId: WorkspaceId,
  loop: Extract<LoopName, "replies.results" | "sync.results">
): Effect.fn.Return<Effect.Effect<void>, never, Scope.Scope> {
  const changed = yield* Queue.sliding<void>(1)
  const changes = Stream.filter(events.changes, (id) => id === workspaceId)
  yield* supervisedStream(loop, changes, () => Queue.offer(changed, undefined), { startImmediately: true })
  let pause = Duration.zero
  let fallback = firstLook
  return Effect.suspend(() => {
    const [before, atMost] = [pause, fallback]
    pause = lookAgainAfter
    fallback = Duration.min(Duration.times(atMost, 1.5), lookAtLeastEvery)
    return Effect.andThen(Effect.sleep(before), Effect.raceFirst(Queue.take(changed), Effect.sleep(atMost)))
  })
})
