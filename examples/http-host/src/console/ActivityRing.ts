import type { Reading } from "./activityCurves.ts"

/** One curve of what the host did: a value for each step, or null where nothing is known. */
export interface ActivitySeries {
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

/** Curves that are kept: labels come from lists of ours, and one that grows must not take the memory. */
const mostCurves = 200

interface Kept {
  readonly reading: Reading
  readonly values: Array<number | null>
}

/** The readings of the last steps, as what happened in each. */
export class ActivityRing {
  private readonly mostSteps: number
  private readonly ends: Array<number> = []
  private readonly curves = new Map<string, Kept>()
  private before: ReadonlyMap<string, Reading>

  constructor(mostSteps: number, before: ReadonlyMap<string, Reading>) {
    this.mostSteps = mostSteps
    this.before = before
  }

  /** Ends a step. */
  readonly note = (now: ReadonlyMap<string, Reading>, end_s: number): void => {
    for (const [key, reading] of now) {
      if (this.curves.has(key) || this.curves.size >= mostCurves) continue
      // Nothing of it was there before: of what is counted none, and of the rest nobody knows.
      const values = this.ends.map(() => (reading.kind === "count" ? 0 : null))
      this.curves.set(key, { reading, values })
    }
    this.ends.push(end_s)
    for (const [key, { reading, values }] of this.curves)
      values.push(inStep(now.get(key) ?? reading, this.before.get(key)))
    this.before = now
    if (this.ends.length <= this.mostSteps) return
    this.ends.shift()
    for (const { values } of this.curves.values()) values.shift()
  }

  /** The ends of the steps, in seconds since 1970, the oldest first. */
  get times(): ReadonlyArray<number> {
    return [...this.ends]
  }

  get series(): ReadonlyArray<ActivitySeries> {
    return Array.from(this.curves.values(), ({ reading: { label, name }, values }) => ({
      name,
      label,
      values: [...values]
    }))
  }
}

/** Numbers in answers need no more. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

const inStep = (now: Reading, before: Reading | undefined): number | null => {
  if (now.kind === "level") return rounded(now.total)
  const total = now.total - (before?.total ?? 0)
  if (now.kind === "count") return rounded(total)
  const count = now.count - (before?.count ?? 0)
  return count > 0 ? rounded(total / count) : null
}
