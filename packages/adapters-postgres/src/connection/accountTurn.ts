/**
 * Conditions on a row of `social_accounts` that queue for it before it is locked.
 *
 * PostgreSQL lets a new FOR SHARE pass whoever waits for the row, so while units of ingest overlap without end, a change
 * of their account never gets it, and is refused when its time is over. Locks of the advisory kind are given in the order
 * in which they were asked for. They only keep the order: what is right is decided by the lock of the row. A database that
 * is spread over nodes evaluates the condition, and keeps this queue, on the node that has the row.
 *
 * Only for the first lock of a transaction, or right before the row's own lock: whoever waits here behind another holds
 * nothing that the other one needs.
 */
const keyOf = (alias: string) => `hashtextextended('account:' || ${alias}.workspace_id || ' ' || ${alias}.id, 0)`

/** For those that lock the row FOR SHARE again and again. They wait for changes that were there before them. */
export const sharedTurn = (alias: string): string => `pg_advisory_xact_lock_shared(${keyOf(alias)}) IS NOT NULL`

/** For those that change the row. */
export const ownTurn = (alias: string): string => `pg_advisory_xact_lock(${keyOf(alias)}) IS NOT NULL`
