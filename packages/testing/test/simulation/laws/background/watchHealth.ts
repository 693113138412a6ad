import { DateTime, Effect, Equal, Layer, Option } from "effect"
import type { AccountEntry, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { KnownAccount, ToldHealth } from "@loopbox/core/health/AccountFacts"
import { AccountHealthStore, type CheckNotes } from "@loopbox/core/health/AccountHealthStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"

type Health = AccountEntry["health"]

/** Items that polls found and no webhook brought: so many within a day are a problem. */
const quietAfter = 3

const healthOf = ({ accounts }: MemoryInbox, id: SocialAccountId): Health | undefined => accounts.get(id)?.health

/** A fact that may change the health makes the account due at once. */
const dueNow = (dueAt: Health["dueAt"], now: DateTime.Utc): Health["dueAt"] =>
  Option.some(Option.match(dueAt, { onNone: () => now, onSome: (due) => DateTime.min(due, now) }))

const judgeFacts = (
  id: SocialAccountId,
  after: Health | undefined,
  was: Health,
  facts: Partial<Health["facts"]>,
  dueAt: Health["dueAt"]
): ReadonlyArray<string> => {
  if (after === undefined) return []
  const wanted = { ...was.facts, ...facts }
  return differing(`what is known of how well ${id} is`, {
    "when a webhook came last": [after.facts.lastWebhookAt, wanted.lastWebhookAt],
    "what polls found that no webhook brought": [after.facts.foundAt, wanted.foundAt],
    "when it was polled last": [after.facts.lastPollAt, wanted.lastPollAt],
    "what its last poll met": [after.facts.pollFailures, wanted.pollFailures],
    "what checks found": [after.facts.checks, wanted.checks],
    "what was told": [after.facts.told, wanted.told],
    "when it is looked at next": [after.dueAt, dueAt]
  })
}

const watchArrivals = (right: IngestStore["Service"], judge: Judged, inbox: MemoryInbox) =>
  IngestStore.of({
    ...right,
    ingest: (unit) => {
      const { accountId, now, workspaceId } = unit
      return judge(
        () => ({ was: healthOf(inbox, accountId), last: inbox.logs.get(workspaceId)?.last ?? 0 }),
        right.ingest(unit),
        ({ last, was }, { isRepeated }) => {
          const after = healthOf(inbox, accountId)
          if (was === undefined) return []
          if (isRepeated) return judgeFacts(accountId, after, was, {}, was.dueAt)
          const { checks, foundAt } = was.facts
          const { since } = checks.subscription
          const unheard = (inbox.logs.get(workspaceId)?.events ?? []).filter(
            ({ event, seq }) =>
              seq > last &&
              event._tag === "NewItem" &&
              !event.item.isOwn &&
              Option.exists(since, (from) => DateTime.isGreaterThan(event.item.receivedAt, from))
          )
          if (Option.isSome(unit.poll) && unheard.length > 0) {
            const all = [...unheard.map(() => now), ...foundAt].slice(0, quietAfter)
            const dueAt = all.length === quietAfter ? dueNow(was.dueAt, now) : was.dueAt
            return judgeFacts(accountId, after, was, { foundAt: all }, dueAt)
          }
          if (!unit.isHeard) return judgeFacts(accountId, after, was, {}, was.dueAt)
          const dueAt = foundAt.length > 0 ? dueNow(was.dueAt, now) : was.dueAt
          return judgeFacts(accountId, after, was, { lastWebhookAt: Option.some(now), foundAt: [] }, dueAt)
        }
      )
    }
  })

const watchPolled = (right: PollStore["Service"], judge: Judged, inbox: MemoryInbox) => {
  const codesOf = (failures: Health["facts"]["pollFailures"]) => failures.map(({ code }) => code)
  return PollStore.of({
    ...right,
    settle: (claim, settlement, at) =>
      judge(
        () => healthOf(inbox, claim.accountId),
        right.settle(claim, settlement, at),
        (was) => {
          const entry = inbox.accounts.get(claim.accountId)
          if (was === undefined || entry === undefined) return []
          const isDone = Option.isSome(settlement.facts) && entry.account.status !== "disconnected"
          if (!isDone) return judgeFacts(claim.accountId, entry.health, was, {}, was.dueAt)
          const { failures, isRead } = settlement.facts.value
          const isSame = Equal.equals(codesOf(failures), codesOf(was.facts.pollFailures))
          const facts = { pollFailures: failures, lastPollAt: isRead ? Option.some(at) : was.facts.lastPollAt }
          return judgeFacts(claim.accountId, entry.health, was, facts, isSame ? was.dueAt : dueNow(was.dueAt, at))
        }
      )
  })
}

/** Of an account that is connected, why its health is not good, but for what time alone brings. */
const problemsOf = ({ account, facts }: KnownAccount): ReadonlyArray<string> => {
  if (account.status === "disconnected") return []
  const { permissions, requestedPermissions } = account
  const isScoped = permissions.length > 0 && requestedPermissions.some((name) => !permissions.includes(name))
  const scopes = isScoped ? ["missing_scopes"] : []
  if (account.status === "reauth_required") return ["reconnect_required", ...scopes]
  const { failure, subscription } = facts.checks
  const isUnsubscribed =
    Option.isSome(subscription.failure) && (subscription.state === "missing" || subscription.state === "unknown")
  return [
    ...scopes,
    ...(isUnsubscribed ? ["webhook_not_subscribed"] : []),
    ...Option.toArray(failure).map(({ code }) => code),
    ...facts.pollFailures.map(({ code }) => code)
  ]
}

/** They come and go with time, and with what did not come. */
const ofTime = new Set(["webhook_quiet", "expires_soon"])

const gistOf = ({ health: { problems }, status }: Pick<ToldHealth, "health" | "status">) => [
  status,
  problems.map(({ code, missingPermissions }) => [code, missingPermissions])
]

/** What a customer is told is what is known, and each change of it once. */
const judgeVerdict = (
  { logs }: MemoryInbox,
  entry: AccountEntry,
  before: Option.Option<ToldHealth>,
  last: number,
  at: DateTime.Utc
): ReadonlyArray<string> => {
  const { account, health } = entry
  const { facts } = health
  const name = `the health of ${account.id}`
  if (Option.isNone(facts.told)) return [`${name} was judged, and it is not kept as what`]
  const told = facts.told.value
  const known = { account, facts: { ...facts, renewAt: entry.renewal.renewAt } }
  const wanted = new Set(problemsOf(known))
  const codes = told.health.problems.map(({ code }) => code)
  const was = Option.match(before, { onNone: () => ["connected", []], onSome: gistOf })
  const isChanged = !Equal.equals(gistOf(told), was)
  const events = (logs.get(account.workspaceId)?.events ?? []).flatMap(({ event, seq }) =>
    seq > last && event._tag === "AccountAttention" && event.accountId === account.id ? [event.account] : []
  )
  const sinceOf = (code: string) =>
    Option.match(before, {
      onNone: () => at,
      onSome: ({ health: { problems } }) => problems.find((one) => one.code === code)?.since ?? at
    })
  const isBroken = codes.some((code) => code === "reconnect_required" || code === "plan_excludes")
  return [
    ...differing(name, {
      "what is wrong": [new Set(codes.filter((code) => !ofTime.has(code))), wanted],
      "since when": [told.health.problems.map(({ since }) => since), codes.map(sinceOf)],
      "how bad it is": [told.health.status, isBroken ? "broken" : codes.length > 0 ? "degraded" : "ok"],
      "whether it is connected": [told.status, account.status],
      "when something came": [
        [told.health.lastPollAt, told.health.lastWebhookAt],
        [facts.lastPollAt, facts.lastWebhookAt]
      ],
      "how often its change is told": [events.length, isChanged ? 1 : 0]
    }),
    ...events.flatMap((shown) =>
      differing(`what is told of ${account.id}`, { "its health": [gistOf(shown), gistOf(told)] })
    )
  ]
}

/** A check is stored as it was made, and when it is made again follows from that. */
const judgeSettled = (entry: AccountEntry, was: KnownAccount, notes: Option.Option<CheckNotes>, at: DateTime.Utc) => {
  const { account, health } = entry
  const names = Option.flatMap(notes, (one) => one.names)
  const permissions = Option.flatMap(notes, (one) => one.permissions)
  const checks = Option.match(notes, { onNone: () => was.facts.checks, onSome: (one) => one.checks })
  const times = [
    ...(checks.isLeftAlone === true
      ? []
      : [checks.nextAt, Option.map(checks.subscription.failure, (one) => one.retryAt)]),
    entry.renewal.renewAt
  ].flatMap(Option.toArray)
  const latest_ms = Math.max(at.epochMilliseconds + 60_000, Math.min(...times.map((time) => time.epochMilliseconds)))
  const isLate =
    account.status === "connected" &&
    times.length > 0 &&
    !Option.exists(health.dueAt, (due) => due.epochMilliseconds <= latest_ms)
  return [
    ...(isLate ? [`${account.id} is checked again too late`] : []),
    ...differing(`what a check found of ${account.id}`, {
      "how its subscription is, and when it is asked again": [health.facts.checks, checks],
      "what its token may do": [account.permissions, Option.getOrElse(permissions, () => was.account.permissions)],
      "its name": [
        account.name,
        Option.getOrElse(
          Option.map(names, ({ name }) => name),
          () => was.account.name
        )
      ],
      "its user name": [
        account.username,
        Option.orElse(
          Option.flatMap(names, ({ username }) => username),
          () => was.account.username
        )
      ],
      "its picture": [
        account.avatarUrl,
        Option.orElse(
          Option.flatMap(names, ({ avatarUrl }) => avatarUrl),
          () => was.account.avatarUrl
        )
      ],
      "what else is known": [
        [health.facts.foundAt, health.facts.lastPollAt, health.facts.lastWebhookAt, health.facts.pollFailures],
        [was.facts.foundAt, was.facts.lastPollAt, was.facts.lastWebhookAt, was.facts.pollFailures]
      ]
    })
  ]
}

const knownOf = ({ account, health, renewal }: AccountEntry): KnownAccount => ({
  account,
  facts: { ...health.facts, renewAt: renewal.renewAt }
})

const watchChecks = (right: AccountHealthStore["Service"], judge: Judged, inbox: MemoryInbox) => {
  type Request = Parameters<typeof right.claim>[0]
  const due = ({ leaseNow, now }: Request) =>
    Array.from(inbox.accounts.values()).filter(
      ({ account, health }) =>
        account.status !== "disconnected" &&
        Option.exists(health.dueAt, DateTime.isLessThanOrEqualTo(now)) &&
        (health.leaseUntil === undefined || DateTime.isLessThanOrEqualTo(health.leaseUntil, leaseNow))
    )
  return AccountHealthStore.of({
    ...right,
    claim: (request) =>
      judge(
        () => due(request).map(({ account: { id } }) => id),
        right.claim(request),
        (before, claims) => [
          ...(claims.length === Math.min(request.limit, before.length)
            ? []
            : [`${before.length} accounts are to be checked, and ${claims.length} are`]),
          ...claims.flatMap(({ account, facts }) => {
            const entry = inbox.accounts.get(account.id)
            const isDue = before.includes(account.id) ? [] : [`${account.id} is checked, and is not due`]
            if (entry === undefined) return isDue
            return [
              ...isDue,
              ...differing(`what a check is given of ${account.id}`, { "its facts": [facts, knownOf(entry).facts] })
            ]
          })
        ]
      ),
    settle: (claim, notes, decide, at) => {
      const { id, workspaceId } = claim.account
      let decided: ReturnType<typeof decide> | undefined
      const noting: typeof decide = (known) => (decided = decide(known))
      return judge(
        () => {
          const entry = inbox.accounts.get(id)
          return { was: entry && knownOf(entry), last: inbox.logs.get(workspaceId)?.last ?? 0 }
        },
        right.settle(claim, notes, noting, at),
        ({ last, was }) => {
          const entry = inbox.accounts.get(id)
          if (entry === undefined || was === undefined || decided === undefined) return []
          return [
            ...judgeSettled(entry, was, notes, at),
            ...judgeVerdict(inbox, entry, was.facts.told, last, at),
            ...differing(`the verdict on ${id}`, {
              "when it is looked at next": [entry.health.dueAt, decided.dueAt],
              "what was told": [entry.health.facts.told, Option.some(decided.told)],
              "whether its lease is given back": [entry.health.token, undefined]
            })
          ]
        }
      )
    },
    find: (workspaceId, id) =>
      judge(
        () => inbox.accounts.get(id),
        right.find(workspaceId, id),
        (entry, found) => {
          const wanted = entry?.account.workspaceId === workspaceId ? Option.some(knownOf(entry)) : Option.none()
          return differing(`what is found of ${id}`, { "its facts": [found, wanted] })
        }
      )
  })
}

/** An account that loses its access is judged at once, so that its customer hears of it. */
const judgeLost =
  (judge: Judged, inbox: MemoryInbox) =>
  <A, E>(id: SocialAccountId, call: Effect.Effect<A, E>) =>
    Effect.flatMap(DateTime.now, (now) =>
      judge(
        () => inbox.accounts.get(id)?.account.status,
        call,
        (was) => {
          const entry = inbox.accounts.get(id)
          if (entry === undefined || entry.account.status === was || entry.account.status !== "reauth_required")
            return []
          const isSoon = Option.exists(entry.health.dueAt, DateTime.isLessThanOrEqualTo(now))
          return isSoon ? [] : [`${id} has lost its access, and nobody looks at it`]
        }
      )
    )

/** The ports of how well accounts are: facts as they arise, checks, and what is told of them. */
export const watchHealth = Layer.unwrap(
  Effect.gen(function* () {
    const judge = judged((yield* StateLaw).violations)
    const { inbox } = yield* MemoryState
    const lost = judgeLost(judge, inbox)
    const [accounts, credentials] = [yield* SocialAccounts, yield* AccountCredentials]
    return Layer.mergeAll(
      Layer.succeed(IngestStore, watchArrivals(yield* IngestStore, judge, inbox)),
      Layer.succeed(PollStore, watchPolled(yield* PollStore, judge, inbox)),
      Layer.succeed(AccountHealthStore, watchChecks(yield* AccountHealthStore, judge, inbox)),
      Layer.succeed(
        SocialAccounts,
        SocialAccounts.of({
          ...accounts,
          requireReauth: (workspaceId, id, ...of) => lost(id, accounts.requireReauth(workspaceId, id, ...of))
        })
      ),
      Layer.succeed(
        AccountCredentials,
        AccountCredentials.of({
          ...credentials,
          expire: (workspaceId, id, ...of) => lost(id, credentials.expire(workspaceId, id, ...of)),
          drop: (of, ...rest) => lost(of.accountId, credentials.drop(of, ...rest))
        })
      )
    )
  })
)
