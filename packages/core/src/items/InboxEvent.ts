import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboxScope } from "../access/InboxScope.ts"
import { AccountView } from "../accounts/AccountView.ts"
import { Source } from "../networks/Source.ts"
import { InboxItemId, SocialAccountId, SyncId, ThreadId, ThreadNoteId, type WorkspaceId } from "../kernel/Ids.ts"
import { InboxItem } from "./InboxItem.ts"
import { InboxThread } from "./threading/InboxThread.ts"
import { ThreadNote } from "./threading/ThreadNote.ts"
import { ShownEndpoint } from "./ShownEndpoint.ts"
import { ShownOperation } from "./ShownOperation.ts"
import { ShownPost } from "./ShownPost.ts"
import { ThreadStatus } from "./Thread.ts"

/** Common fields of events about the items of one account. */
const ofAccount = { accountId: SocialAccountId, source: Source }

export const NewItem = Schema.TaggedStruct("NewItem", { ...ofAccount, item: InboxItem })
export const ItemUpdated = Schema.TaggedStruct("ItemUpdated", { ...ofAccount, item: InboxItem })
export const ItemDeleted = Schema.TaggedStruct("ItemDeleted", { ...ofAccount, itemId: InboxItemId })
export const ThreadUpdated = Schema.TaggedStruct("ThreadUpdated", {
  ...ofAccount,
  threadKey: Schema.String,
  status: ThreadStatus,
  assignedTo: Schema.Option(Schema.String),
  /** As it was right after the change; absent in events of earlier versions, and of threads without an item. */
  thread: Schema.Option(InboxThread).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone))
})

export const NoteAdded = Schema.TaggedStruct("NoteAdded", { ...ofAccount, note: ThreadNote })
export const NoteDeleted = Schema.TaggedStruct("NoteDeleted", {
  ...ofAccount,
  threadId: ThreadId,
  noteId: ThreadNoteId
})

/** One batch of a mark-all: items up to this event number are read, in the workspace or for one managed user. */
export const ItemsRead = Schema.TaggedStruct("ItemsRead", {
  externalUserId: Schema.Option(Schema.String),
  upToSeq: Schema.Int,
  /** `none` in the copy of a workspace-wide batch for a managed user, who must not see the total. */
  marked: Schema.Option(Schema.Int)
})

/** The outcome of a reply changed. */
export const ReplyUpdated = Schema.TaggedStruct("ReplyUpdated", { ...ofAccount, operation: ShownOperation })

export const SyncCompleted = Schema.TaggedStruct("SyncCompleted", {
  externalUserId: Schema.Option(Schema.String),
  syncId: SyncId,
  newItems: Schema.Int
})

/**
 * An account got another owner, or was disconnected, connected again or erased: the old and the new owner must reload.
 */
export const AccountMoved = Schema.TaggedStruct("AccountMoved", {
  accountId: SocialAccountId,
  from: Schema.Option(Schema.String),
  to: Schema.Option(Schema.String)
})

/** The account as it was when the event was written (api-2.md §11). */
const shownAccount = { accountId: SocialAccountId, account: AccountView }

/** An account was connected, revived, or connected again. */
export const AccountConnected = Schema.TaggedStruct("AccountConnected", shownAccount)

/** The status of an account, or its problems, are others than those that were announced last. */
export const AccountAttention = Schema.TaggedStruct("AccountAttention", shownAccount)

export const AccountDisconnected = Schema.TaggedStruct("AccountDisconnected", shownAccount)

/** The post as it was when the event was written (api-2.md §12), and the managed user whose post it is. */
const shownPost = { externalUserId: Schema.Option(Schema.String), post: ShownPost }

/** Every target is published. */
export const PostPublished = Schema.TaggedStruct("PostPublished", shownPost)

/** Nothing more happens by itself, and some targets are published. */
export const PostPartial = Schema.TaggedStruct("PostPartial", shownPost)

/** Nothing more happens by itself, and no target is published. */
export const PostFailed = Schema.TaggedStruct("PostFailed", shownPost)

/** Something that is shown of a target changed. */
export const PostTargetUpdated = Schema.TaggedStruct("PostTargetUpdated", shownPost)

/** A webhook endpoint began to fail, or was disabled because of it (api-2.md §15). Of the workspace, of no account. */
export const EndpointFailing = Schema.TaggedStruct("EndpointFailing", { endpoint: ShownEndpoint })

/** A change in an inbox (api.md §4). Nothing is written when nothing changed. */
export const InboxEvent = Schema.Union([
  NewItem,
  ItemUpdated,
  ItemDeleted,
  ItemsRead,
  ThreadUpdated,
  NoteAdded,
  NoteDeleted,
  ReplyUpdated,
  SyncCompleted,
  AccountMoved,
  AccountConnected,
  AccountAttention,
  AccountDisconnected,
  PostPublished,
  PostPartial,
  PostFailed,
  PostTargetUpdated,
  EndpointFailing
])
export type InboxEvent = typeof InboxEvent.Type

/** The event for an item in its current state. */
export const itemUpdated = (item: InboxItem): InboxEvent => ({
  _tag: "ItemUpdated",
  accountId: item.accountId,
  source: item.source,
  item
})

/** A stored event with the owner of its account at the time of the read. */
export interface RoutedEvent {
  /** Increases by one with each event of the workspace, in commit order. */
  readonly seq: number
  readonly workspaceId: WorkspaceId
  readonly at: DateTime.Utc
  readonly event: InboxEvent
  /** The current owner of the event's account; absent if there is none, and for events without an account. */
  readonly owner: Option.Option<string>
  /** Whether the account's items are visible now; false if the account is disconnected or erased. */
  readonly isShown: boolean
}

/** An event as one subscriber gets it. */
export interface DeliveredEvent {
  readonly seq: number
  readonly workspaceId: WorkspaceId
  readonly externalUserId: Option.Option<string>
  readonly at: DateTime.Utc
  readonly event: InboxEvent
}

const ownedItem = (item: InboxItem, owner: Option.Option<string>): InboxItem => ({
  ...item,
  account: { ...item.account, externalUserId: owner }
})

const ownedThread = (thread: InboxThread, owner: Option.Option<string>): InboxThread => ({
  ...thread,
  account: { ...thread.account, externalUserId: owner },
  lastItem: ownedItem(thread.lastItem, owner)
})

/** The event with the current owner of its item or account; a disconnected account keeps the last one. */
const ownedNow = (event: InboxEvent, owner: Option.Option<string>): InboxEvent => {
  switch (event._tag) {
    case "NewItem":
    case "ItemUpdated":
      return { ...event, item: ownedItem(event.item, owner) }
    case "ThreadUpdated":
      return { ...event, thread: Option.map(event.thread, (thread) => ownedThread(thread, owner)) }
    case "AccountConnected":
    case "AccountAttention":
      return { ...event, account: { ...event.account, externalUserId: owner } }
    default:
      return event
  }
}

/** Whether an event is of an account or its items, and the account is hidden by now. */
const isHidden = ({ event, isShown }: RoutedEvent): boolean =>
  !isShown && ("source" in event || event._tag === "AccountConnected" || event._tag === "AccountAttention")

const sourceOf = (event: InboxEvent): Source | undefined => ("source" in event ? event.source : undefined)

const forWorkspace = ({ event, owner }: RoutedEvent): Option.Option<string> => {
  if ("externalUserId" in event) return event.externalUserId
  if (event._tag === "AccountDisconnected") return event.account.externalUserId
  return event._tag === "AccountMoved" ? event.to : owner
}

/** The part of an event that a managed user may see, if any. */
const forManagedUser = ({ event, owner }: RoutedEvent, user: string): Option.Option<InboxEvent> => {
  switch (event._tag) {
    case "AccountMoved":
      // A managed user must not see the name of the other owner.
      return Option.contains(event.from, user) || Option.contains(event.to, user)
        ? Option.some({
            ...event,
            from: Option.filter(event.from, (name) => name === user),
            to: Option.filter(event.to, (name) => name === user)
          })
        : Option.none()
    case "ItemsRead":
      if (Option.isNone(event.externalUserId)) return Option.some({ ...event, marked: Option.none() })
      return event.externalUserId.value === user ? Option.some(event) : Option.none()
    case "SyncCompleted":
    case "PostPublished":
    case "PostPartial":
    case "PostFailed":
    case "PostTargetUpdated":
      return Option.contains(event.externalUserId, user) ? Option.some(event) : Option.none()
    case "AccountDisconnected":
      return Option.contains(event.account.externalUserId, user) ? Option.some(event) : Option.none()
    default:
      return Option.contains(owner, user) ? Option.some(ownedNow(event, owner)) : Option.none()
  }
}

/** The managed users that an event may reach; `deliver` decides what each of them gets, if anything. */
export const usersOf = ({ event, owner }: RoutedEvent): ReadonlyArray<string> | "everyone" => {
  switch (event._tag) {
    case "AccountMoved":
      // Connected again, it comes from whom it goes to.
      return Array.from(new Set([...Option.toArray(event.from), ...Option.toArray(event.to)]))
    case "ItemsRead":
      return Option.match(event.externalUserId, { onNone: () => "everyone", onSome: (user) => [user] })
    case "SyncCompleted":
    case "PostPublished":
    case "PostPartial":
    case "PostFailed":
    case "PostTargetUpdated":
      return Option.toArray(event.externalUserId)
    case "AccountDisconnected":
      return Option.toArray(event.account.externalUserId)
    default:
      return Option.toArray(owner)
  }
}

/**
 * What a scope gets of an event: the workspace gets every event, a managed user those of the accounts that it owns now.
 * Events of items that are hidden by now are dropped.
 */
export const deliver = (
  routed: RoutedEvent,
  { scope, sources }: { readonly scope: InboxScope; readonly sources: ReadonlySet<Source> }
): Option.Option<DeliveredEvent> => {
  const { at, seq, workspaceId } = routed
  const source = sourceOf(routed.event)
  if (workspaceId !== scope.workspaceId) return Option.none()
  if ((source !== undefined && !sources.has(source)) || isHidden(routed)) return Option.none()
  if (scope._tag === "WorkspaceScope") {
    const event = ownedNow(routed.event, routed.owner)
    return Option.some({ seq, workspaceId, at, event, externalUserId: forWorkspace(routed) })
  }
  return Option.map(forManagedUser(routed, scope.externalUserId), (event) => ({
    seq,
    workspaceId,
    at,
    event,
    externalUserId: Option.some(scope.externalUserId)
  }))
}
