import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import { stateOf, toAssignee } from "../../rows/ItemRow.ts"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { storable } from "../../rows/text.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

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
  /** All of them as conditions on any row of items, but for the search. */
  readonly whole: ReadonlyArray<Fragment>
}

/** A filter by the state of threads, which is stored with the items or, for large threads, only with the thread. */
interface StateFilter {
  readonly ofIndex: Fragment
  readonly ofThread: Fragment
  readonly ofEither: Fragment
}

/** Chooses the most selective filter with an index; the others filter its rows. */
export const makeConditions = Effect.map(SqlClient, (sql) => {
  const statusOf = inWorkspace(sql, stateOf("i").status)
  const assigneeOf = inWorkspace(sql, stateOf("i").assignee)

  const stateFilters = (
    workspaceId: WorkspaceId,
    { assignedTo, threadStatus }: ItemQuery
  ): ReadonlyArray<StateFilter> => [
    ...Option.toArray(
      Option.map(assignedTo, (name) => {
        const assignee = storable(toAssignee(name))
        return {
          ofIndex: sql`i.assignee = ${assignee}`,
          ofThread: sql`t.assignee = ${assignee}`,
          ofEither: sql`${assigneeOf(workspaceId)} = ${assignee}`
        }
      })
    ),
    ...Option.toArray(
      Option.map(threadStatus, (status) => ({
        ofIndex: sql`i.thread_status = ${status}`,
        ofThread: sql`t.status = ${status}`,
        ofEither: sql`${statusOf(workspaceId)} = ${status}`
      }))
    )
  ]

  /** The words of an item, looked up for each row. */
  const searched = (workspaceId: WorkspaceId, words: Option.Option<string>): ReadonlyArray<Fragment> =>
    Option.toArray(
      Option.map(
        words,
        (asked) => sql`coalesce((SELECT w.words @@ ${asked}::tsquery FROM item_words w
          WHERE w.workspace_id = ${workspaceId} AND w.account_id = i.account_id AND w.source = i.source
            AND w.external_id = i.external_id), false)`
      )
    )

  /** `words`: what is searched for, as a `tsquery`. */
  return (workspaceId: WorkspaceId, query: ItemQuery, words: Option.Option<string>): Conditions => {
    const states = stateFilters(workspaceId, query)
    const isRead = Option.toArray(Option.map(query.isRead, (read) => (read ? sql`i.is_read` : sql`NOT i.is_read`)))
    const isOwn = Option.toArray(Option.map(query.isOwn, (own) => (own ? sql`i.is_own` : sql`NOT i.is_own`)))
    const named = [
      ...Option.toArray(Option.map(query.postId, (id) => sql`i.post_id = ${id}`)),
      ...Option.toArray(Option.map(query.threadKey, (key) => sql`i.thread_key = ${storable(key)}`))
    ]
    const search = searched(workspaceId, words)
    const whole = [...named, ...states.map(({ ofEither }) => ofEither), ...isRead, ...isOwn]
    const [first, ...rest] = named
    if (first !== undefined) {
      const judged = states.map(({ ofEither }) => ofEither)
      const remaining = [...rest, ...judged, ...isRead, ...isOwn, ...search]
      return { driving: [first], remaining, large: Option.none(), whole }
    }
    const [state, ...others] = states
    if (state !== undefined) {
      const judged = others.map(({ ofEither }) => ofEither)
      return {
        driving: [state.ofIndex],
        remaining: [...judged, ...isRead, ...isOwn, ...search],
        large: Option.some(states.map(({ ofThread }) => ofThread)),
        whole
      }
    }
    // There is no index on read items: they are nearly all of a large inbox.
    return Option.contains(query.isRead, false)
      ? { driving: isRead, remaining: [...isOwn, ...search], large: Option.none(), whole }
      : { driving: [], remaining: [...isRead, ...isOwn, ...search], large: Option.none(), whole }
  }
})
