import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import { stateOf, toAssignee } from "../../rows/ItemRow.ts"
import { storable } from "../../rows/text.ts"

/** A list's filters, as conditions on `items i`. */
export interface Conditions {
  /** Answered by the index, so that every row read is a row given. */
  readonly driving: ReadonlyArray<Fragment>
  /** Judged on the rows that the index gives. */
  readonly remaining: ReadonlyArray<Fragment>
  /**
   * On `threads t`, where the index is one of states: items of large threads do not have theirs, and are read thread by
   * thread. `none` otherwise.
   */
  readonly large: Option.Option<ReadonlyArray<Fragment>>
}

/** A filter by the state of threads, wherever the state lies. */
interface StateFilter {
  readonly ofIndex: Fragment
  readonly ofThread: Fragment
  readonly ofEither: Fragment
}

/** The narrowest filter has an index; the others are judged on its rows. */
export const makeConditions = Effect.map(SqlClient, (sql) => {
  const stateFilters = ({ assignedTo, threadStatus }: ItemQuery): ReadonlyArray<StateFilter> => [
    ...Option.toArray(
      Option.map(assignedTo, (name) => {
        const assignee = storable(toAssignee(name))
        return {
          ofIndex: sql`i.assignee = ${assignee}`,
          ofThread: sql`t.assignee = ${assignee}`,
          ofEither: sql`${sql.literal(stateOf("i").assignee)} = ${assignee}`
        }
      })
    ),
    ...Option.toArray(
      Option.map(threadStatus, (status) => ({
        ofIndex: sql`i.thread_status = ${status}`,
        ofThread: sql`t.status = ${status}`,
        ofEither: sql`${sql.literal(stateOf("i").status)} = ${status}`
      }))
    )
  ]

  return (query: ItemQuery): Conditions => {
    const states = stateFilters(query)
    const isRead = Option.toArray(Option.map(query.isRead, (read) => (read ? sql`i.is_read` : sql`NOT i.is_read`)))
    const isOwn = Option.toArray(Option.map(query.isOwn, (own) => (own ? sql`i.is_own` : sql`NOT i.is_own`)))
    if (Option.isSome(query.threadKey)) {
      const isOfThread = sql`i.thread_key = ${storable(query.threadKey.value)}`
      const judged = states.map(({ ofEither }) => ofEither)
      return { driving: [isOfThread], remaining: [...judged, ...isRead, ...isOwn], large: Option.none() }
    }
    const [state, ...others] = states
    if (state !== undefined) {
      const judged = others.map(({ ofEither }) => ofEither)
      return {
        driving: [state.ofIndex],
        remaining: [...judged, ...isRead, ...isOwn],
        large: Option.some(states.map(({ ofThread }) => ofThread))
      }
    }
    // What is read already has no index: it is nearly all of a large inbox.
    return Option.contains(query.isRead, false)
      ? { driving: isRead, remaining: isOwn, large: Option.none() }
      : { driving: [], remaining: [...isRead, ...isOwn], large: Option.none() }
  }
})
