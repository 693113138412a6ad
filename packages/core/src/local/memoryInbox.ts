import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { ManagedUser } from "../access/ManagedUsers.ts"
import type { SealedCredentials } from "../accounts/CredentialVault.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { Redact } from "../kernel/Redact.ts"
import { endpointOf, type Source } from "../connectors/Source.ts"
import type { KnownPerson } from "../inbox/decideIngest.ts"
import type { InboxEvent } from "../inbox/InboxEvent.ts"
import { type InboxItem, toInboxItem } from "../inbox/InboxItem.ts"
import type { ItemScope } from "../inbox/InboxStore.ts"
import { type LiveItem, type StoredItem, threadOf } from "../inbox/StoredItem.ts"
import type { KeptContext } from "../inbox/MediaContextStore.ts"
import { type ThreadState, untouched } from "../inbox/Thread.ts"
import type { AccountSync, FeedState, PollState, SyncRun } from "../inbox/SyncRun.ts"
import type { BackfillConfirmation, BackfillProgress } from "../inbox/SyncStore.ts"
import type { WebhookDelivery } from "../inbox/WebhookDeliveries.ts"
import type { InboxItemId, OutboundOperationId, SocialAccountId, SyncId, WorkspaceId } from "../kernel/Ids.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"

/** An author: known, or to be looked up when it is due and nobody holds it. */
export interface PersonEntry {
  readonly person: KnownPerson | undefined
  readonly source: Source
  readonly attempts: number
  readonly claimableAt: DateTime.Utc
  readonly token: string | undefined
}

/** When an account's token is to be renewed, and whose turn it is until when. */
export interface Renewal {
  readonly renewAt: Option.Option<DateTime.Utc>
  readonly turn: Option.Option<{ readonly token: string; readonly until: DateTime.Utc }>
}

/** When an account is polled next, by whom it is just now, and how far its feeds were read. */
export interface PollEntry {
  readonly state: PollState
  readonly dueAt: Option.Option<DateTime.Utc>
  readonly token: string | undefined
  /** On the lease clock. */
  readonly leaseUntil: DateTime.Utc | undefined
  /** Of the poll that is going on, whoever began it. */
  readonly read: number
  readonly newItems: number
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
}

/** One account's part of a run; without a result it is waited for. */
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
  /** When a worker has something to do about it; a webhook may bring it forward. */
  readonly dueAt: DateTime.Utc | undefined
  readonly leaseUntil: DateTime.Utc | undefined
  readonly token: string | undefined
}

/** A connected account with all that is kept of it: erasing it is forgetting the entry. */
export interface AccountEntry {
  account: SocialAccount
  sealed: SealedCredentials
  renewal: Renewal
  poll: PollEntry
  /** By `keyOf`. */
  readonly items: Map<string, StoredItem>
  /** By `threadOf`. */
  readonly threads: Map<string, ThreadState>
  readonly unread: Map<Source, number>
  readonly people: Map<string, PersonEntry>
  readonly operations: Map<OutboundOperationId, OperationEntry>
  /** By the network's id of the post. */
  readonly mediaContexts: Map<string, KeptContext>
}

export interface KeptEvent {
  readonly seq: number
  readonly at: DateTime.Utc
  readonly event: InboxEvent
}

/** The events of one workspace; `events` holds those above `removed`, in order. */
export interface EventLog {
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
}

/** What the memory adapters of the inbox share. */
export interface MemoryInbox {
  readonly managedUsers: Map<WorkspaceId, Map<string, ManagedUser>>
  readonly accounts: Map<SocialAccountId, AccountEntry>
  /** Where the item of an id is, and the number of its `NewItem`. */
  readonly index: Map<InboxItemId, { readonly accountId: SocialAccountId; readonly key: string; readonly seq: number }>
  readonly logs: Map<WorkspaceId, EventLog>
  readonly changes: PubSub.PubSub<WorkspaceId>
  readonly deliveries: Map<string, DeliveryEntry>
  /** Accounts whose unit of a delivery is done. */
  readonly doneUnits: Map<string, Set<SocialAccountId>>
  readonly arrivals: PubSub.PubSub<void>
  readonly runs: Map<SyncId, RunEntry>
  /** By token. */
  readonly confirmations: Map<string, BackfillConfirmation>
  readonly requests: PubSub.PubSub<void>
  readonly replyWakeUps: PubSub.PubSub<void>
}

/** Words that a listener may fall behind by: they only save waiting. */
const kept = 1_024

export const makeMemoryInbox: Effect.Effect<MemoryInbox> = Effect.gen(function* () {
  return {
    managedUsers: new Map(),
    accounts: new Map(),
    index: new Map(),
    logs: new Map(),
    changes: yield* PubSub.sliding<WorkspaceId>(kept),
    deliveries: new Map(),
    doneUnits: new Map(),
    arrivals: yield* PubSub.sliding<void>(1),
    runs: new Map(),
    confirmations: new Map(),
    requests: yield* PubSub.sliding<void>(1),
    replyWakeUps: yield* PubSub.sliding<void>(1)
  }
})

export const logOf = (inbox: MemoryInbox, workspaceId: WorkspaceId): EventLog => {
  const found = inbox.logs.get(workspaceId)
  if (found !== undefined) return found
  const log: EventLog = { last: 0, removed: 0, events: [] }
  inbox.logs.set(workspaceId, log)
  return log
}

/** Numbers and keeps events, and tells of them; the last thing in a transaction. Answers the first one's number. */
export const writeEvents = (
  inbox: MemoryInbox,
  workspaceId: WorkspaceId,
  events: ReadonlyArray<InboxEvent>,
  at: DateTime.Utc
): number => {
  const log = logOf(inbox, workspaceId)
  const first = log.last + 1
  for (const event of events) log.events.push({ seq: ++log.last, at, event })
  if (events.length > 0) PubSub.publishUnsafe(inbox.changes, workspaceId)
  return first
}

export const addUnread = (entry: AccountEntry, source: Source, delta: number): void => {
  if (delta !== 0) entry.unread.set(source, (entry.unread.get(source) ?? 0) + delta)
}

export const threadStateOf = (entry: AccountEntry, live: LiveItem): ThreadState =>
  entry.threads.get(threadOf(live)) ?? untouched

/** The item as readers see it now. */
export const shown = (entry: AccountEntry, live: LiveItem): InboxItem =>
  toInboxItem(live, threadStateOf(entry, live), entry.account)

/** The accounts of a scope, in the order of their ids; a disconnected one is in none. */
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

/** Makes the account's replies of unknown outcome due: an own item may be what one of them posted. */
export const wakeReplies = (inbox: MemoryInbox, entry: AccountEntry, now: DateTime.Utc): void => {
  for (const [id, reply] of entry.operations) {
    if (reply.operation.state._tag === "OutcomeUnknown") entry.operations.set(id, { ...reply, dueAt: now })
  }
  PubSub.publishUnsafe(inbox.replyWakeUps, undefined)
}

/** Forgets events; their numbers are not given again. */
export const eraseEvents = (
  inbox: MemoryInbox,
  workspaceId: WorkspaceId,
  isErased: (event: InboxEvent) => boolean
): void => {
  const log = inbox.logs.get(workspaceId)
  if (log !== undefined) log.events = log.events.filter(({ event }) => !isErased(event))
}

/** Takes what deliveries say to an account out of them, unless it is connected elsewhere, too. */
const redactDeliveries = (inbox: MemoryInbox, account: SocialAccount, redact: Redact): void => {
  const { network, networkAccountId, username } = account
  const isElsewhere = Array.from(inbox.accounts.values()).some(
    (other) => other.account.network === network && other.account.networkAccountId === networkAccountId
  )
  if (isElsewhere) return
  const route = { network, accountId: Option.some(networkAccountId), username }
  for (const [id, entry] of inbox.deliveries) {
    if (entry.delivery.endpoint !== endpointOf(network)) continue
    const body = redact(entry.delivery, route)
    if (Option.isSome(body)) inbox.deliveries.set(id, { ...entry, delivery: { ...entry.delivery, body: body.value } })
    else {
      inbox.deliveries.delete(id)
      inbox.doneUnits.delete(id)
    }
  }
}

/** Takes the name of a managed user out of the moves of accounts that are others' now. */
export const unnameMoves = (inbox: MemoryInbox, workspaceId: WorkspaceId, user: string): void => {
  const log = inbox.logs.get(workspaceId)
  if (log === undefined) return
  const others = (name: Option.Option<string>) => Option.filter(name, (one) => one !== user)
  log.events = log.events.map((kept) =>
    kept.event._tag === "AccountMoved"
      ? { ...kept, event: { ...kept.event, from: others(kept.event.from), to: others(kept.event.to) } }
      : kept
  )
}

/** Forgets an account with all its data: items, threads, counters, people, events, credentials, what it was told. */
export const eraseAccount = (inbox: MemoryInbox, { account }: AccountEntry, redact: Redact): void => {
  inbox.accounts.delete(account.id)
  for (const { tasks } of inbox.runs.values()) tasks.delete(account.id)
  for (const [id, place] of inbox.index) if (place.accountId === account.id) inbox.index.delete(id)
  eraseEvents(inbox, account.workspaceId, (event) => "accountId" in event && event.accountId === account.id)
  for (const units of inbox.doneUnits.values()) units.delete(account.id)
  redactDeliveries(inbox, account, redact)
}

/** Forgets who asked for which sync. */
export const eraseRuns = (inbox: MemoryInbox, isErased: (of: RunOwner) => boolean): void => {
  for (const [id, { run }] of inbox.runs) if (isErased(run)) inbox.runs.delete(id)
  for (const [token, confirmation] of inbox.confirmations) {
    if (isErased(confirmation)) inbox.confirmations.delete(token)
  }
}

type RunOwner = Pick<SyncRun, "workspaceId" | "externalUserId">

/** Forgets all that a workspace has here. */
export const eraseInbox = (inbox: MemoryInbox, workspaceId: WorkspaceId, redact: Redact): void => {
  for (const entry of inbox.accounts.values()) {
    if (entry.account.workspaceId === workspaceId) eraseAccount(inbox, entry, redact)
  }
  eraseRuns(inbox, (run) => run.workspaceId === workspaceId)
  inbox.managedUsers.delete(workspaceId)
  inbox.logs.delete(workspaceId)
}
