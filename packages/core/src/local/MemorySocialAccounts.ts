import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { renewAt } from "../accounts/AccountCredentials.ts"
import { AccountAlreadyConnected } from "../accounts/AccountErrors.ts"
import { type AccountStatus, SocialAccount } from "../accounts/SocialAccount.ts"
import {
  type AccountChange,
  type AccountName,
  type ConnectOutcome,
  SocialAccounts
} from "../accounts/SocialAccounts.ts"
import { newPollState } from "../inbox/SyncRun.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { addManagedUser } from "./MemoryManagedUsers.ts"
import { type AccountEntry, eraseAccount, type MemoryInbox, type PollEntry, writeEvents } from "./memoryInbox.ts"
import { memoryPage } from "./memoryPage.ts"
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

/** What becomes of an account that is connected: a new one, or the disconnected one of the same id again. */
const revivable = (inbox: MemoryInbox, account: SocialAccount, since: DateTime.Utc) => {
  const entry = sameAccount(inbox, account)
  if (entry === undefined || entry.account.status !== "disconnected") return entry
  const isKept = Option.exists(entry.account.disconnectedAt, (at) => DateTime.isGreaterThan(at, since))
  if (!isKept) eraseAccount(inbox, entry)
  return isKept ? entry : undefined
}

const statusAfter = (status: AccountStatus, change: AccountChange): AccountStatus =>
  change.credentials !== undefined && status === "reauth_required" ? "connected" : status

/** When credentials that come now are to be renewed; nobody has the turn yet. */
const renewalFrom = (from: DateTime.Utc, expiresAt: Option.Option<DateTime.Utc>) => ({
  renewAt: renewAt(from, expiresAt),
  turn: Option.none()
})

/** Due at once, without what was remembered of other credentials; a poll that uses those has lost its lease. */
const pollFrom = (at: DateTime.Utc, feeds: PollEntry["feeds"] = new Map()): PollEntry => ({
  state: newPollState,
  dueAt: Option.some(at),
  token: undefined,
  leaseUntil: undefined,
  read: 0,
  newItems: 0,
  feeds
})

const applyChange = (entry: AccountEntry, change: AccountChange, at: DateTime.Utc): void => {
  const { account } = entry
  entry.account = new SocialAccount({
    ...account,
    name: change.name ?? account.name,
    username: change.username ?? account.username,
    avatarUrl: change.avatarUrl ?? account.avatarUrl,
    externalUserId: change.externalUserId ?? account.externalUserId,
    permissions: change.permissions ?? account.permissions,
    tokenExpiresAt: change.credentials?.expiresAt ?? account.tokenExpiresAt,
    status: statusAfter(account.status, change)
  })
  if (change.credentials === undefined) return
  entry.sealed = change.credentials.sealed
  entry.renewal = renewalFrom(at, change.credentials.expiresAt)
  entry.poll = pollFrom(at, entry.poll.feeds)
}

const isNamed = ({ by, network, value }: AccountName, account: SocialAccount): boolean =>
  account.network === network &&
  (by === "id"
    ? account.networkAccountId === value
    : Option.exists(account.username, (name) => name.toLowerCase() === value.toLowerCase()))

export const layer: Layer.Layer<SocialAccounts, never, MemoryState> = Layer.effect(
  SocialAccounts,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    // Sealing may pause, so connections take turns; nothing else makes an account.
    const turns = Semaphore.makeUnsafe(1)
    return SocialAccounts.of({
      connect: Effect.fnUntraced(function* (account, seal, revivableSince) {
        const earlier = sameAccount(inbox, account)
        // It comes before everything that the transaction reads.
        const [own, revived] = [yield* seal(account.id), earlier && (yield* seal(earlier.account.id))]
        if (!state.workspaces.has(account.workspaceId)) return Option.none()
        const entry = revivable(inbox, account, revivableSince)
        if (entry !== undefined && entry.account.status !== "disconnected") {
          return yield* new AccountAlreadyConnected({ accountId: entry.account.id })
        }
        addManagedUser(state, account.workspaceId, account.externalUserId, account.createdAt)
        if (entry !== undefined && revived !== undefined) {
          const { createdAt, id } = entry.account
          const { externalUserId } = entry.account
          entry.account = new SocialAccount({ ...account, id, createdAt })
          entry.sealed = revived
          entry.renewal = renewalFrom(account.createdAt, account.tokenExpiresAt)
          entry.poll = pollFrom(account.createdAt, entry.poll.feeds)
          // Its items are shown again, also where the owner is the same.
          announce(inbox, entry.account, { from: externalUserId, to: account.externalUserId }, account.createdAt)
          return Option.some<ConnectOutcome>({ _tag: "Revived", account: entry.account })
        }
        inbox.accounts.set(account.id, {
          account,
          sealed: own,
          renewal: renewalFrom(account.createdAt, account.tokenExpiresAt),
          poll: pollFrom(account.createdAt),
          items: new Map(),
          threads: new Map(),
          unread: new Map(),
          people: new Map(),
          operations: new Map(),
          mediaContexts: new Map()
        })
        return Option.some<ConnectOutcome>({ _tag: "Connected", account })
      }, turns.withPermits(1)),
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
      update: (workspaceId, id, change, at) =>
        Effect.sync(() => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry === undefined) return Option.none()
          const owner = entry.account.externalUserId
          if (change.externalUserId !== undefined) addManagedUser(state, workspaceId, change.externalUserId, at)
          applyChange(entry, change, at)
          const to = entry.account.externalUserId
          if (Option.getOrNull(owner) !== Option.getOrNull(to)) announce(inbox, entry.account, { from: owner, to }, at)
          return Option.some(entry.account)
        }),
      disconnect: (workspaceId, id, at) =>
        Effect.sync(() => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry === undefined) return false
          entry.account = new SocialAccount({
            ...entry.account,
            status: "disconnected",
            disconnectedAt: Option.some(at)
          })
          announce(inbox, entry.account, { from: entry.account.externalUserId, to: Option.none() }, at)
          return true
        }),
      eraseDisconnected: (before, limit) =>
        Effect.sync(() => {
          const old = Array.from(inbox.accounts.values())
            .filter(({ account }) => Option.exists(account.disconnectedAt, (at) => DateTime.isLessThan(at, before)))
            .slice(0, limit)
          for (const entry of old) eraseAccount(inbox, entry)
          return old.length
        }),
      requireReauth: (workspaceId, id) =>
        Effect.sync(() => {
          const entry = liveEntry(inbox, workspaceId, id)
          if (entry !== undefined) entry.account = new SocialAccount({ ...entry.account, status: "reauth_required" })
        }),
      findSealed: (workspaceId, id) =>
        Effect.sync(() => Option.fromUndefinedOr(liveEntry(inbox, workspaceId, id)?.sealed)),
      findRoutes: (names) =>
        Effect.sync(() =>
          names.flatMap((name) =>
            Array.from(inbox.accounts.values(), ({ account }) => account)
              .filter((account) => account.status !== "disconnected" && isNamed(name, account))
              .map(({ id, workspaceId }) => ({ name, workspaceId, accountId: id }))
          )
        )
    })
  })
)

/** Tells whom an account was of, and whom it is of now. */
const announce = (
  inbox: MemoryInbox,
  { id, workspaceId }: SocialAccount,
  move: { readonly from: Option.Option<string>; readonly to: Option.Option<string> },
  at: DateTime.Utc
): void => void writeEvents(inbox, workspaceId, [{ _tag: "AccountMoved", accountId: id, ...move }], at)
