import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { ManagedUserScope, WorkspaceScope } from "../access/InboxScope.ts"
import type { ManagedUsers } from "../access/ManagedUsers.ts"
import type { Members } from "../access/Members.ts"
import type { AccountCredentials } from "../accounts/AccountCredentials.ts"
import { type Network, SocialAccount } from "../accounts/SocialAccount.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { Redact } from "../kernel/Redact.ts"
import { sources } from "../connectors/Source.ts"
import type { AuthorProfiles } from "../inbox/AuthorProfiles.ts"
import { InboxEvents } from "../inbox/InboxEvents.ts"
import { type IngestPoll, InboxStore, type ItemQuery, type ItemScope, noFilter } from "../inbox/InboxStore.ts"
import type { ItemActivity } from "../inbox/mergeActivity.ts"
import type { SyncStore } from "../inbox/SyncStore.ts"
import type { WebhookDeliveries } from "../inbox/WebhookDeliveries.ts"
import { nextInboxItemId, nextSocialAccountId, nextWorkspaceId, type WorkspaceId } from "../kernel/Ids.ts"
import type { Plan } from "../plans/Plan.ts"
import { Workspace } from "../plans/Workspace.ts"
import { Workspaces } from "../plans/Workspaces.ts"
import { noon } from "./activities.ts"

/** Every store port of the inbox in one world: what its contract suites are run on. */
export type InboxPorts =
  | Workspaces
  | Members
  | ManagedUsers
  | SocialAccounts
  | AccountCredentials
  | InboxStore
  | InboxEvents
  | AuthorProfiles
  | SyncStore
  | WebhookDeliveries

/** The adapters under test and what the suites need besides. */
export const inboxWorld = <P, E>(stores: Layer.Layer<P, E>) => Layer.merge(stores, SecureRandom.layerWebCrypto)

let tests = 0

/** The time at which a test plays, earlier than that of every test before, so that queues show it its own first. */
export const inboxEpoch = Effect.sync(() => DateTime.subtract(noon, { days: 200 * ++tests }))

/** A stored workspace of a test's own. */
export const makeInboxWorkspace = Effect.fnUntraced(function* (createdAt: DateTime.Utc = noon, plan: Plan = "growth") {
  const random = yield* SecureRandom.SecureRandom
  const workspace = new Workspace({
    id: yield* nextWorkspaceId(random),
    name: "Test",
    plan,
    limits: { activeJobs: Option.none(), conversionsPer24Hours: Option.none() },
    createdAt
  })
  yield* (yield* Workspaces).insert(workspace)
  return workspace
})

export interface AccountOptions {
  readonly network?: Network
  readonly networkAccountId?: string
  readonly username?: string
  readonly owner?: string
  readonly at?: DateTime.Utc
}

/** An account that is not connected yet. */
export const newAccount = Effect.fnUntraced(function* (workspaceId: WorkspaceId, options: AccountOptions = {}) {
  return new SocialAccount({
    id: yield* nextSocialAccountId(yield* SecureRandom.SecureRandom),
    workspaceId,
    network: options.network ?? "instagram",
    networkAccountId: options.networkAccountId ?? "page",
    name: "The Page",
    username: Option.fromUndefinedOr(options.username),
    avatarUrl: Option.none(),
    externalUserId: Option.fromUndefinedOr(options.owner),
    status: "connected",
    disconnectedAt: Option.none(),
    tokenExpiresAt: Option.none(),
    permissions: ["read"],
    createdAt: options.at ?? noon
  })
})

/** Redacts bodies that are nothing but names of accounts, with commas between them. */
export const redactNames: Redact = ({ body }, { accountId }) => {
  const names = new TextDecoder().decode(body).split(",")
  const others = names.filter((name) => !Option.contains(accountId, name))
  return others.length === 0 ? Option.none() : Option.some(new TextEncoder().encode(others.join(",")))
}

export const sealAs = (text: string) => () => Effect.succeed(text)

/** Connects an account, as a new one. */
export const connect = Effect.fnUntraced(function* (workspaceId: WorkspaceId, options: AccountOptions = {}) {
  const account = yield* newAccount(workspaceId, options)
  const since = DateTime.subtract(account.createdAt, { days: 7 })
  const outcome = yield* (yield* SocialAccounts).connect(account, sealAs("sealed"), since)
  return Option.getOrThrow(outcome).account
})

/** Ingests activities of an account in one unit. */
export const ingest = Effect.fnUntraced(function* (
  { id, workspaceId }: SocialAccount,
  activities: ReadonlyArray<ItemActivity>,
  more: {
    readonly completes?: ReadonlyArray<string>
    readonly now?: DateTime.Utc
    readonly polledAt?: DateTime.Utc
    readonly poll?: IngestPoll
  } = {}
) {
  const random = yield* SecureRandom.SecureRandom
  const identified = yield* Effect.forEach(activities, (activity) =>
    Effect.map(nextInboxItemId(random), (newId) => ({
      activity,
      newId,
      polledAt: Option.fromUndefinedOr(more.polledAt)
    }))
  )
  return yield* (yield* InboxStore).ingest({
    workspaceId,
    accountId: id,
    activities: identified,
    now: more.now ?? noon,
    completes: more.completes ?? [],
    poll: Option.fromUndefinedOr(more.poll)
  })
})

const all: ItemScope["sources"] = new Set(sources)

/** The workspace's scope, or a managed user's, with every source. */
export const scopeOf = (workspaceId: WorkspaceId, user?: string): ItemScope => ({
  scope:
    user === undefined
      ? new WorkspaceScope({ workspaceId })
      : new ManagedUserScope({ workspaceId, externalUserId: user }),
  sources: all
})

/** Every page of a list, walked to its end. */
export const walk = Effect.fnUntraced(function* (scope: ItemScope, filter: Partial<ItemQuery> = {}) {
  const store = yield* InboxStore
  const query: ItemQuery = { ...noFilter, limit: 50, after: Option.none(), ...filter }
  let page = yield* store.list(scope, query)
  const items = [...page.items]
  while (Option.isSome(page.next)) {
    page = yield* store.list(scope, { ...query, after: page.next })
    items.push(...page.items)
  }
  return items
})

/** External ids of a list, newest first. */
export const listed = (scope: ItemScope, filter: Partial<ItemQuery> = {}) =>
  Effect.map(walk(scope, filter), (items) => items.map(({ externalId }) => externalId))

/** The workspace's events above a number. */
export const eventsAfter = Effect.fnUntraced(function* (workspaceId: WorkspaceId, after = 0) {
  return yield* (yield* InboxEvents).read(workspaceId, after, 10_000)
})

/** Tags of the workspace's events above a number. */
export const tagsAfter = (workspaceId: WorkspaceId, after = 0) =>
  Effect.map(eventsAfter(workspaceId, after), (events) => events.map(({ event }) => event._tag))

export const lastSeq = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  return (yield* (yield* InboxEvents).range(workspaceId)).last
})

/** The id of the one item with an external id. */
export const idOf = Effect.fnUntraced(function* (scope: ItemScope, externalId: string) {
  const found = (yield* walk(scope)).find((item) => item.externalId === externalId)
  return found === undefined ? yield* Effect.die(new Error(`no item ${externalId}`)) : found.id
})
