import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceScope } from "../../src/access/InboxScope.ts"
import { AccountCredentials } from "../../src/accounts/AccountCredentials.ts"
import type { ProblemCode } from "../../src/accounts/AccountHealth.ts"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import * as AccountChecks from "../../src/health/AccountChecks.ts"
import { ConnectedAccounts } from "../../src/health/ConnectedAccounts.ts"
import { CredentialVault } from "../../src/accounts/CredentialVault.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import { AuthExpired, type ReadFailed } from "../../src/networks/ConnectorErrors.ts"
import { Connectors } from "../../src/networks/Connectors.ts"
import type { NetworkConnect } from "../../src/networks/NetworkConnect.ts"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { eventsAfter, makeInboxWorkspace, newAccount } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"

export const failed = { network: "instagram", networkCode: Option.some("200/1"), detail: "as scripted" } as const
const storeAway = new StoreUnavailable({ operation: "credentials.find", committed: "no", cause: "as scripted" })
export const roleLost = new AuthExpired({ ...failed, reason: "permission", missingScopes: ["manage"] })

/** The part of a network by which accounts are connected, as the test has it. */
export interface Scripted {
  ids: ReadonlyArray<string>
  permissions: ReadonlyArray<string>
  name: string | undefined
  isSubscribed: boolean
  hearsByApp: boolean
  revokesPerson: boolean
  /** Whether accounts' credentials can't be read now. */
  isStoreAway: boolean
  /** Why a call fails, if it does. */
  failure: (call: string) => ReadFailed | undefined
  readonly calls: Array<string>
}

export const makeScripted = (): Scripted => ({
  ids: ["page"],
  permissions: ["read", "manage"],
  name: undefined,
  isSubscribed: false,
  hearsByApp: false,
  revokesPerson: false,
  isStoreAway: false,
  failure: () => undefined,
  calls: []
})

const connectBy = (network: Scripted): NetworkConnect => {
  const asked = <A>(call: string, answer: () => A) =>
    Effect.suspend(() => {
      network.calls.push(call)
      const failure = network.failure(call)
      return failure === undefined ? Effect.sync(answer) : Effect.fail(failure)
    })
  return {
    login: "fake",
    missingSettings: [],
    alwaysChooses: false,
    permissionsFor: () => ["read", "manage"],
    authorizeUrl: () => Effect.succeed(Redacted.make("https://network.example")),
    exchange: () => Effect.succeed([]),
    inspect: () =>
      asked("inspect", () => ({
        ids: network.ids,
        name: Option.fromUndefinedOr(network.name),
        username: Option.none(),
        avatarUrl: Option.none(),
        permissions: Option.some(network.permissions)
      })),
    subscription: Option.some({
      isSubscribed: () => asked("isSubscribed", () => network.isSubscribed),
      subscribe: () =>
        asked("subscribe", () => {
          network.isSubscribed = true
        }),
      unsubscribe: () =>
        asked("unsubscribe", () => {
          network.isSubscribed = false
        })
    }),
    ...(network.hearsByApp && { subscription: Option.none(), hearsByApp: true }),
    revoke: () => asked("revoke", () => undefined),
    get revokesPerson() {
      return network.revokesPerson
    }
  }
}

/** Everything that looks after accounts, over a scripted network. */
export const workers = (network: Scripted) =>
  Layer.mergeAll(AccountChecks.layer({ pollEvery: "1 minute" }), SyncWorker.layer({ pollEvery: "1 minute" })).pipe(
    Layer.provideMerge(ConnectedAccounts.layer),
    Layer.provideMerge(layerInboxServices),
    Layer.updateService(Connectors, (connectors) => {
      const { instagram } = connectors.byNetwork
      const connected = instagram && { instagram: { ...instagram, connect: [connectBy(network)] } }
      return Connectors.of({ ...connectors, byNetwork: { ...connectors.byNetwork, ...connected } })
    }),
    Layer.updateService(AccountCredentials, (store) =>
      AccountCredentials.of({
        ...store,
        find: (...of) => (network.isStoreAway ? Effect.fail(storeAway) : store.find(...of))
      })
    ),
    Layer.provideMerge(layerInboxPorts)
  )

export const admit = Effect.fnUntraced(function* (workspaceId: WorkspaceId, more: Partial<SocialAccount> = {}) {
  const [accounts, vault] = [yield* SocialAccounts, yield* CredentialVault]
  const now = yield* DateTime.now
  const account = new SocialAccount({
    ...(yield* newAccount(workspaceId, { at: now })),
    login: Option.some("fake"),
    permissions: ["read", "manage"],
    requestedPermissions: ["read", "manage"],
    ...more
  })
  const credentials = { accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() }
  const seal = (accountId: SocialAccount["id"]) => vault.seal({ workspaceId, accountId }, credentials)
  const revivableSince = DateTime.subtract(now, { days: 7 })
  const outcome = yield* accounts.admit({ account, seal, expected: Option.none(), revivableSince })
  return Option.getOrThrow(outcome).account
})

/** A connected account that was checked once, and what a customer sees of it. */
export const world = Effect.fnUntraced(function* (more: Partial<SocialAccount> = {}) {
  const feeds = yield* fakeFeeds()
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const account = yield* admit(workspaceId, more)
  yield* TestClock.adjust("1 minute")
  const scope = new WorkspaceScope({ workspaceId })
  const accounts = yield* ConnectedAccounts
  const view = accounts.find(scope, account.id)
  const problems = Effect.map(view, ({ health }) => health.problems.map(({ code }): ProblemCode => code))
  const check = Effect.suspend(() => accounts.check(scope, account.id))
  const told = Effect.map(eventsAfter(workspaceId), (events) =>
    events.flatMap(({ event }) =>
      "account" in event ? [[event._tag, ...event.account.health.problems.map(({ code }) => code)].join(" ")] : []
    )
  )
  return { feeds, workspaceId, account, scope, accounts, view, problems, check, told }
})
