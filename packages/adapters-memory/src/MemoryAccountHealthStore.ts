import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { AccountHealthStore, type CheckClaim } from "@loopbox/core/health/AccountHealthStore"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { knownOf } from "./memoryHealth.ts"
import { type AccountEntry, type MemoryInbox, writeEvents } from "./memoryInbox.ts"
import { memoryPage } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

const held = (inbox: MemoryInbox, { account, token }: CheckClaim): Effect.Effect<AccountEntry, LeaseLost> =>
  Effect.suspend(() => {
    const entry = inbox.accounts.get(account.id)
    return entry?.health.token === token
      ? Effect.succeed(entry)
      : Effect.fail(new LeaseLost({ what: "account", id: account.id }))
  })

const dueMillis = ({ health }: AccountEntry) =>
  Option.match(health.dueAt, { onNone: () => 0, onSome: DateTime.toEpochMillis })

const isDue = ({ account, health }: AccountEntry, now: DateTime.Utc, leaseNow: DateTime.Utc): boolean =>
  account.status !== "disconnected" &&
  Option.exists(health.dueAt, DateTime.isLessThanOrEqualTo(now)) &&
  (health.leaseUntil === undefined || !DateTime.isGreaterThan(health.leaseUntil, leaseNow))

const take = (entry: AccountEntry, token: string, leaseUntil: DateTime.Utc): CheckClaim => {
  entry.health = { ...entry.health, token, leaseUntil }
  return { ...knownOf(entry), token }
}

export const layer: Layer.Layer<AccountHealthStore, never, MemoryState> = Layer.effect(
  AccountHealthStore,
  Effect.map(MemoryState, ({ inbox }) =>
    AccountHealthStore.of({
      find: (workspaceId, id) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(id)
          return entry?.account.workspaceId === workspaceId ? Option.some(knownOf(entry)) : Option.none()
        }),
      list: (scope, { disconnectedSince, networks, statuses }, page) =>
        Effect.sync(() => {
          const rows = Array.from(inbox.accounts.values())
            .filter(
              ({ account }) =>
                account.workspaceId === scope.workspaceId &&
                (scope._tag === "WorkspaceScope" || Option.contains(account.externalUserId, scope.externalUserId)) &&
                (networks.size === 0 || networks.has(account.network)) &&
                (statuses.size === 0 || statuses.has(account.status)) &&
                Option.match(account.disconnectedAt, {
                  onNone: () => true,
                  onSome: (at) => DateTime.isGreaterThan(at, disconnectedSince)
                })
            )
            .map((entry) => ({ createdAt: entry.account.createdAt, id: entry.account.id, entry }))
          const { items, next } = memoryPage(rows, page)
          return { items: items.map(({ entry }) => knownOf(entry)), next }
        }),
      claim: ({ leaseNow, leaseUntil, limit, now, token }) =>
        Effect.sync(() =>
          Array.from(inbox.accounts.values())
            .filter((entry) => isDue(entry, now, leaseNow))
            .sort((a, b) => dueMillis(a) - dueMillis(b))
            .slice(0, limit)
            .map((entry) => take(entry, token, leaseUntil))
        ),
      seize: (workspaceId, id, { leaseUntil, token }) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(id)
          const isLive = entry?.account.workspaceId === workspaceId && entry.account.status !== "disconnected"
          return isLive ? Option.some(take(entry, token, leaseUntil)) : Option.none()
        }),
      renew: (claim, leaseUntil) =>
        Effect.map(held(inbox, claim), (entry) => {
          entry.health = { ...entry.health, leaseUntil }
        }),
      release: (claim) =>
        Effect.map(held(inbox, claim), (entry) => {
          entry.health = { ...entry.health, token: undefined, leaseUntil: undefined }
        }),
      settle: (claim, notes, judge, at) =>
        Effect.map(held(inbox, claim), (entry) => {
          if (Option.isSome(notes)) {
            const { checks, names, permissions } = notes.value
            entry.health = { ...entry.health, facts: { ...entry.health.facts, checks } }
            if (Option.isSome(permissions)) {
              entry.account = new SocialAccount({ ...entry.account, permissions: permissions.value })
            }
            if (Option.isSome(names)) {
              const { avatarUrl, name, username } = names.value
              entry.account = new SocialAccount({
                ...entry.account,
                name,
                username: Option.orElse(username, () => entry.account.username),
                avatarUrl: Option.orElse(avatarUrl, () => entry.account.avatarUrl)
              })
            }
          }
          const { dueAt, events, told } = judge(knownOf(entry))
          const facts = { ...entry.health.facts, told: Option.some(told) }
          entry.health = { facts, dueAt, token: undefined, leaseUntil: undefined }
          writeEvents(inbox, entry.account.workspaceId, events, at)
          return knownOf(entry)
        }),
      isPersonElsewhere: ({ id, personIds }) =>
        Effect.sync(() =>
          Array.from(inbox.accounts.values()).some(
            ({ account }) =>
              account.id !== id &&
              account.status !== "disconnected" &&
              account.personIds.some((one) => personIds.includes(one))
          )
        ),
      isSubscriptionShared: ({ id, networkAccountId, throughAccountId }) =>
        Effect.sync(() => {
          const teller = Option.getOrElse(throughAccountId, () => networkAccountId)
          return Array.from(inbox.accounts.values()).some(
            ({ account }) =>
              account.id !== id &&
              account.status !== "disconnected" &&
              (Option.contains(account.throughAccountId, teller) ||
                (Option.isSome(throughAccountId) && account.networkAccountId === teller))
          )
        })
    })
  )
)
