import type { JobEnded } from "../feed/JobEnded.ts"
import type { InboxEvent } from "../items/InboxEvent.ts"

/** The names that events of the inbox have outside, on the socket and in deliveries (api.md §4, api-2.md §15). */
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

/** Ends of media jobs: in deliveries only, and only where they are named. */
export const typeOfJobEnd = {
  gif_to_mp4: "media.gif_conversion_ended",
  audio_overlay: "media.audio_overlay_ended"
} as const satisfies Record<JobEnded["kind"], string>

type JobEndType = (typeof typeOfJobEnd)[keyof typeof typeOfJobEnd]

export type EventType = (typeof typeOfEvent)[keyof typeof typeOfEvent] | JobEndType

const jobEndTypes: ReadonlyArray<string> = Object.values(typeOfJobEnd)

/** Every type that an endpoint may name. */
export const eventTypes: ReadonlyArray<EventType> = [...Object.values(typeOfEvent), ...Object.values(typeOfJobEnd)]

/**
 * `inbox.*`, `account.*` and so on: every kind that has types. There is no `*` for all of them, and none opens the ends of
 * media jobs (api-2-decided B29).
 */
export const eventWildcards: ReadonlyArray<string> = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`))
]

/** Whether it is a type or a wildcard that an endpoint may name. */
export const isEventPattern = (text: string): boolean => isEventType(text) || eventWildcards.includes(text)

export const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text)

/** What is wrong with a type of which an example is asked for. */
export const exampleFaults = (type: string): ReadonlyArray<{ readonly path: string; readonly message: string }> =>
  isEventType(type) ? [] : [{ path: "type", message: "is no type of event" }]

/** Whether an endpoint that names these gets events of a type; one that names nothing gets all but ends of media jobs. */
export const isWanted = (patterns: ReadonlyArray<string> | undefined, type: string): boolean => {
  if (jobEndTypes.includes(type)) return patterns?.includes(type) === true
  if (patterns === undefined) return true
  return patterns.some((pattern) => (pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type))
}
