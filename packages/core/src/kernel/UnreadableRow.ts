import * as Context from "effect/Context"
import * as Data from "effect/Data"

/**
 * A stored row that this version cannot read: during an upgrade, or after one was taken back, it may be a newer version's.
 *
 * Stores die of it where they need just this row, so that nothing is decided without it; lists leave such rows out. A newer
 * version reads it, and a process of that may answer when the same is asked again.
 */
export class UnreadableRow extends Data.TaggedError("UnreadableRow")<{ readonly cause: unknown }> {}

export const isUnreadableRow = (value: unknown): value is UnreadableRow => value instanceof UnreadableRow

/** Whether lists that would leave an unreadable row out die of it instead: for whoever says that the answer is all there is. */
export const MustBeWhole = Context.Reference<boolean>("@loopbox/core/kernel/MustBeWhole", { defaultValue: () => false })
