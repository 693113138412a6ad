import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { isFor, type SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { decideRunEnd } from "@loopbox/core/sync/decideRun"
import { type AccountSync, feedKey, newItemsOf, type SyncRun } from "@loopbox/core/sync/SyncRun"
import type { BackfillProgress, PollNotes } from "@loopbox/core/sync/PollStore"
import { dueAfterNews } from "@loopbox/core/sync/dueAfterPoll"
import { isRoused } from "@loopbox/core/sync/pollPace"
import type { NewRun } from "@loopbox/core/sync/SyncStore"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type AccountEntry, type MemoryInbox, type RunEntry, writeEvents } from "./memoryInbox.ts"

export const noProgress: BackfillProgress = {
  read: 0,
  accepted: 0,
  duplicates: 0,
  suppressed: 0,
  cursor: Option.none()
}

/** Stores the progress of a poll, together with the items that it covers. */
export const noteProgress = (inbox: MemoryInbox, entry: AccountEntry, notes: PollNotes, created: number): void => {
  const { poll } = entry
  const feeds = new Map(poll.feeds)
  for (const feed of notes.feeds) feeds.set(feedKey(feed), feed)
  // New items of a backfill are counted in its own progress.
  const found = Option.isNone(notes.backfill) ? created : 0
  entry.poll = { ...poll, feeds, read: poll.read + notes.read, newItems: poll.newItems + found }
  if (Option.isNone(notes.backfill)) return
  const { progress, runId } = notes.backfill.value
  inbox.runs.get(runId)?.tasks.set(entry.account.id, { result: undefined, progress })
}

const isInScope = (account: SocialAccount, scope: InboxScope): boolean =>
  account.workspaceId === scope.workspaceId &&
  account.status !== "disconnected" &&
  isFor(account, "inbox") &&
  (scope._tag === "WorkspaceScope" || Option.contains(account.externalUserId, scope.externalUserId))

/** The accounts of a run, ordered by id. */
export const accountsOf = (
  inbox: MemoryInbox,
  { backfill, networks, scope }: Pick<NewRun, "scope" | "networks" | "backfill">
): ReadonlyArray<AccountEntry> => {
  const named = Option.flatMap(backfill, ({ accountId }) => accountId)
  return Array.from(inbox.accounts.values())
    .filter(({ account }) => isInScope(account, scope) && networks.has(account.network))
    .filter(({ account }) => Option.isNone(named) || named.value === account.id)
    .sort((a, b) => (a.account.id < b.account.id ? -1 : 1))
}

export const isPending = ({ tasks }: RunEntry): boolean =>
  Array.from(tasks.values()).some(({ result }) => result === undefined)

export const toRun = (entry: RunEntry): SyncRun => {
  const done = Array.from(entry.tasks.entries()).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...entry.run,
    isCompleted: !isPending(entry),
    accountsChecked: entry.tasks.size,
    accounts: done.flatMap(([, { result }]) => (result === undefined ? [] : [result]))
  }
}

/** Completes a run without unfinished accounts, with its event, once. */
export const completeRun = (inbox: MemoryInbox, entry: RunEntry, at: DateTime.Utc): void => {
  if (entry.isCompleted || isPending(entry)) return
  entry.isCompleted = true
  writeEvents(inbox, entry.run.workspaceId, decideRunEnd(entry.run, newItemsOf(toRun(entry))), at)
}

/** The unfinished runs of an account, polls or backfills. */
export const waitingRuns = (
  inbox: MemoryInbox,
  accountId: SocialAccountId,
  kind: "poll" | "backfill"
): ReadonlyArray<RunEntry> =>
  Array.from(inbox.runs.values()).filter(({ run, tasks }) => {
    const task = tasks.get(accountId)
    return task !== undefined && task.result === undefined && Option.isSome(run.backfill) === (kind === "backfill")
  })

export const endTask = (entry: RunEntry, result: AccountSync): void => {
  const task = entry.tasks.get(result.accountId)
  if (task !== undefined) entry.tasks.set(result.accountId, { ...task, result })
}

/**
 * Makes the accounts of a workspace due, except those with a rate limit. A poll that runs now was begun under the old plan,
 * and loses its lease.
 */
export const pollSoon = (inbox: MemoryInbox, workspaceId: WorkspaceId, at: DateTime.Utc): void => {
  for (const entry of inbox.accounts.values()) {
    const { dueAt, state } = entry.poll
    if (entry.account.workspaceId !== workspaceId || Option.isSome(state.wait)) continue
    const due = Option.map(dueAt, (before) => DateTime.min(before, at))
    entry.poll = { ...entry.poll, dueAt: due, token: undefined, leaseUntil: undefined }
  }
}

/** Something new was heard of an account: it is alive, and polled soon if that was not known. */
export const rouse = (entry: AccountEntry, now: DateTime.Utc): void => {
  const { dueAt, life, state } = entry.poll
  if (life === undefined || !isRoused(life, now) || Option.isSome(state.wait)) return
  const roused = { ...life, aliveAt: now }
  entry.poll = { ...entry.poll, life: roused, dueAt: Option.map(dueAt, (due) => dueAfterNews(roused, due)) }
}
