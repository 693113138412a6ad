import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { parseTime } from "../../api/inbox/InboxQuery.ts"
import type { CursorUse } from "./Cursors.ts"

/** The filters of each list, in the order in which its cursors hold them. */
const filters = {
  inbox: [
    "source",
    "is_read",
    "is_own",
    "thread_status",
    "thread_key",
    "social_account_id",
    "assigned_to",
    "received_after",
    "received_before",
    "post_id",
    "thread_id",
    "q"
  ],
  threads: ["source", "thread_status", "assigned_to", "social_account_id", "is_unread", "q", "label"],
  "thread-items": ["order"],
  "saved-replies": [],
  notes: [],
  accounts: ["network", "status"],
  posts: ["status", "social_account_id"],
  "gif-conversions": ["status"],
  "audio-overlays": ["status"],
  media: [],
  "webhook-endpoints": [],
  "webhook-deliveries": ["status"],
  "audit-events": ["actor", "action", "target"],
  workspaces: [],
  "api-keys": [],
  members: [],
  "managed-users": [],
  "social-accounts": []
} as const satisfies Record<string, ReadonlyArray<string>>

/** Filters that cursors hold only if they are asked for, so that cursors of the versions before them stay good. */
const younger: ReadonlySet<string> = new Set(["post_id", "thread_id", "q", "label"])

export type ListName = keyof typeof filters

/** Which list an endpoint answers. */
const byEndpoint: Readonly<Record<string, ListName>> = {
  "inbox.list": "inbox",
  "threads.list": "threads",
  "threads.items": "thread-items",
  "savedReplies.list": "saved-replies",
  "notes.list": "notes",
  "connectedAccounts.list": "accounts",
  "posts.list": "posts",
  "conversions.list": "gif-conversions",
  "overlays.list": "audio-overlays",
  "media.list": "media",
  "webhookEndpoints.list": "webhook-endpoints",
  "webhookEndpoints.listDeliveries": "webhook-deliveries",
  "audit.list": "audit-events",
  "admin.listWorkspaces": "workspaces",
  "admin.listKeys": "api-keys",
  "admin.listMembers": "members",
  "accounts.listManagedUsers": "managed-users",
  "accounts.list": "social-accounts"
}

export const listOf = (group: string, endpoint: string): Option.Option<ListName> =>
  Option.fromUndefinedOr(byEndpoint[`${group}.${endpoint}`])

/** Whether a place in the query is a filter of the list. */
export const isFilter = (list: ListName, path: string): boolean => filters[list].some((name) => name === path)

/** A filter by what it means: two texts of one time are the same filter. */
const textOf = (name: string, value: unknown): string => {
  if (value === undefined) return ""
  const text = String(value)
  return name.startsWith("received_")
    ? Option.match(parseTime(text), { onNone: () => "", onSome: (at) => String(DateTime.toEpochMillis(at)) })
    : text
}

/** What a cursor of the list is good for, from its query as it came or as it was read: the same either way. */
export const listUse = (
  list: ListName,
  workspaceId: string,
  query: object,
  scope: ReadonlyArray<string> = []
): CursorUse => ({
  list,
  workspaceId,
  filters: [
    ...scope,
    ...filters[list].flatMap((name) => {
      const value = Predicate.hasProperty(query, name) ? query[name] : undefined
      return value === undefined && younger.has(name) ? [] : [textOf(name, value)]
    })
  ]
})

/** The scope of an inbox list, as its cursors hold it. */
export const scopeText = (externalUserId: string | undefined): string =>
  externalUserId === undefined ? "" : `=${externalUserId}`
