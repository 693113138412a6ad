import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ScopeInvalid } from "../access/AccessErrors.ts"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { InboxAccess } from "../access/InboxAccess.ts"
import type { Source } from "../connectors/Source.ts"
import type { EventFeed } from "../inbox/EventFeed.ts"
import type { Inbox } from "../inbox/Inbox.ts"
import type { Ingest } from "../inbox/Ingest.ts"
import type { ItemPosition } from "../inbox/InboxItem.ts"
import type { ItemQuery } from "../inbox/InboxStore.ts"
import type { Sync } from "../inbox/Sync.ts"
import type { ThreadStatus } from "../inbox/Thread.ts"
import type { MediaContexts } from "../inbox/MediaContexts.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { Replies } from "../outbound/Replies.ts"
import { showOperation } from "../outbound/ShownOperation.ts"
import { SocialAccountId } from "../kernel/Ids.ts"
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
import { type PlainOperation, toPlainOperation } from "./plainOperation.ts"
import { type PlainMediaContext, type PlainReply, toPlainContext, toPlainReply } from "./plainReply.ts"
import { toLimit } from "./listRequest.ts"
import type { CallOptions, Run } from "./run.ts"

/**
 * Whose inbox: one managed user's, or the whole workspace's, where `externalUserId` is left out or null. Your service has
 * judged its own caller. `undefined` is refused, as ScopeInvalid: it is a user whom somebody forgot to look up.
 */
export interface PlainScope {
  readonly workspaceId: string
  readonly externalUserId?: string | null
}

const requireScope = (scope: PlainScope): Effect.Effect<void, ScopeInvalid> =>
  "externalUserId" in scope && scope.externalUserId === undefined
    ? Effect.fail(new ScopeInvalid({ reason: "external_user_id_required" }))
    : Effect.void

/** What to list, newest first; 50 items unless said. What is left out, or null, narrows nothing. */
export interface ItemListRequest {
  /** 1–500. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: ItemPosition | null | undefined
  readonly source?: Source | null | undefined
  readonly isRead?: boolean | null | undefined
  readonly isOwn?: boolean | null | undefined
  readonly threadStatus?: ThreadStatus | null | undefined
  readonly threadKey?: string | null | undefined
  readonly accountId?: string | null | undefined
  /** A name, or `{ nobody: true }`. */
  readonly assignedTo?: string | { readonly nobody: true } | null | undefined
  /** Inclusive. */
  readonly receivedAfter?: Date | null | undefined
  /** Exclusive. */
  readonly receivedBefore?: Date | null | undefined
}

/** A page of items; only `next: null` is the end. */
export interface PlainItemPage {
  readonly items: ReadonlyArray<PlainItem>
  readonly next: ItemPosition | null
}

const noItems: PlainItemPage = { items: [], next: null }

export interface InboxFacade {
  readonly list: (scope: PlainScope, request?: ItemListRequest, options?: CallOptions) => Promise<PlainItemPage>
  /** Unread items that are not the account's own. */
  readonly count: (scope: PlainScope, options?: CallOptions) => Promise<number>
  readonly find: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainItem>
  readonly markRead: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
  /** Marks everything unread that was stored when it began; answers how many. */
  readonly markAllRead: (scope: PlainScope, options?: CallOptions) => Promise<number>
  /** A name only with `assigned`; left out it stays, `null` clears it. */
  readonly setThreadState: (
    scope: PlainScope,
    id: string,
    state: { readonly threadStatus: ThreadStatus; readonly assignedTo?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainItem>
  /**
   * Answers an item, and waits up to 20 seconds for a worker to send it. What is accepted is sent at most once, whoever
   * waits: the same `idempotencyKey` and text give the same reply again. Required for X.
   */
  readonly reply: (
    scope: PlainScope,
    id: string,
    request: { readonly text: string; readonly idempotencyKey?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainReply>
  /** What became of a reply. */
  readonly findOperation: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainOperation>
  /** The post that an item belongs to; rejects with `NoParent` where there is none. */
  readonly findMediaContext: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainMediaContext>
  /**
   * Stores what happened on networks, for every workspace that has connected the account; in any order, and as often
   * as you like. Answers how many items are new.
   */
  readonly ingest: (
    activities: ReadonlyArray<PlainActivity>,
    options?: CallOptions
  ) => Promise<{ readonly created: number; readonly unrouted: number }>
  /** Polls every account of the scope; waits some seconds for the answer, and goes on without it. */
  readonly sync: (scope: PlainScope, options?: CallOptions) => Promise<PlainSync>
  /** Reads the past of X accounts, within bounds. One that may cost much answers with a token first. */
  readonly backfill: (
    scope: PlainScope,
    request?: BackfillOptions,
    options?: CallOptions
  ) => Promise<PlainSync | PlainConfirmation>
  /** A sync as it is now. */
  readonly findSync: (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainSync>
  /**
   * Follows a scope live, or from behind the event `after` on: each event once, in order. Leaving the loop, or the
   * signal, ends it.
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

const toAssignee = (asked: ItemListRequest["assignedTo"]): ItemQuery["assignedTo"] =>
  Option.map(Option.fromNullishOr(asked), (name) => (typeof name === "string" ? Option.some(name) : Option.none()))

/** The query, or none if it asks for an account whose id is no id: nothing has it. */
const toQuery = Effect.fnUntraced(function* (request: ItemListRequest) {
  const limit = yield* toLimit(request.limit, 500)
  const accountId = Option.fromNullishOr(request.accountId)
  if (Option.isSome(accountId) && !isAccountId(accountId.value)) return Option.none<ItemQuery>()
  return Option.some<ItemQuery>({
    limit,
    after: Option.fromNullishOr(request.after),
    source: Option.fromNullishOr(request.source),
    isRead: Option.fromNullishOr(request.isRead),
    isOwn: Option.fromNullishOr(request.isOwn),
    threadStatus: Option.fromNullishOr(request.threadStatus),
    threadKey: Option.fromNullishOr(request.threadKey),
    accountId: Option.filter(accountId, isAccountId),
    assignedTo: toAssignee(request.assignedTo),
    receivedAfter: Option.map(Option.fromNullishOr(request.receivedAfter), DateTime.fromDateUnsafe),
    receivedBefore: Option.map(Option.fromNullishOr(request.receivedBefore), DateTime.fromDateUnsafe)
  })
})

export const makeInboxFacade = (
  { access, contexts, feed, inbox, ingest, replies, sync }: Services,
  run: Run
): InboxFacade => {
  const within = <A, E>(scope: PlainScope, use: (caller: EntitledCaller) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      Effect.andThen(requireScope(scope), () =>
        access.enterEmbedded(scope.workspaceId, Option.fromNullishOr(scope.externalUserId))
      ),
      use
    )

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
            return { items: items.map(toPlainItem), next: Option.getOrNull(next) }
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
    reply: (scope, id, { idempotencyKey, text }, options) =>
      run(
        within(scope, (caller) =>
          replies.reply(caller, id, {
            text,
            idempotencyKey: Option.map(Option.fromNullishOr(idempotencyKey), (key) => IdempotencyKey.make(key))
          })
        ).pipe(Effect.map(toPlainReply)),
        options
      ),
    findOperation: (scope, id, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(replies.find(caller, id), (found) => toPlainOperation(showOperation(found)))
        ),
        options
      ),
    findMediaContext: (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(contexts.find(caller, id), ({ context }) => toPlainContext(context))),
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
    events: (scope, { after, signal } = {}) => Stream.toAsyncIterable(endedBy(follow(scope, after), signal))
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
