import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hash128 } from "../../kernel/hash128.ts"
import { ThreadId, toBase32, WorkspaceId } from "../../kernel/Ids.ts"
import type { NetworkTable } from "../../networks/Networks.ts"
import { judgeAccountActions, type JudgedActions } from "../acting/judgeAction.ts"
import { ReplyWindow, replyWindowOf } from "../acting/replyWindow.ts"
import { type AccountOfItem, InboxItem, toInboxItem, type ReadItem } from "../InboxItem.ts"
import { ThreadStatus, type WorkState } from "../Thread.ts"

/** Who wrote in a thread, beside the account. */
export const Participant = Schema.Struct({
  authorId: Schema.Option(Schema.String),
  authorName: Schema.String,
  authorAvatarUrl: Schema.Option(Schema.String)
})
export type Participant = typeof Participant.Type

/** How many of a thread's newest participants it shows (api-2.md §14). */
export const shownParticipants = 5

/** A thread with at least one item, as readers see it (api-2.md §14). */
export const InboxThread = Schema.Struct({
  id: ThreadId,
  workspaceId: WorkspaceId,
  accountId: InboxItem.fields.accountId,
  source: InboxItem.fields.source,
  threadKey: Schema.String,
  account: InboxItem.fields.account,
  status: ThreadStatus,
  assignedTo: Schema.Option(Schema.String),
  /** Out of sight until then. */
  snoozedUntil: Schema.Option(Schema.DateTimeUtc),
  labels: Schema.Array(Schema.String),
  /** Items that are neither read nor the account's own. */
  unreadCount: Schema.Int,
  /** Listed items, own ones too. */
  itemCount: Schema.Int,
  /** The newest by (`receivedAt`, `id`). */
  lastItem: InboxItem,
  /** When the newest item of another person was received. */
  lastInboundAt: Schema.Option(Schema.DateTimeUtc),
  /** Whether its newest direct message may be answered, when this was made. */
  replyWindow: Schema.Option(ReplyWindow),
  /** The newest first. */
  participants: Schema.Array(Participant),
  /** When its first item was stored. */
  createdAt: Schema.DateTimeUtc
})
export type InboxThread = typeof InboxThread.Type

/** What identifies a thread. */
export type ThreadOf = Pick<InboxItem, "accountId" | "source" | "threadKey">

/** The id of a thread: the same for all of its items, in every process and version. */
export const threadIdOf = ({ accountId, source, threadKey }: ThreadOf): ThreadId =>
  ThreadId.make(`thr_${toBase32(hash128(`${accountId} ${source} ${threadKey}`))}`, { disableChecks: true })

/** What a store reads of a thread to show it. */
export interface ReadThread {
  readonly state: WorkState
  readonly labels: ReadonlyArray<string>
  readonly unreadCount: number
  readonly itemCount: number
  readonly lastItem: ReadItem
  readonly lastInboundAt: Option.Option<DateTime.Utc>
  /** The newest first; more than are shown, for those without a name are left out. */
  readonly participants: ReadonlyArray<Pick<ReadItem, "authorId" | "authorName" | "authorAvatarUrl">>
  readonly createdAt: DateTime.Utc
}

/** The thread as readers see it. Whoever shows a page of threads judges each account once, and gives what was judged. */
export const toInboxThread = (
  networks: NetworkTable,
  read: ReadThread,
  account: AccountOfItem,
  now: DateTime.Utc,
  judged: JudgedActions = judgeAccountActions(networks, account)
): InboxThread => {
  const { lastInboundAt, lastItem, state } = read
  const { accountId, source, threadKey, workspaceId } = lastItem
  const item = toInboxItem(networks, lastItem, state, account, { now, newestInboundAt: lastInboundAt }, judged)
  return {
    id: threadIdOf(lastItem),
    workspaceId,
    accountId,
    source,
    threadKey,
    account: item.account,
    status: state.status,
    assignedTo: state.assignedTo,
    snoozedUntil: state.snoozedUntil,
    labels: read.labels,
    unreadCount: read.unreadCount,
    itemCount: read.itemCount,
    lastItem: item,
    lastInboundAt,
    // Another's item has the window of the thread; the account's own has none.
    replyWindow: Option.flatMap(lastInboundAt, (receivedAt) =>
      lastItem.isOwn
        ? replyWindowOf(networks.traitsOf(source), { isOwn: false, receivedAt }, account, lastInboundAt, now)
        : item.replyWindow
    ),
    participants: read.participants
      .flatMap(({ authorAvatarUrl, authorId, authorName }) =>
        Option.isSome(authorName) ? [{ authorId, authorName: authorName.value, authorAvatarUrl }] : []
      )
      .slice(0, shownParticipants),
    createdAt: read.createdAt
  }
}

/** The position of a thread in a list, which is sorted by the time of its last item, newest first. */
export interface ThreadPosition {
  readonly lastItemAt: DateTime.Utc
  readonly id: ThreadId
}
