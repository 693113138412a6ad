import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type Redact, redactAll, redactedAccounts } from "@loopbox/core/kernel/Redact"
import type { SyncRun } from "@loopbox/core/sync/SyncRun"
import type { AccountEntry, ErasedAccount, MemoryInbox } from "./memoryInbox.ts"
import { eraseEndpoints, eraseOutgoing } from "./memoryOutgoing.ts"
import { erasePosts } from "./memoryPosts.ts"
import { completeRun } from "./memorySync.ts"

/** Deletes events; their numbers are not reused. */
export const eraseEvents = (
  inbox: MemoryInbox,
  workspaceId: WorkspaceId,
  isErased: (event: LoggedEvent) => boolean
): void => {
  const log = inbox.logs.get(workspaceId)
  if (log !== undefined) log.events = log.events.filter(({ event }) => !isErased(event))
}

/** Redacts the data of an account in deliveries, unless the account is also connected in another workspace. */
const redactDeliveries = (inbox: MemoryInbox, account: ErasedAccount, redact: Redact): void => {
  const { network, networkAccountId } = account
  const isElsewhere = Array.from(inbox.accounts.values()).some(
    (other) => other.account.network === network && other.account.networkAccountId === networkAccountId
  )
  if (isElsewhere) return
  const routes = redactedAccounts(account)
  for (const [id, entry] of inbox.deliveries) {
    if (Option.exists(inbox.networks.endpointOf(network), (endpoint) => entry.delivery.endpoint !== endpoint)) continue
    const body = redactAll(redact, entry.delivery, routes)
    if (Option.isSome(body)) inbox.deliveries.set(id, { ...entry, delivery: { ...entry.delivery, body: body.value } })
    else {
      inbox.deliveries.delete(id)
      inbox.doneUnits.delete(id)
    }
  }
}

/** Removes the name of a managed user from the events of accounts that have another owner now. */
export const unnameMoves = (inbox: MemoryInbox, workspaceId: WorkspaceId, user: string): void => {
  const log = inbox.logs.get(workspaceId)
  if (log === undefined) return
  const others = (name: Option.Option<string>) => Option.filter(name, (one) => one !== user)
  log.events = log.events.map(({ event, ...kept }) => {
    if (event._tag === "AccountMoved") {
      return { ...kept, event: { ...event, from: others(event.from), to: others(event.to) } }
    }
    if (!("account" in event)) return { ...kept, event }
    return {
      ...kept,
      event: { ...event, account: { ...event.account, externalUserId: others(event.account.externalUserId) } }
    }
  })
}

/** Erases an account with all its data: items, threads, counters, people, events, credentials, deliveries. */
export const eraseAccount = (
  inbox: MemoryInbox,
  { account }: AccountEntry,
  redact: Option.Option<Redact>,
  at: DateTime.Utc
): void => {
  inbox.accounts.delete(account.id)
  erasePosts(inbox.posts, account.id)
  for (const run of inbox.runs.values()) {
    if (run.tasks.delete(account.id)) completeRun(inbox, run, at)
  }
  for (const [id, place] of inbox.index) if (place.accountId === account.id) inbox.index.delete(id)
  eraseEvents(inbox, account.workspaceId, (event) => "accountId" in event && event.accountId === account.id)
  for (const units of inbox.doneUnits.values()) units.delete(account.id)
  eraseOutgoing(inbox.outgoing, ({ accountId }) => Option.contains(accountId, account.id))
  if (Option.isSome(redact)) redactDeliveries(inbox, account, redact.value)
  else if (inbox.deliveries.size > 0) {
    const { network, networkAccountId, otherAccountId, username, workspaceId } = account
    inbox.unredacted.set(account.id, { network, networkAccountId, otherAccountId, username, workspaceId })
  }
}

/** Redacts deliveries that an earlier erasure could not parse. Returns whether nothing is left. */
export const redactLeft = (inbox: MemoryInbox, id: SocialAccountId, redact: Option.Option<Redact>): boolean => {
  const account = inbox.unredacted.get(id)
  if (account === undefined) return true
  if (Option.isSome(redact)) redactDeliveries(inbox, account, redact.value)
  else if (inbox.deliveries.size > 0) return false
  return inbox.unredacted.delete(id)
}

/** Erases sync runs. */
export const eraseRuns = (inbox: MemoryInbox, isErased: (of: RunOwner) => boolean): void => {
  for (const [id, { run }] of inbox.runs) if (isErased(run)) inbox.runs.delete(id)
  for (const [token, confirmation] of inbox.confirmations) {
    if (isErased(confirmation)) inbox.confirmations.delete(token)
  }
}

type RunOwner = Pick<SyncRun, "workspaceId" | "externalUserId">

/** Erases all inbox data of a workspace. */
export const eraseInbox = (
  inbox: MemoryInbox,
  workspaceId: WorkspaceId,
  redact: Option.Option<Redact>,
  at: DateTime.Utc
): void => {
  eraseRuns(inbox, (run) => run.workspaceId === workspaceId)
  for (const entry of inbox.accounts.values()) {
    if (entry.account.workspaceId === workspaceId) eraseAccount(inbox, entry, redact, at)
  }
  for (const [id, { kept }] of inbox.posts) if (kept.post.workspaceId === workspaceId) inbox.posts.delete(id)
  inbox.audit.kept = inbox.audit.kept.filter((event) => event.workspaceId !== workspaceId)
  eraseEndpoints(inbox.outgoing, (endpoint) => endpoint.workspaceId === workspaceId)
  inbox.managedUsers.delete(workspaceId)
  inbox.logs.delete(workspaceId)
}
