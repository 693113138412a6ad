import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { SocialAccountId, ThreadId, ThreadNoteId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ThreadChange } from "../items/decideMove.ts"
import type { InboxItem, ItemPosition } from "../items/InboxItem.ts"
import type { ItemScope } from "../items/ItemScope.ts"
import type { WorkState } from "../items/Thread.ts"
import type { AssigneeNotAllowed } from "../items/ThreadErrors.ts"
import type { InboxThread, ThreadOf, ThreadPosition } from "../items/threading/InboxThread.ts"
import type { ThreadNote } from "../items/threading/ThreadNote.ts"
import type { Source } from "../networks/Source.ts"
import type { SearchQuery } from "../search/SearchQuery.ts"
import type { LabelCount } from "./judgeLabels.ts"
import type { ThreadStage } from "./ThreadStage.ts"

/** Filters of a list; `none` matches everything. */
export interface ThreadFilter {
  readonly source: Option.Option<Source>
  readonly stage: Option.Option<ThreadStage>
  readonly accountId: Option.Option<SocialAccountId>
  /** An inner `none` matches unassigned threads. Snoozed ones are among them. */
  readonly assignedTo: Option.Option<Option.Option<string>>
  readonly isUnread: Option.Option<boolean>
  /** All of it is found in one item of the thread: in its body and its author's name. */
  readonly search: Option.Option<SearchQuery>
  /** However it is spelled: `foldLabel`. */
  readonly label: Option.Option<string>
}

export interface ThreadQuery extends ThreadFilter {
  /** Maximum number of threads; the caller has validated it. */
  readonly limit: number
  /** Return only threads after this position, that is, with an older last item. */
  readonly after: Option.Option<ThreadPosition>
}

export interface ThreadPage {
  readonly threads: ReadonlyArray<InboxThread>
  /** The position of the next page; absent at the end. A short page may have one, too. */
  readonly next: Option.Option<ThreadPosition>
}

/** Which items of a thread, by (`receivedAt`, `id`). */
export interface ThreadItemsQuery {
  readonly order: "newest" | "oldest"
  readonly limit: number
  readonly after: Option.Option<ItemPosition>
}

export interface ThreadItems {
  readonly items: ReadonlyArray<InboxItem>
  readonly next: Option.Option<ItemPosition>
}

/** How a caller's change of a thread is decided, under its lock. */
export type DecideThread = (named: ThreadOf, before: WorkState) => Result.Result<ThreadChange, AssigneeNotAllowed>

/**
 * Port: threads as records, which every change of an item keeps in its transaction: with what `ThreadTally` says of
 * them. Only threads with an item are found, and only those of connected accounts (api-2-decided B14).
 *
 * Locks are taken in the order of `InboxStore`: the thread, items, counters, the workspace's event number.
 */
export class ThreadStore extends Context.Service<
  ThreadStore,
  {
    /** The newest last item first, by (`lastItem.receivedAt`, `id`). A page costs the same wherever it begins. */
    readonly list: (scope: ItemScope, query: ThreadQuery) => Effect.Effect<ThreadPage, StoreUnavailable>
    readonly find: (scope: ItemScope, id: ThreadId) => Effect.Effect<Option.Option<InboxThread>, StoreUnavailable>
    /** `none`: there is no such thread. */
    readonly items: (
      scope: ItemScope,
      id: ThreadId,
      query: ThreadItemsQuery
    ) => Effect.Effect<Option.Option<ThreadItems>, StoreUnavailable>
    /**
     * Marks at most `limit` unread items of a thread as read, the newest first, each with its event.
     *
     * @returns how many; `none`: there is no such thread.
     */
    readonly markRead: (
      scope: ItemScope,
      id: ThreadId,
      limit: number,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** Changes the state of a thread under its lock. Without an event nothing is written. */
    readonly change: (
      scope: ItemScope,
      id: ThreadId,
      decide: DecideThread,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<InboxThread>, AssigneeNotAllowed | StoreUnavailable>
    /**
     * Gives a thread these labels in place of its own, with its event; where they are the same already, nothing is
     * written. `judgeLabels` has judged them.
     */
    readonly setLabels: (
      scope: ItemScope,
      id: ThreadId,
      labels: ReadonlyArray<string>,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<InboxThread>, StoreUnavailable>
    /** The labels of threads that are found, the most used by open ones first, then by their folded names. */
    readonly labels: (scope: ItemScope, limit: number) => Effect.Effect<ReadonlyArray<LabelCount>, StoreUnavailable>
    /**
     * Stores a note on its thread, with its event.
     *
     * @returns whether the thread was there.
     */
    readonly addNote: (scope: ItemScope, note: ThreadNote) => Effect.Effect<boolean, StoreUnavailable>
    /** The oldest first. `none`: there is no such thread. */
    readonly notes: (
      scope: ItemScope,
      id: ThreadId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<ThreadNote>>, StoreUnavailable>
    /**
     * Deletes a note, with its event.
     *
     * @returns whether there was one; `none`: there is no such thread.
     */
    readonly removeNote: (
      scope: ItemScope,
      id: ThreadId,
      noteId: ThreadNoteId,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<boolean>, StoreUnavailable>
    /**
     * Ends at most `limit` snoozes that are over, each once in whatever process looks.
     *
     * @returns how many.
     */
    readonly wakeDue: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Counts at most `limit` threads that a version before this one wrote, which keeps no counts. Until then they are in
     * no list.
     *
     * @returns how many.
     */
    readonly countLeft: (limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/threads/ThreadStore") {}

/** Matches every thread. */
export const noThreadFilter: ThreadFilter = {
  source: Option.none(),
  stage: Option.none(),
  accountId: Option.none(),
  assignedTo: Option.none(),
  isUnread: Option.none(),
  search: Option.none(),
  label: Option.none()
}
