import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { AuditEvent } from "@loopbox/core/audit/AuditEvent"
import type { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import type { SealedCredentials } from "@loopbox/core/accounts/CredentialVault"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Networks, type NetworkTable } from "@loopbox/core/networks/Networks"
import type { Source } from "@loopbox/core/networks/Source"
import type { KnownPerson } from "@loopbox/core/items/decideName"
import type { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import { type InboxItem, type ItemPosition, toInboxItem } from "@loopbox/core/items/InboxItem"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { type LiveItem, type StoredItem, threadOf } from "@loopbox/core/items/StoredItem"
import type { KeptContext } from "@loopbox/core/inbox/MediaContextStore"
import { untouched, type WorkState } from "@loopbox/core/items/Thread"
import type { AccountSync, SyncRun } from "@loopbox/core/sync/SyncRun"
import type { BackfillProgress } from "@loopbox/core/sync/PollStore"
import type { BackfillConfirmation } from "@loopbox/core/sync/SyncStore"
import type { WebhookDelivery } from "@loopbox/core/webhooks/WebhookDeliveries"
import type {
  InboxItemId,
  OutboundOperationId,
  SocialAccountId,
  SyncId,
  ThreadNoteId,
  WorkspaceId
} from "@loopbox/core/kernel/Ids"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import type { AccountFacts } from "@loopbox/core/health/AccountFacts"
import { hourOf } from "@loopbox/core/usage/usageWindow"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { makeMemoryOutgoing, type MemoryOutgoing } from "./memoryOutgoing.ts"
import type { PollEntry } from "./memoryPolls.ts"
import type { PostEntries } from "./memoryPosts.ts"

/** An author: known, or with a look-up that can be claimed. */
export interface PersonEntry {
  readonly person: KnownPerson | undefined
  readonly source: Source
  readonly attempts: number
  readonly claimableAt: DateTime.Utc
  readonly token: string | undefined
}

/** When to renew an account's token, and the lease of a running renewal. */
export interface Renewal {
  readonly renewAt: Option.Option<DateTime.Utc>
  readonly turn: Option.Option<{ readonly token: string; readonly until: DateTime.Utc }>
}

/** One account's part of a run; unfinished without a result. */
export interface TaskEntry {
  readonly result: AccountSync | undefined
  readonly progress: BackfillProgress
}

export interface RunEntry {
  readonly run: Omit<SyncRun, "isCompleted" | "accounts" | "accountsChecked">
  readonly tasks: Map<SocialAccountId, TaskEntry>
  isCompleted: boolean
}

/** A reply with its lease. */
export interface OperationEntry {
  readonly operation: OutboundOperation
  /** When it is due for a worker; a webhook may make it due earlier. */
  readonly dueAt: DateTime.Utc | undefined
  readonly leaseUntil: DateTime.Utc | undefined
  readonly token: string | undefined
}

/** In place of credentials that were dropped. */
export const noCredentials: SealedCredentials = ""

/** What is known of an account's health, when it is looked at next, and the lease of a running check. */
export interface HealthEntry {
  /** But for `renewAt`, which the credentials have. */
  readonly facts: AccountFacts
  readonly dueAt: Option.Option<DateTime.Utc>
  readonly token: string | undefined
  /** On the lease clock. */
  readonly leaseUntil: DateTime.Utc | undefined
}

/** A connected account with all of its data; erasing it means removing the entry. */
export interface AccountEntry {
  account: SocialAccount
  sealed: SealedCredentials
  /** When the credentials were stored. */
  storedAt: DateTime.Utc
  renewal: Renewal
  poll: PollEntry
  health: HealthEntry
  /** By `keyOf`. */
  readonly items: Map<string, StoredItem>
  /** By `threadOf`. */
  readonly threads: Map<string, WorkState>
  /** By `threadOf`: when the first item was stored. */
  readonly begun: Map<string, DateTime.Utc>
  /** By `threadOf`, then by the folded label; `n` counts all that were ever given to a thread. */
  readonly labels: Map<string, Map<string, { readonly label: string; readonly n: number }>>
  readonly notes: Map<ThreadNoteId, ThreadNote>
  readonly unread: Map<Source, number>
  readonly people: Map<string, PersonEntry>
  readonly operations: Map<OutboundOperationId, OperationEntry>
  /** By the network's id of the post. */
  readonly mediaContexts: Map<string, KeptContext>
}

export interface KeptEvent {
  readonly seq: number
  readonly at: DateTime.Utc
  readonly event: LoggedEvent
}

/** The events of one workspace; `events` holds those above `removed`, in order. */
export interface EventLog {
  /** How many items came in each hour, by its beginning in milliseconds. */
  readonly itemHours: Map<number, number>
  last: number
  removed: number
  events: Array<KeptEvent>
}

export interface DeliveryEntry {
  readonly delivery: WebhookDelivery
  readonly state: "pending" | "done" | "failed"
  readonly reason: string
  readonly attempts: number
  readonly claimableAt: DateTime.Utc
  readonly endedAt: DateTime.Utc | undefined
  readonly token: string | undefined
  /** The workspaces that it is for, as text: those of one lane wait for each other. */
  readonly lane: string
}

/** The fields by which deliveries name an account. */
export type ErasedAccount = Pick<
  SocialAccount,
  "workspaceId" | "network" | "networkAccountId" | "otherAccountId" | "username"
>

/** The shared state of the memory adapters of the inbox. */
export interface MemoryInbox {
  readonly networks: NetworkTable
  /** When all counters were last compared with their items. */
  comparedAt: DateTime.Utc | undefined
  /** Labels that were ever given to threads. */
  labeled: number
  /** The oldest first; `last` counts all that were ever written. */
  readonly audit: { kept: Array<AuditEvent>; last: number }
  readonly managedUsers: Map<WorkspaceId, Map<string, ManagedUser>>
  readonly accounts: Map<SocialAccountId, AccountEntry>
  /** By id: the location of an item, and the number of its `NewItem` event. */
  readonly index: Map<InboxItemId, { readonly accountId: SocialAccountId; readonly key: string; readonly seq: number }>
  readonly logs: Map<WorkspaceId, EventLog>
  readonly changes: PubSub.PubSub<WorkspaceId>
  readonly deliveries: Map<string, DeliveryEntry>
  /** Accounts whose unit of a delivery is done. */
  readonly doneUnits: Map<string, Set<SocialAccountId>>
  /** Erased accounts with data in deliveries, because the process that erased them can't parse deliveries. */
  readonly unredacted: Map<SocialAccountId, ErasedAccount>
  readonly arrivals: PubSub.PubSub<void>
  readonly runs: Map<SyncId, RunEntry>
  /** By token. */
  readonly confirmations: Map<string, BackfillConfirmation>
  readonly requests: PubSub.PubSub<void>
  readonly replyWakeUps: PubSub.PubSub<void>
  readonly posts: PostEntries
  readonly postWakeUps: PubSub.PubSub<void>
  readonly outgoing: MemoryOutgoing
}

/** Notifications to buffer per subscriber; losing the oldest is harmless because they are hints. */
const kept = 1_024

export const makeMemoryInbox: Effect.Effect<MemoryInbox> = Effect.gen(function* () {
  return {
    networks: yield* Networks,
    audit: { kept: [], last: 0 },
    managedUsers: new Map(),
    labeled: 0,
    accounts: new Map(),
    index: new Map(),
    logs: new Map(),
    changes: yield* PubSub.sliding<WorkspaceId>(kept),
    comparedAt: undefined,
    deliveries: new Map(),
    doneUnits: new Map(),
    unredacted: new Map(),
    arrivals: yield* PubSub.sliding<void>(1),
    runs: new Map(),
    confirmations: new Map(),
    requests: yield* PubSub.sliding<void>(1),
    replyWakeUps: yield* PubSub.sliding<void>(1),
    posts: new Map(),
    postWakeUps: yield* PubSub.sliding<void>(1),
    outgoing: yield* makeMemoryOutgoing
  }
})

export const logOf = (inbox: MemoryInbox, workspaceId: WorkspaceId): EventLog => {
  const found = inbox.logs.get(workspaceId)
  if (found !== undefined) return found
  const log: EventLog = { itemHours: new Map(), last: 0, removed: 0, events: [] }
  inbox.logs.set(workspaceId, log)
  return log
}

/** Counts new items by the hour in which they came. */
const countItems = ({ itemHours }: EventLog, events: ReadonlyArray<LoggedEvent>, at: DateTime.Utc): void => {
  const items = events.filter(({ _tag }) => _tag === "NewItem").length
  if (items === 0) return
  const hour = DateTime.toEpochMillis(hourOf(at))
  itemHours.set(hour, (itemHours.get(hour) ?? 0) + items)
}

/** Numbers and stores events, and notifies; the last step of a transaction. Returns the number of the first one. */
export const writeEvents = (
  inbox: MemoryInbox,
  workspaceId: WorkspaceId,
  events: ReadonlyArray<LoggedEvent>,
  at: DateTime.Utc
): number => {
  const log = logOf(inbox, workspaceId)
  const first = log.last + 1
  for (const event of events) log.events.push({ seq: ++log.last, at, event })
  countItems(log, events, at)
  if (events.length > 0) PubSub.publishUnsafe(inbox.changes, workspaceId)
  return first
}

export const addUnread = (entry: AccountEntry, source: Source, delta: number): void => {
  if (delta !== 0) entry.unread.set(source, (entry.unread.get(source) ?? 0) + delta)
}

export const threadStateOf = (entry: AccountEntry, live: LiveItem): WorkState =>
  entry.threads.get(threadOf(live)) ?? untouched

/** The newest message of another person in an item's thread. */
export const newestInbound = (entry: AccountEntry, { source, threadKey }: LiveItem): Option.Option<DateTime.Utc> => {
  let newest: DateTime.Utc | undefined
  for (const item of entry.items.values()) {
    if (item._tag !== "LiveItem" || item.isOwn || item.source !== source || item.threadKey !== threadKey) continue
    newest = newest === undefined ? item.receivedAt : DateTime.max(newest, item.receivedAt)
  }
  return Option.fromUndefinedOr(newest)
}

/** The item as readers see it now. */
export const shown = ({ networks }: MemoryInbox, entry: AccountEntry, live: LiveItem, now: DateTime.Utc): InboxItem => {
  const isMessage = networks.traitsOf(live.source).kind === "message"
  const newestInboundAt = isMessage && !live.isOwn ? newestInbound(entry, live) : Option.none<DateTime.Utc>()
  return toInboxItem(networks, live, threadStateOf(entry, live), entry.account, { now, newestInboundAt })
}

/** The connected accounts of a scope, ordered by id. */
export const accountsIn = (inbox: MemoryInbox, { scope }: ItemScope): ReadonlyArray<AccountEntry> =>
  Array.from(inbox.accounts.values())
    .filter(
      ({ account }) =>
        account.workspaceId === scope.workspaceId &&
        account.status !== "disconnected" &&
        (scope._tag === "WorkspaceScope" || Option.contains(account.externalUserId, scope.externalUserId))
    )
    .sort((a, b) => (a.account.id < b.account.id ? -1 : 1))

/** A live item of a scope, by its id. */
export const liveIn = (
  inbox: MemoryInbox,
  scope: ItemScope,
  id: InboxItemId
): { readonly entry: AccountEntry; readonly live: LiveItem; readonly key: string } | undefined => {
  const place = inbox.index.get(id)
  if (place === undefined) return undefined
  const entry = accountsIn(inbox, scope).find(({ account }) => account.id === place.accountId)
  const live = entry?.items.get(place.key)
  if (entry === undefined || live?._tag !== "LiveItem" || !scope.sources.has(live.source)) return undefined
  return { entry, live, key: place.key }
}

/** Makes the account's replies of unknown outcome due, because one of them may have posted the new own item. */
export const wakeReplies = (inbox: MemoryInbox, entry: AccountEntry, now: DateTime.Utc): void => {
  for (const [id, reply] of entry.operations) {
    if (reply.operation.state._tag === "OutcomeUnknown") entry.operations.set(id, { ...reply, dueAt: now })
  }
  PubSub.publishUnsafe(inbox.replyWakeUps, undefined)
}

/** The order of lists. */
export const newestFirst = (a: ItemPosition, b: ItemPosition): number =>
  DateTime.toEpochMillis(b.receivedAt) - DateTime.toEpochMillis(a.receivedAt) ||
  (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
