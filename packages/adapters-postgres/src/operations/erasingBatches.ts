import * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"

/** Rows that one transaction removes: fewer than a disk that is slow finds in its time-out. */
export const batchRows = 2_000

/** The pool's time-out is made for requests; a batch may wait for a disk that is busy. */
const batchTimeout = Duration.seconds(20)

/** For the whole transaction of a batch, the wait for a connection included. */
export const batchWait = Duration.seconds(30)

/** Gives the statements of this transaction a batch's time. */
export const limitBatch = (sql: SqlClient) =>
  sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(batchTimeout)}`)}`
