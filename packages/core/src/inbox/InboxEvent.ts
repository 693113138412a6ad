import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboxScope } from "../access/InboxScope.ts"
import { Source } from "../connectors/Source.ts"
import { InboxItemId, SocialAccountId, SyncId, type WorkspaceId } from "../kernel/Ids.ts"
import { InboxItem } from "./InboxItem.ts"
import { ThreadStatus } from "./Thread.ts"

/** What an event about one account's items carries besides. */
const ofAccount = { accountId: SocialAccountId, source: Source }

export const NewItem = Schema.TaggedStruct("NewItem", { ...ofAccount, item: InboxItem })
export const ItemUpdated = Schema.TaggedStruct("ItemUpdated", { ...ofAccount, item: InboxItem })
export const ItemDeleted = Schema.TaggedStruct("ItemDeleted", { ...ofAccount, itemId: InboxItemId })
export const ThreadUpdated = Schema.TaggedStruct("ThreadUpdated", {
  ...ofAccount,
  threadKey: Schema.String,
  status: ThreadStatus,
  assignedTo: Schema.Option(Schema.String)
})

/** One batch of a mark-all: items up to this number are read, in the workspace or for one managed user. */
export const ItemsRead = Schema.TaggedStruct("ItemsRead", {
  externalUserId: Schema.Option(Schema.String),
  upToSeq: Schema.Int,
  /** `none` where a managed user is told of a workspace-wide batch: the figure isn't theirs. */
  marked: Schema.Option(Schema.Int)
})

/** The outcome of a reply changed; the operation is the outbound slice's, as it is shown. */
export const ReplyUpdated = Schema.TaggedStruct("ReplyUpdated", { ...ofAccount, operation: Schema.Json })

export const SyncCompleted = Schema.TaggedStruct("SyncCompleted", {
  externalUserId: Schema.Option(Schema.String),
  syncId: SyncId,
  newItems: Schema.Int
})

/** An account changed its owner, or was disconnected, connected again or erased: whom it was or is of fetches anew. */
export const AccountMoved = Schema.TaggedStruct("AccountMoved", {
  accountId: SocialAccountId,
  from: Schema.Option(Schema.String),
  to: Schema.Option(Schema.String)
})

/** What changed in an inbox (api.md §4); what changes nothing is no event. */
export const InboxEvent = Schema.Union([
  NewItem,
  ItemUpdated,
  ItemDeleted,
  ItemsRead,
  ThreadUpdated,
  ReplyUpdated,
  SyncCompleted,
  AccountMoved
])
export type InboxEvent = typeof InboxEvent.Type

/** That accounts are no more; whose they were is erased with them. */
export const accountsErased = (ids: ReadonlyArray<SocialAccountId>): ReadonlyArray<InboxEvent> =>
  ids.map((accountId) => ({ _tag: "AccountMoved", accountId, from: Option.none(), to: Option.none() }))

/** An event as it is kept, with the owner of its account at the moment it was read to be sent. */
export interface RoutedEvent {
  /** Grows by one with each event of the workspace, in the order of commits. */
  readonly seq: number
  readonly workspaceId: WorkspaceId
  readonly at: DateTime.Utc
  readonly event: InboxEvent
  /** Who owns the event's account now; absent where nobody does, and for events of no account. */
  readonly owner: Option.Option<string>
  /** Whether the items of the event's account are shown now: not those of one that is disconnected, or gone. */
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

/** The event with the owner that its item has now. */
const ownedNow = (event: InboxEvent, owner: Option.Option<string>): InboxEvent =>
  event._tag === "NewItem" || event._tag === "ItemUpdated"
    ? { ...event, item: { ...event.item, account: { ...event.item.account, externalUserId: owner } } }
    : event

const sourceOf = (event: InboxEvent): Source | undefined => ("source" in event ? event.source : undefined)

const forWorkspace = ({ event, owner }: RoutedEvent): Option.Option<string> => {
  if (event._tag === "ItemsRead" || event._tag === "SyncCompleted") return event.externalUserId
  return event._tag === "AccountMoved" ? event.to : owner
}

/** What a managed user may see of an event, if anything. */
const forManagedUser = ({ event, owner }: RoutedEvent, user: string): Option.Option<InboxEvent> => {
  switch (event._tag) {
    case "AccountMoved":
      // Whom it went to, or came from, is the other customer's affair.
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
      return Option.contains(event.externalUserId, user) ? Option.some(event) : Option.none()
    default:
      return Option.contains(owner, user) ? Option.some(ownedNow(event, owner)) : Option.none()
  }
}

/** The managed users whom an event may reach; `deliver` says what each of them gets, if anything. */
export const usersOf = ({ event, owner }: RoutedEvent): ReadonlyArray<string> | "everyone" => {
  switch (event._tag) {
    case "AccountMoved":
      return [...Option.toArray(event.from), ...Option.toArray(event.to)]
    case "ItemsRead":
      return Option.match(event.externalUserId, { onNone: () => "everyone", onSome: (user) => [user] })
    case "SyncCompleted":
      return Option.toArray(event.externalUserId)
    default:
      return Option.toArray(owner)
  }
}

/**
 * What a scope gets of an event: the workspace every one, a managed user those of the accounts that it owns now. What
 * happened to items that are hidden since is nobody's.
 */
export const deliver = (
  routed: RoutedEvent,
  { scope, sources }: { readonly scope: InboxScope; readonly sources: ReadonlySet<Source> }
): Option.Option<DeliveredEvent> => {
  const { at, seq, workspaceId } = routed
  const source = sourceOf(routed.event)
  if (workspaceId !== scope.workspaceId) return Option.none()
  if (source !== undefined && !(sources.has(source) && routed.isShown)) return Option.none()
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
