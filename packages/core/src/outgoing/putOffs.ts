import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { defectPause } from "../kernel/lease/supervised.ts"

interface PutOff {
  readonly faults: number
  readonly until_ms: number
}

/** Who was not tried for so long after it was due has nothing to write any more: it was erased, or its endpoints were. */
const forgottenAfter_ms = Duration.toMillis(Duration.hours(1))

/** One more than that makes the one whose last fault is the oldest due at once. */
const mostKept = 10_000

/** Workspaces that meet defects, each with a pause that grows with its faults in a row. */
export const makePutOffs = Effect.map(Clock.Clock, (clock) => {
  // In the order of their last faults.
  const kept = new Map<WorkspaceId, PutOff>()

  const forget = (now_ms: number): void => {
    for (const [id, { until_ms }] of kept) {
      if (kept.size <= mostKept && until_ms > now_ms - forgottenAfter_ms) continue
      kept.delete(id)
    }
  }

  return {
    isDue: (id: WorkspaceId): boolean => (kept.get(id)?.until_ms ?? 0) <= clock.currentTimeMillisUnsafe(),
    /** It went well. */
    clear: (id: WorkspaceId): void => void kept.delete(id),
    /** It met a defect; returns how long it is put off. */
    putOff: (id: WorkspaceId): Duration.Duration => {
      const now_ms = clock.currentTimeMillisUnsafe()
      const faults = (kept.get(id)?.faults ?? 0) + 1
      const pause = defectPause(faults)
      kept.delete(id)
      kept.set(id, { faults, until_ms: now_ms + Duration.toMillis(pause) })
      forget(now_ms)
      return pause
    },
    size: (): number => kept.size
  }
})
