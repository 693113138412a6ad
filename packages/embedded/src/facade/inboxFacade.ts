import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { Source } from "@loopbox/core/networks/Source"
import type { EventFeed } from "@loopbox/core/feed/EventFeed"
import type { Inbox } from "@loopbox/core/inbox/Inbox"
import type { Ingest } from "@loopbox/core/inbox/Ingest"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { Sync } from "@loopbox/core/sync/Sync"
import type { ThreadStatus } from "@loopbox/core/items/Thread"
import type { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type { ReplyTag } from "@loopbox/core/networks/Reply"
import type { Replies } from "@loopbox/core/replies/Replies"
import { showOperation } from "@loopbox/core/outbound/showOperation"
import { PostId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import { type PlainActivity, toActivities } from "./plainActivity.ts"
import { type PlainEvent, type PlainItem, toPlainEvent, toPlainItem } from "./plainInbox.ts"
import {
  type BackfillOptions,
  type PlainConfirmation,
  type PlainSync,
  toBackfill,
  toPlainAnswer,
  toPlainSync
} from "./plainSync.ts"
import type { PlainOperation } from "./plainOperation.ts"
import { type PlainMediaContext, type PlainReply, toPlainReply } from "./plainReply.ts"
import { toLimit } from "./listRequest.ts"
import { type PlainItemPlace, toItemPosition } from "./places.ts"
import type { CallOptions, Run } from "./run.ts"
import { toldIterable } from "./told.ts"
import { toPlain } from "./toPlain.ts"
import { toSearch } from "./toSearch.ts"
import { makeWithin, type PlainScope } from "./within.ts"
import { toOptionalMoment } from "./toMoment.ts"

/** The filters of a list, newest first; 50 items by default. Absent and null filters match everything. */
export interface ItemListRequest {
  /** 1–500. */
  readonly limit?: number | undefined
  /** `next` of the previous page. */
  readonly after?: PlainItemPlace | null | undefined
  readonly source?: Source | null | undefined
  readonly isRead?: boolean | null | undefined
  readonly isOwn?: boolean | null | undefined
  readonly threadStatus?: ThreadStatus | null | undefined
  readonly threadKey?: string | null | undefined
  /** Items that hang on this post, which was published here. */
  readonly postId?: string | null | undefined
  readonly accountId?: string | null | undefined
  /** An assignee, or `{ nobody: true }` for unassigned threads. */
  readonly assignedTo?: string | { readonly nobody: true } | null | undefined
  /** Inclusive. */
  readonly receivedAfter?: Date | null | undefined
  /** Exclusive. */
  readonly receivedBefore?: Date | null | undefined
  /**
   * Items that have every word of it in their body or their author's name, the last one as the beginning of a word; case and
   * accents don't count. 2 to 200 characters with a letter or a digit, or a symbol, else it rejects with `SearchInvalid`.
   */
  readonly q?: string | null | undefined
}

/** A page of items. Only `next: null` means the end, even after a short page. */
export interface PlainItemPage {
  readonly items: ReadonlyArray<PlainItem>
  readonly next: PlainItemPlace | null
}

const noItems: PlainItemPage = { items: [], next: null }

/** What a reply says. */
export interface PlainReplyRequest {
  /** May be absent with a file. */
  readonly text?: string | null | undefined
  /** At most one file, where the item's `capabilities` have `reply_media`; a direct message is a text or a file. */
  readonly mediaIds?: ReadonlyArray<string> | null | undefined
  readonly tag?: ReplyTag | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

export interface InboxFacade {
  readonly list: (scope: PlainScope, request?: ItemListRequest, options?: CallOptions) => Promise<PlainItemPage>
  /** Unread items that are not the account's own. */
  readonly count: (scope: PlainScope, options?: CallOptions) => Promise<number>
  readonly find: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainItem>
  readonly markRead: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
  /** An item that the account wrote stays read. */
  readonly markUnread: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
  /** Marks all items read that were stored when it started; returns how many. */
  readonly markAllRead: (scope: PlainScope, options?: CallOptions) => Promise<number>
  /** An open thread takes no assignee; left out it stays, `null` and `""` clear it. */
  readonly setThreadState: (
    scope: PlainScope,
    id: string,
    state: { readonly threadStatus: ThreadStatus; readonly assignedTo?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainItem>
  /**
   * Replies to an item, and waits up to 20 seconds for a worker to send it. An accepted reply is sent at most once: the
   * same `idempotencyKey`, text and file return the same reply. X requires a key. With the `tag` `human_agent` a person answers
   * a direct message after its 24 hours, where the account has the permission; else it rejects with `ActionNotAvailable`.
   */
  readonly reply: (
    scope: PlainScope,
    id: string,
    request: PlainReplyRequest,
    options?: CallOptions
  ) => Promise<PlainReply>
  /**
   * Answers a comment by a direct message, once, within 7 days (Instagram, Facebook), as `reply` does. Rejects with
   * `ActionNotAvailable` if that is not among the item's `capabilities`.
   */
  readonly replyPrivately: (
    scope: PlainScope,
    id: string,
    request: { readonly text: string; readonly idempotencyKey?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainReply>
  /** The current state of a reply. */
  readonly findOperation: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainOperation>
  /** The post that an item belongs to; rejects with `NoParent` if there is none. */
  readonly findMediaContext: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainMediaContext>
  /**
   * Stores activities of networks, for every workspace that has connected the account. Order and repetition do not
   * matter. Returns how many items are new.
   */
  readonly ingest: (
    activities: ReadonlyArray<PlainActivity>,
    options?: CallOptions
  ) => Promise<{ readonly created: number; readonly unrouted: number }>
  /** Polls every account of the scope, and waits some seconds for the result. The sync continues after that. */
  readonly sync: (scope: PlainScope, options?: CallOptions) => Promise<PlainSync>
  /** Reads the past of X accounts, within bounds. A large backfill returns a confirmation token first. */
  readonly backfill: (
    scope: PlainScope,
    request?: BackfillOptions,
    options?: CallOptions
  ) => Promise<PlainSync | PlainConfirmation>
  /** The current state of a sync. */
  readonly findSync: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainSync>
  /**
   * Streams the events of a scope from now on, or after the event `after`: each event once, in order. Leaving the loop
   * or aborting the signal ends it.
   */
  readonly events: (
    scope: PlainScope,
    request?: CallOptions & { readonly after?: number | null | undefined }
  ) => AsyncIterable<PlainEvent>
}

interface Services {
  readonly access: InboxAccess["Service"]
  readonly inbox: Inbox["Service"]
  readonly feed: EventFeed["Service"]
  readonly ingest: Ingest["Service"]
  readonly sync: Sync["Service"]
  readonly replies: Replies["Service"]
  readonly contexts: MediaContexts["Service"]
}

const isAccountId = Schema.is(SocialAccountId)
const isPostId = Schema.is(PostId)

const decodeKey = Schema.decodeUnknownEffect(Schema.Struct({ idempotencyKey: Schema.NullOr(IdempotencyKey) }))

const toAssignee = (asked: ItemListRequest["assignedTo"]): ItemQuery["assignedTo"] =>
  Option.map(Option.fromNullishOr(asked), (name) => (typeof name === "string" ? Option.some(name) : Option.none()))

/** The query, or `none` if the id of its account or post is malformed: nothing can match. */
const toQuery = Effect.fnUntraced(function* (request: ItemListRequest) {
  const limit = yield* toLimit(request.limit, 500)
  const after = yield* toItemPosition(request.after)
  const accountId = Option.fromNullishOr(request.accountId)
  if (Option.isSome(accountId) && !isAccountId(accountId.value)) return Option.none<ItemQuery>()
  const postId = Option.fromNullishOr(request.postId)
  if (Option.isSome(postId) && !isPostId(postId.value)) return Option.none<ItemQuery>()
  return Option.some<ItemQuery>({
    limit,
    after,
    source: Option.fromNullishOr(request.source),
    isRead: Option.fromNullishOr(request.isRead),
    isOwn: Option.fromNullishOr(request.isOwn),
    threadStatus: Option.fromNullishOr(request.threadStatus),
    threadKey: Option.fromNullishOr(request.threadKey),
    postId: Option.filter(postId, isPostId),
    accountId: Option.filter(accountId, isAccountId),
    assignedTo: toAssignee(request.assignedTo),
    receivedAfter: yield* toOptionalMoment("receivedAfter", request.receivedAfter),
    receivedBefore: yield* toOptionalMoment("receivedBefore", request.receivedBefore),
    search: yield* toSearch(request.q)
  })
})

export const makeInboxFacade = (
  { access, contexts, feed, inbox, ingest, replies, sync }: Services,
  run: Run
): InboxFacade => {
  const within = makeWithin(access)

  const follow = (scope: PlainScope, after: number | null | undefined) =>
    Stream.unwrap(
      within(scope, (caller) => Effect.succeed(caller)).pipe(
        Effect.flatMap((caller) => feed.subscribe(caller, Option.fromNullishOr(after))),
        Effect.map(
          Stream.flatMap((message): Stream.Stream<PlainEvent> => {
            if (message._tag === "Hello") return Stream.empty
            return message._tag === "Delivered"
              ? Stream.succeed(toPlainEvent(message.event))
              : Stream.succeed({ seq: message.seq, change: { type: "resync_required" } })
          })
        )
      )
    )

  return {
    list: (scope, request = {}, options) =>
      run(
        within(
          scope,
          Effect.fnUntraced(function* (caller) {
            const query = yield* toQuery(request)
            if (Option.isNone(query)) return noItems
            const { items, next } = yield* inbox.list(caller, query.value)
            return { items: items.map(toPlainItem), next: toPlain(next) }
          })
        ),
        options
      ),
    count: (scope, options) => run(within(scope, inbox.countUnread), options),
    find: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(inbox.find(caller, id), toPlainItem)),
        options
      ),
    markRead: (scope, id, options) =>
      run(
        within(scope, (caller) => inbox.markRead(caller, id)),
        options
      ),
    markUnread: (scope, id, options) =>
      run(
        within(scope, (caller) => inbox.markUnread(caller, id)),
        options
      ),
    markAllRead: (scope, options) => run(within(scope, inbox.markAllRead), options),
    setThreadState: (scope, id, { assignedTo, threadStatus }, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(
            inbox.setThreadState(caller, id, {
              status: threadStatus,
              assignedTo: assignedTo === undefined ? undefined : Option.fromNullOr(assignedTo)
            }),
            toPlainItem
          )
        ),
        options
      ),
    reply: (scope, id, { idempotencyKey, mediaIds, tag, text }, options) =>
      run(
        within(scope, (caller) =>
          Effect.flatMap(decodeKey({ idempotencyKey: idempotencyKey ?? null }), (decoded) =>
            replies.reply(caller, id, {
              text: text ?? "",
              mediaIds: mediaIds ?? [],
              tag: tag ?? undefined,
              idempotencyKey: Option.fromNullOr(decoded.idempotencyKey)
            })
          )
        ).pipe(Effect.map(toPlainReply)),
        options
      ),
    replyPrivately: (scope, id, { idempotencyKey, text }, options) =>
      run(
        within(scope, (caller) =>
          Effect.flatMap(decodeKey({ idempotencyKey: idempotencyKey ?? null }), (decoded) =>
            replies.replyPrivately(caller, id, { text, idempotencyKey: Option.fromNullOr(decoded.idempotencyKey) })
          )
        ).pipe(Effect.map(toPlainReply)),
        options
      ),
    findOperation: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(replies.find(caller, id), (found) => toPlain(showOperation(found)))),
        options
      ),
    findMediaContext: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(contexts.find(caller, id), ({ context }) => toPlain(context))),
        options
      ),
    ingest: (activities, options) =>
      run(
        toActivities(activities).pipe(
          Effect.flatMap((all) => ingest.ingest({ activities: all, deliveryIds: [], isLastTry: true })),
          Effect.flatMap(({ created, failures, unrouted }) =>
            failures.length > 0 ? Effect.die(new Error(failures.join("; "))) : Effect.succeed({ created, unrouted })
          )
        ),
        options
      ),
    sync: (scope, options) =>
      run(
        within(scope, (caller) => Effect.map(sync.poll(caller), toPlainSync)),
        options
      ),
    backfill: (scope, request = {}, options) =>
      run(
        within(scope, (caller) =>
          Effect.flatMap(toBackfill(request), (asked) => Effect.map(sync.backfill(caller, asked), toPlainAnswer))
        ),
        options
      ),
    findSync: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(sync.find(caller, id), toPlainSync)),
        options
      ),
    events: (scope, { after, signal } = {}) => toldIterable(endedBy(follow(scope, after), signal))
  }
}

/** The stream until a signal is aborted. */
const endedBy = <A, E>(stream: Stream.Stream<A, E>, signal: AbortSignal | undefined): Stream.Stream<A, E> =>
  signal === undefined
    ? stream
    : Stream.interruptWhen(
        stream,
        Effect.callback<void>((resume) => {
          const end = () => resume(Effect.void)
          if (signal.aborted) return end()
          signal.addEventListener("abort", end, { once: true })
          return Effect.sync(() => signal.removeEventListener("abort", end))
        })
      )
