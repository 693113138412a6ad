import * as Effect from "effect/Effect"
import { LabelsInvalid } from "./ThreadErrors.ts"

/** Labels of one thread at most, and characters of one (api-2.md §14). */
export const labelLimits = { count: 20, characters: 50 } as const

/** How many labels a list of them has at most (api-2-decided B7). */
export const listedLabels = 1_000

/** How many threads that are not resolved have a label, however they spell it. */
export interface LabelCount {
  /** As it was spelled first. */
  readonly label: string
  readonly openThreads: number
}

/**
 * What labels are compared by: Unicode's default case folding, of no language (api-2-decided B12). Capitals first, so that
 * `ß` and `SS` are one, as the folding has it.
 */
export const foldLabel = (label: string): string => label.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")

/** The labels as a thread keeps them: of those that differ in case only, the first. */
export const judgeLabels = (labels: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, LabelsInvalid> => {
  if (labels.length > labelLimits.count) return Effect.fail(new LabelsInvalid({ reason: "too_many", at: [] }))
  const at = labels.flatMap((label, n) =>
    label.trim() === "" ||
    Array.from(label).length > labelLimits.characters ||
    label.includes("\0") ||
    !label.isWellFormed()
      ? [n]
      : []
  )
  if (at.length > 0) return Effect.fail(new LabelsInvalid({ reason: "label", at }))
  const kept = new Map<string, string>()
  for (const label of labels) if (!kept.has(foldLabel(label))) kept.set(foldLabel(label), label)
  return Effect.succeed(Array.from(kept.values()))
}

/** Whether labels are the same, also in their order and their spelling. */
export const isSameLabels = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((label, n) => label === b[n])
