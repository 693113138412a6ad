import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { renewAt } from "@loopbox/core/accounts/AccountCredentials"
import { auditConnected, auditUpdated } from "@loopbox/core/accounts/auditAccount"
import { isFor, SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { SealedCredentials } from "@loopbox/core/accounts/CredentialVault"
import { type AdmitOutcome, type ConnectOutcome, SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { isIdOf } from "@loopbox/core/networks/InboundActivity"
import {
  type AccountDecision,
  decideAccountChange,
  decideConnect,
  decideDisconnect
} from "@loopbox/core/items/decideAccount"
import { decideAdmission } from "@loopbox/core/items/decideAdmission"
import { newFacts } from "@loopbox/core/health/AccountFacts"
import { accountDisconnected } from "@loopbox/core/health/announceHealth"
import { noHints } from "@loopbox/core/sync/pollHints"
import { newPollState } from "@loopbox/core/sync/SyncRun"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Redact } from "@loopbox/core/kernel/Redact"
import { addManagedUser } from "./MemoryManagedUsers.ts"
import { endHealth, healthFrom, judgeSoon, knownOf } from "./memoryHealth.ts"
import { eraseAccount } from "./memoryErasing.ts"
import { type AccountEntry, type MemoryInbox, writeEvents, type HealthEntry } from "./memoryInbox.ts"
import { audit, change, changing } from "./memoryAudit.ts"
import { isNamed } from "./memoryNames.ts"
import { memoryPage } from "./memoryPage.ts"
import type { PollEntry } from "./memoryPolls.ts"
import { eraseSessions, namesAccount } from "./memoryConnecting.ts"
import { MemoryState } from "./MemoryState.ts"

/** The account of an id, unless it is disconnected. */
const liveEntry = (inbox: MemoryInbox, workspaceId: WorkspaceId, id: SocialAccountId): AccountEntry | undefined => {
  const entry = inbox.accounts.get(id)
  return entry?.account.workspaceId === workspaceId && entry.account.status !== "disconnected" ? entry : undefined
}

const sameAccount = (inbox: MemoryInbox, { network, networkAccountId, workspaceId }: SocialAccount) =>
  Array.from(inbox.accounts.values()).find(
    ({ account }) =>
      account.workspaceId === workspaceId &&
      account.network === network &&
      account.networkAccountId === networkAccountId
  )

const keepBodies = Option.some<Redact>(({ body }) => Option.some(body))

/** How new credentials begin: whether the account is announced as connected, and whether nobody checks it by himself. */
interface Beginning {
  readonly isTold: boolean
  readonly isLeftAlone: boolean
}

/** A person allowed it just now. */
const byPerson: Beginning = { isTold: true, isLeftAlone: false }

/** The renewal state of new credentials. */
const renewalFrom = (from: DateTime.Utc, expiresAt: Option.Option<DateTime.Utc>) => ({
  renewAt: Option.some(renewAt(from, expiresAt)),
  turn: Option.none()
})

/**
 * The poll state after new credentials: due at once, without state of the old ones; a running poll has lost its lease.
 */
const pollFrom = (at: DateTime.Utc, feeds: PollEntry["feeds"] = new Map()): PollEntry => ({
  state: newPollState,
  dueAt: Option.some(at),
  hints: noHints,
  life: undefined,
  token: undefined,
  leaseUntil: undefined,
  read: 0,
  newItems: 0,
  feeds
})

const newEntry = (account: SocialAccount, sealed: SealedCredentials, health: HealthEntry): AccountEntry => ({
  account,
  health,
  sealed,
  storedAt: account.createdAt,
  renewal: renewalFrom(account.createdAt, account.tokenExpiresAt),
  poll: pollFrom(account.createdAt),
  items: new Map(),
  threads: new Map(),
  begun: new Map(),
  labels: new Map(),
  notes: new Map(),
  unread: new Map(),
  people: new Map(),
  operations: new Map(),
  mediaContexts: new Map()
})

export const layer: Layer.Layer<SocialAccounts, never, MemoryState> = Layer.effect(
  SocialAccounts,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    // Sealing may pause, so connections are serialised; nothing else creates accounts.
    const turns = Semaphore.makeUnsafe(1)
    const insert = (
      account: SocialAccount,
      sealed: SealedCredentials,
      replaced: AccountEntry | undefined,
      beginning: Beginning
    ) => {
      // Its data in deliveries also belongs to the new connection.
      if (replaced !== undefined) {
        eraseAccount(inbox, replaced, keepBodies, account.createdAt)
        eraseSessions(state, namesAccount(replaced.account.id))
      }
      const { entry, events } = healthFrom(inbox.networks, account, account.createdAt, {
        facts: newFacts,
        ...beginning
      })
      inbox.accounts.set(account.id, newEntry(account, sealed, entry))
      writeEvents(inbox, account.workspaceId, events, account.createdAt)
    }
    const renew = (
      entry: AccountEntry,
      { account, events }: AccountDecision,
      sealed: SealedCredentials,
      at: DateTime.Utc,
      beginning: Beginning
    ) => {
      entry.account = account
      entry.sealed = sealed
      entry.storedAt = at
      entry.renewal = renewalFrom(at, account.tokenExpiresAt)
      entry.poll = pollFrom(at, entry.poll.feeds)
      const health = healthFrom(inbox.networks, account, at, { facts: entry.health.facts, ...beginning })
      entry.health = health.entry
      writeEvents(inbox, account.workspaceId, [...events, ...health.events], at)
    }
    return SocialAccounts.of({
      connect: Effect.fnUntraced(function* (
        account,
        seal,
        revivableSince,
        { isAnnounced = true, isLeftAlone = false } = {}
      ) {
        const beginning = { isTold: isAnnounced, isLeftAlone }
        const earlier = sameAccount(inbox, account)
        // Before all reads of the transaction, because it may pause.
        const [own, revived] = [yield* seal(account.id), earlier && (yield* seal(earlier.account.id))]
        const by = yield* change
        if (!state.workspaces.has(account.workspaceId)) return Option.none()
        const found = sameAccount(inbox, account)
        const decided = decideConnect(account, Option.fromUndefinedOr(found?.account), revivableSince)
        if (Result.isFailure(decided)) return yield* decided.failure
        addManagedUser(state, account.workspaceId, account.externalUserId, account.createdAt, by)
        if (decided.success._tag === "Revived" && found !== undefined && revived !== undefined) {
          renew(found, decided.success, revived, account.createdAt, beginning)
          audit(inbox, by, account.workspaceId, auditConnected(found.account, "Revived"))
          return Option.some<ConnectOutcome>({ _tag: "Revived", account: found.account })
        }
        insert(account, own, found, beginning)
        audit(inbox, by, account.workspaceId, auditConnected(account, "Connected"))
        return Option.some<ConnectOutcome>({ _tag: "Connected", account })
      }, turns.withPermits(1)),
      admit: Effect.fnUntraced(function* (admission) {
        const { account, seal } = admission
        const earlier = sameAccount(inbox, account)
        const sealed = { own: yield* seal(account.id), kept: earlier && (yield* seal(earlier.account.id)) }
        const by = yield* change
        if (!state.workspaces.has(account.workspaceId)) return Option.none()
        const found = sameAccount(inbox, account)
        const decided = decideAdmission(admission, Option.fromUndefinedOr(found?.account))
        if (Result.isFailure(decided)) return yield* decided.failure
        addManagedUser(state, account.workspaceId, account.externalUserId, account.createdAt, by)
        const admitted = decided.success
        if (
          admitted._tag === "New" ||
          admitted._tag === "Replaced" ||
          found === undefined ||
          sealed.kept === undefined
        ) {
          insert(account, sealed.own, found, byPerson)
          audit(inbox, by, account.workspaceId, auditConnected(account, "Connected"))
          return Option.some<AdmitOutcome>({ _tag: "Connected", account })
        }
        renew(found, admitted, sealed.kept, account.createdAt, byPerson)
        audit(inbox, by, account.workspaceId, auditConnected(admitted.account, admitted._tag))
        return Option.some<AdmitOutcome>({ _tag: admitted._tag, account: admitted.account })
      }, turns.withPermits(1)),
      findKept: (workspaceId, id) =>
        Effect.sync(() =>
          Option.filter(
            Option.fromUndefinedOr(inbox.accounts.get(id)?.account),
            (account) => account.workspaceId === workspaceId
          )
        ),
      find: (workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(liveEntry(inbox, workspaceId, id)?.account)),
      list: (workspaceId, page) =>
        Effect.sync(() =>
          memoryPage(
            Array.from(inbox.accounts.values(), ({ account }) => account).filter(
              (account) => account.workspaceId === workspaceId
            ),
            page
          )
        ),
      update: (workspaceId, id, wanted, at) =>
        changing((by) => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry === undefined) return Option.none()
          if (wanted.externalUserId !== undefined) addManagedUser(state, workspaceId, wanted.externalUserId, at, by)
          const before = entry.account
          const { account, events } = decideAccountChange(before, wanted)
          entry.account = account
          if (wanted.credentials !== undefined) {
            entry.sealed = wanted.credentials.sealed
            entry.storedAt = at
            entry.renewal = renewalFrom(at, wanted.credentials.expiresAt)
            entry.poll = pollFrom(at, entry.poll.feeds)
            const { isLeftAlone = false } = wanted.credentials
            const beginning = { facts: entry.health.facts, isTold: false, isLeftAlone }
            entry.health = healthFrom(inbox.networks, account, at, beginning).entry
          }
          writeEvents(inbox, workspaceId, events, at)
          audit(inbox, by, workspaceId, auditUpdated(before, account))
          return Option.some(entry.account)
        }),
      disconnect: (workspaceId, id, at) =>
        changing((by) => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry === undefined) return false
          const { account, events } = decideDisconnect(entry.account, at)
          const told = accountDisconnected(inbox.networks, knownOf(entry), at)
          entry.account = account
          endHealth(entry)
          writeEvents(inbox, workspaceId, [...events, told], at)
          entry.poll = { ...entry.poll, dueAt: Option.none(), hints: noHints }
          audit(inbox, by, workspaceId, { action: "account.disconnected", targetId: id })
          return true
        }),
      requireReauth: (workspaceId, id, revokedAt) =>
        Effect.map(DateTime.now, (now) => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry === undefined || DateTime.isGreaterThanOrEqualTo(entry.storedAt, revokedAt)) return
          entry.account = new SocialAccount({ ...entry.account, status: "reauth_required" })
          judgeSoon(entry, now)
          entry.poll = { ...entry.poll, dueAt: Option.none(), hints: noHints }
        }),
      findOfPerson: (networks, personId) =>
        Effect.sync(() => ({
          accounts: Array.from(inbox.accounts.values(), ({ account }) => account)
            .filter((one) => networks.includes(one.network))
            .filter((one) => isIdOf(one, personId) || one.personIds.includes(personId))
            .map(({ id: accountId, workspaceId }) => ({ workspaceId, accountId })),
          missing: Option.none()
        })),
      findRoutes: (names) =>
        Effect.sync(() =>
          names.flatMap((name) =>
            Array.from(inbox.accounts.values(), ({ account }) => account)
              .filter((account) => account.status !== "disconnected" && isNamed(name, account))
              .map((account) => ({
                name,
                workspaceId: account.workspaceId,
                accountId: account.id,
                isForInbox: isFor(account, "inbox")
              }))
          )
        )
    })
  })
)
