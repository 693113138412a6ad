import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import { stateOf, toAssignee } from "../../rows/ItemRow.ts"
import { storable } from "../../rows/text.ts"

/** The filters of a list as SQL conditions on `items i`. */
export interface Conditions {
  /** Conditions that an index covers: no row is read that they exclude. */
  readonly driving: ReadonlyArray<Fragment>
  /** Conditions that filter the rows of the index. */
  readonly remaining: ReadonlyArray<Fragment>
  /**
   * Conditions on `threads t`, if the index is one of thread states: the items of large threads have no copy of the
   * state, so they are read thread by thread. `none` otherwise.
   */
  readonly large: Option.Option<ReadonlyArray<Fragment>>
}

/** A filter by the state of threads, which is stored with the items or, for large threads, only with the thread. */
interface StateFilter {
  readonly ofIndex: Fragment
  readonly ofThread: Fragment
  readonly ofEither: Fragment
}

/** Chooses the most selective filter with an index; the others filter its rows. */
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
    const named = [
      ...Option.toArray(Option.map(query.postId, (id) => sql`i.post_id = ${id}`)),
      ...Option.toArray(Option.map(query.threadKey, (key) => sql`i.thread_key = ${storable(key)}`))
    ]
    const [first, ...rest] = named
    if (first !== undefined) {
      const judged = states.map(({ ofEither }) => ofEither)
      return { driving: [first], remaining: [...rest, ...judged, ...isRead, ...isOwn], large: Option.none() }
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
    // There is no index on read items: they are nearly all of a large inbox.
    return Option.contains(query.isRead, false)
      ? { driving: isRead, remaining: isOwn, large: Option.none() }
      : { driving: [], remaining: [...isRead, ...isOwn], large: Option.none() }
  }
})
