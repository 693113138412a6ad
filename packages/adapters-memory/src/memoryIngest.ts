import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { decideIngest } from "@loopbox/core/items/decideIngest"
import { newOfOthers } from "@loopbox/core/items/newOfOthers"
import { AccountGone } from "@loopbox/core/accounts/AccountErrors"
import type { IngestReceipt, IngestUnit } from "@loopbox/core/inbox/IngestStore"
import { keyOf, type StoredItem, threadOf } from "@loopbox/core/items/StoredItem"
import { withThreads } from "@loopbox/core/items/threading/withThreads"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { noteFound, noteHeard } from "./memoryHealth.ts"
import { addUnread, type MemoryInbox, wakeReplies, writeEvents } from "./memoryInbox.ts"
import { postsOn } from "./memoryPosts.ts"
import { shownThread } from "./memoryThreads.ts"
import { audit, type Change } from "./memoryAudit.ts"
import { noteProgress, rouse } from "./memorySync.ts"

const isOwnItem = (item: StoredItem): boolean => item._tag === "LiveItem" && item.isOwn

/** Ingests one unit in one step: marks it done, and writes core's decision, counters and events. */
export const ingestUnit = (
  inbox: MemoryInbox,
  unit: IngestUnit,
  by: Change
): Result.Result<IngestReceipt, AccountGone | LeaseLost> => {
  const { accountId, arrivals, completes, now, workspaceId } = unit
  const entry = inbox.accounts.get(accountId)
  if (entry?.account.workspaceId !== workspaceId || entry.account.status === "disconnected") {
    return Result.fail(new AccountGone({ accountId }))
  }
  if (Option.isSome(unit.poll) && entry.poll.token !== unit.poll.value.claim.token) {
    return Result.fail(new LeaseLost({ what: "account", id: accountId }))
  }
  const undone = completes.filter((id) => inbox.doneUnits.get(id)?.has(accountId) !== true)
  if (completes.length > 0 && undone.length === 0)
    return Result.succeed({ created: 0, events: 0, changed: new Set(), isRepeated: true })
  for (const id of undone) {
    const done = inbox.doneUnits.get(id) ?? new Set<SocialAccountId>()
    inbox.doneUnits.set(id, done.add(accountId))
  }
  const people = new Map(
    Array.from(entry.people).map(
      ([id, { person }]) => [id, person ?? { name: Option.none(), avatarUrl: Option.none() }] as const
    )
  )
  const { account, items, threads } = entry
  const facts = { networks: inbox.networks, account, items, threads, people, posts: postsOn(inbox.posts, accountId) }
  const change = decideIngest(facts, arrivals, now)
  for (const [key, item] of change.items) entry.items.set(key, item)
  for (const [key, { state }] of change.threads) entry.threads.set(key, state)
  for (const item of change.items.values()) {
    if (item._tag === "LiveItem" && !entry.begun.has(threadOf(item))) entry.begun.set(threadOf(item), item.createdAt)
  }
  for (const [source, delta] of change.unread) addUnread(entry, source, delta)
  for (const { personId, source } of change.people.values()) {
    entry.people.set(personId, { person: undefined, source, attempts: 0, claimableAt: now, token: undefined })
  }
  if (Array.from(change.items.values()).some(isOwnItem)) wakeReplies(inbox, entry, now)
  const events = withThreads(change.events, (named) => shownThread(inbox, entry, threadOf(named), now))
  const first = writeEvents(inbox, workspaceId, events, now)
  change.events.forEach((event, place) => {
    if (event._tag !== "NewItem") return
    const { externalId, id, source } = event.item
    inbox.index.set(id, { accountId, key: keyOf({ externalId, source }), seq: first + place })
  })
  const outcome = { created: change.created, changed: change.changed }
  if (Option.isSome(unit.poll)) {
    noteProgress(inbox, entry, unit.poll.value.notes(outcome), change.created)
    noteFound(entry, newOfOthers(change.events), now)
  }
  if (unit.isHeard) {
    rouse(entry, now)
    noteHeard(entry, now)
  }
  if (unit.audit !== undefined) audit(inbox, by, workspaceId, unit.audit)
  return Result.succeed({ ...outcome, events: change.events.length, isRepeated: false })
}
