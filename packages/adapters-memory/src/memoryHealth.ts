import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { type AccountFacts, type KnownAccount, newFacts, uncheckedAs } from "@loopbox/core/health/AccountFacts"
import { announceConnected } from "@loopbox/core/health/announceHealth"
import { quietAfter } from "@loopbox/core/health/judgeHealth"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { NetworkTable } from "@loopbox/core/networks/Networks"
import type { PollFacts } from "@loopbox/core/sync/PollFacts"
import type { AccountEntry, HealthEntry } from "./memoryInbox.ts"

export const knownOf = ({ account, health, renewal }: AccountEntry): KnownAccount => ({
  account,
  facts: { ...health.facts, renewAt: renewal.renewAt }
})

/** The facts with new credentials: a running check has lost its lease. `isTold`: as one that is connected just now. */
export const healthFrom = (
  networks: NetworkTable,
  account: SocialAccount,
  at: DateTime.Utc,
  before: { readonly facts: AccountFacts; readonly isTold: boolean; readonly isLeftAlone: boolean }
): { readonly entry: HealthEntry; readonly events: ReadonlyArray<InboxEvent> } => {
  const { lastPollAt, lastWebhookAt } = before.facts
  const { events, told } = announceConnected(networks, account, { lastPollAt, lastWebhookAt }, at)
  const facts = {
    ...newFacts,
    checks: uncheckedAs(before.isLeftAlone),
    lastPollAt,
    lastWebhookAt,
    told: before.isTold ? Option.some(told) : before.facts.told
  }
  const entry = { facts, dueAt: Option.some(at), token: undefined, leaseUntil: undefined }
  return { entry, events: before.isTold ? events : [] }
}

/** Changes the facts of an account; with `isDue` it is judged at once. */
const noteFacts = (entry: AccountEntry, facts: Partial<AccountFacts>, at: DateTime.Utc, isDue: boolean): void => {
  const { health } = entry
  const dueAt = isDue ? Option.map(health.dueAt, (due) => DateTime.min(due, at)) : health.dueAt
  entry.health = {
    ...health,
    facts: { ...health.facts, ...facts },
    dueAt: isDue ? Option.orElse(dueAt, () => Option.some(at)) : dueAt
  }
}

/** The account's status changed: it is judged at once. */
export const judgeSoon = (entry: AccountEntry, at: DateTime.Utc): void => {
  noteFacts(entry, {}, at, true)
}

/** Nobody looks at a disconnected account. */
export const endHealth = (entry: AccountEntry): void => {
  entry.health = { ...entry.health, dueAt: Option.none(), token: undefined, leaseUntil: undefined }
}

const codesOf = ({ pollFailures }: Pick<AccountFacts, "pollFailures">) => pollFailures.map(({ code }) => code).join(" ")

/** What a poll met. Due only if it met something else than the poll before. */
export const notePolled = (entry: AccountEntry, { failures, isRead }: PollFacts, at: DateTime.Utc): void => {
  if (entry.account.status === "disconnected") return
  const isDue = codesOf({ pollFailures: failures }) !== codesOf(entry.health.facts)
  const lastPollAt = isRead ? Option.some(at) : entry.health.facts.lastPollAt
  noteFacts(entry, { pollFailures: failures, lastPollAt }, at, isDue)
}

/** A webhook came for the account: what polls found before counts no longer. */
export const noteHeard = (entry: AccountEntry, at: DateTime.Utc): void => {
  noteFacts(entry, { lastWebhookAt: Option.some(at), foundAt: [] }, at, entry.health.facts.foundAt.length > 0)
}

/** A poll found items that webhooks should have brought, if they are newer than the subscription. */
export const noteFound = (entry: AccountEntry, receivedAt: ReadonlyArray<DateTime.Utc>, at: DateTime.Utc): void => {
  const { checks, foundAt } = entry.health.facts
  const { since } = checks.subscription
  if (Option.isNone(since)) return
  const newer = receivedAt.filter((one) => DateTime.isGreaterThan(one, since.value)).map(() => at)
  if (newer.length === 0) return
  const all = [...newer, ...foundAt].slice(0, quietAfter)
  noteFacts(entry, { foundAt: all }, at, all.length === quietAfter)
}
