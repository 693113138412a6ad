import type { InboxEvent } from "../items/InboxEvent.ts"

/** The names that events have outside, on the socket and in deliveries (api.md §4, api-2.md §15). */
export const typeOfEvent = {
  NewItem: "inbox.new_item",
  ItemUpdated: "inbox.item_updated",
  ItemDeleted: "inbox.item_deleted",
  ItemsRead: "inbox.items_read",
  ThreadUpdated: "inbox.thread_updated",
  NoteAdded: "inbox.note_added",
  NoteDeleted: "inbox.note_deleted",
  ReplyUpdated: "inbox.reply_updated",
  SyncCompleted: "inbox.sync_complete",
  AccountMoved: "inbox.account_moved",
  AccountConnected: "account.connected",
  AccountAttention: "account.attention",
  AccountDisconnected: "account.disconnected",
  PostPublished: "post.published",
  PostPartial: "post.partial",
  PostFailed: "post.failed",
  PostTargetUpdated: "post.target_updated",
  EndpointFailing: "webhook_endpoint.failing"
} as const satisfies Record<InboxEvent["_tag"], string>

export type EventType = (typeof typeOfEvent)[keyof typeof typeOfEvent]

/** Every type that an endpoint may name. */
export const eventTypes: ReadonlyArray<EventType> = Object.values(typeOfEvent)

/** `inbox.*`, `account.*` and so on: every kind that has types. There is no `*` for all of them. */
export const eventWildcards: ReadonlyArray<string> = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`))
]

/** Whether it is a type or a wildcard that an endpoint may name. */
export const isEventPattern = (text: string): boolean => isEventType(text) || eventWildcards.includes(text)

export const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text)

/** Whether an endpoint that names these gets events of a type; one that names nothing gets all. */
export const isWanted = (patterns: ReadonlyArray<string> | undefined, type: string): boolean => {
  if (patterns === undefined) return true
  return patterns.some((pattern) => (pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type))
}
