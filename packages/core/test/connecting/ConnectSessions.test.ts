import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Latch, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ManagedUserScope } from "../../src/access/InboxScope.ts"
import { AccountCredentials } from "../../src/accounts/AccountCredentials.ts"
import { CredentialVault } from "../../src/accounts/CredentialVault.ts"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { ConnectSessions } from "../../src/connecting/ConnectSessions.ts"
import type { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import { candidate, connectFailed, FakeDialogs } from "@loopbox/testing/fakes/FakeConnect"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { asked, back, create, ended, isStateInvalid, layerConnecting, open, tagOf, workspaceOf } from "./person.ts"

const tokenOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, accountId: SocialAccountId) {
  const sealed = Option.getOrThrow(yield* (yield* AccountCredentials).findSealed(workspaceId, accountId))
  const { accessToken } = yield* (yield* CredentialVault).open({ workspaceId, accountId }, sealed)
  return Redacted.value(accessToken)
})

const accountsOf = (workspaceId: WorkspaceId) =>
  Effect.map(
    SocialAccounts.use((accounts) => accounts.list(workspaceId, { limit: 100, after: Option.none() })),
    ({ items }) => items
  )

/** Connects one Instagram account in a session of its own. */
const connected = Effect.fnUntraced(function* (workspaceId: WorkspaceId, change: Parameters<typeof create>[1] = {}) {
  const { linkToken } = yield* create(workspaceId, change)
  const { session } = yield* ended(back(yield* open(linkToken)))
  return session
})

const codeOf = ({ failure }: { readonly failure: Option.Option<{ readonly code: string }> }) =>
  Option.getOrNull(Option.map(failure, ({ code }) => code))

describe("what a session is asked for (api-2.md §11)", () => {
  it.effect("is found by its id in its scope, with the link that it was created with", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const [here, there] = [yield* makeWorkspace("basic"), yield* makeWorkspace("basic")]
      const { linkToken, session } = yield* create(here.id, { externalUserId: Option.some("u1") })
      const found = yield* sessions.find(workspaceOf(here.id), session.id)
      assert.deepStrictEqual(found.session, session)
      assert.strictEqual(Redacted.value(found.linkToken), Redacted.value(linkToken))
      const user = (externalUserId: string) => new ManagedUserScope({ workspaceId: here.id, externalUserId })
      assert.deepStrictEqual((yield* sessions.find(user("u1"), session.id)).session, session)
      assert.strictEqual(yield* tagOf(sessions.find(user("u2"), session.id)), "ConnectSessionNotFound")
      assert.strictEqual(yield* tagOf(sessions.find(workspaceOf(there.id), session.id)), "ConnectSessionNotFound")
      assert.strictEqual(yield* tagOf(sessions.find(workspaceOf(here.id), "con_none")), "ConnectSessionNotFound")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("takes the owner from the scope, and no other one", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const { id: workspaceId } = yield* makeWorkspace("basic")
      yield* (yield* ManagedUsers).put(workspaceId, "u1", yield* DateTime.now)
      const scope = new ManagedUserScope({ workspaceId, externalUserId: "u1" })
      const { session } = yield* sessions.create(scope, asked())
      assert.deepStrictEqual(session.externalUserId, Option.some("u1"))
      const other = sessions.create(scope, asked({ externalUserId: Option.some("u2") }))
      assert.strictEqual(yield* tagOf(other), "OwnerMismatch")
      const blank = sessions.create(workspaceOf(workspaceId), asked({ externalUserId: Option.some(" ") }))
      assert.strictEqual(yield* tagOf(blank), "ScopeInvalid")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("names the settings that this host lacks", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      ;(yield* FakeDialogs).missingSettings = ["LOOPBOX_INSTAGRAM_APP_ID"]
      const refused = yield* Effect.flip(create(id))
      assert.isTrue(refused._tag === "NetworkNotConfigured" && refused.settings.length === 1)
      assert.strictEqual(yield* tagOf(create(id, { network: "threads" })), "NetworkNotConfigured")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("connects again only an account of its network and of its scope, for its owner", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const { id: workspaceId } = yield* makeWorkspace("basic")
      const { accountIds } = yield* connected(workspaceId, { externalUserId: Option.some("u1") })
      const socialAccountId = Option.fromUndefinedOr(accountIds[0])
      const { session } = yield* create(workspaceId, { socialAccountId, features: ["inbox"] })
      assert.deepStrictEqual(session.externalUserId, Option.some("u1"))
      assert.deepStrictEqual(session.features, ["inbox", "publish", "moderate"])
      assert.strictEqual(
        yield* tagOf(create(workspaceId, { socialAccountId, network: "facebook" })),
        "AccountOfOtherNetwork"
      )
      const given = create(workspaceId, { socialAccountId, externalUserId: Option.some("u2") })
      assert.strictEqual(yield* tagOf(given), "OwnerMismatch")
      const stranger = new ManagedUserScope({ workspaceId, externalUserId: "u2" })
      assert.strictEqual(yield* tagOf(sessions.create(stranger, asked({ socialAccountId }))), "AccountNotFound")
      const malformed = create(workspaceId, { socialAccountId: Option.some("acc_none") })
      assert.strictEqual(yield* tagOf(malformed), "AccountNotFound")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("finds a disconnected account for seven days, and revives it", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { accountIds } = yield* connected(id)
      const [accountId] = accountIds
      assert.isDefined(accountId)
      if (accountId === undefined) return
      const now = (yield* accountsOf(id))[0]?.createdAt
      if (now === undefined) return
      yield* (yield* SocialAccounts).disconnect(id, accountId, now)
      yield* TestClock.adjust("6 days")
      const revived = yield* connected(id, { socialAccountId: Option.some(accountId) })
      assert.deepStrictEqual([revived.status, revived.accountIds], ["completed", [accountId]])
      assert.deepStrictEqual(
        (yield* accountsOf(id)).map(({ status }) => status),
        ["connected"]
      )
      yield* (yield* SocialAccounts).disconnect(id, accountId, now)
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* tagOf(create(id, { socialAccountId: Option.some(accountId) })), "AccountNotFound")
    }).pipe(Effect.provide(layerConnecting))
  )
})

describe("a person connects an account", () => {
  it.effect("with its sealed token, all its ids, and its owner, who exists from then on", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id, { externalUserId: Option.some("u1"), features: ["inbox"] })
      assert.deepStrictEqual(yield* (yield* ManagedUsers).find(id, "u1"), Option.none())
      const visit = yield* open(linkToken)
      assert.include(visit.to, "https%3A%2F%2Fhere.example%2Fconnect%2Fcallback%2Finstagram")
      const { session } = yield* ended(back(visit))
      assert.deepStrictEqual([session.status, codeOf(session)], ["completed", null])
      assert.isTrue(Option.isSome(session.completedAt))
      const [account] = yield* accountsOf(id)
      assert.isDefined(account)
      if (account === undefined) return
      assert.deepStrictEqual(session.accountIds, [account.id])
      assert.deepStrictEqual(account.otherAccountId, Option.some("other page"))
      assert.deepStrictEqual(account.login, Option.some("instagram"))
      assert.deepStrictEqual([account.features, account.requestedPermissions], [["inbox"], ["may_inbox"]])
      assert.deepStrictEqual(account.personIds, ["person"])
      assert.strictEqual(yield* tokenOf(id, account.id), "token of page")
      assert.isTrue(Option.isSome(yield* (yield* ManagedUsers).find(id, "u1")))
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("and a completed session shows its outcome to whoever opens the link", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      yield* back(yield* open(linkToken))
      yield* TestClock.adjust("2 days")
      const again = yield* sessions.begin(linkToken, () => "", [])
      assert.strictEqual(again._tag === "Ended" && again.session.status, "completed")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("with fewer permissions than asked for: connected all the same, and told so", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const dialogs = yield* FakeDialogs
      dialogs.answer = () => Effect.succeed([candidate("page", { permissions: ["may_inbox"] })])
      const session = yield* connected(id, { features: ["inbox", "publish"] })
      assert.deepStrictEqual([session.status, codeOf(session)], ["completed", "missing_scopes"])
      assert.strictEqual(codeOf(yield* connected(id, { features: ["inbox"] })), null)
      // A network that does not tell what it granted.
      dialogs.answer = () => Effect.succeed([candidate("other", { permissions: [] })])
      assert.strictEqual(codeOf(yield* connected(id)), null)
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("again: the same account gets the new token, and keeps its id", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const first = yield* connected(id)
      const dialogs = yield* FakeDialogs
      dialogs.answer = () =>
        Effect.succeed([
          candidate("page", {
            token: Option.some({
              accessToken: Redacted.make("fresh"),
              refreshToken: Option.none(),
              expiresAt: Option.none()
            })
          })
        ])
      const second = yield* connected(id, { socialAccountId: Option.fromUndefinedOr(first.accountIds[0]) })
      assert.isTrue(dialogs.wasReconnect)
      assert.deepStrictEqual(second.accountIds, first.accountIds)
      const [account] = yield* accountsOf(id)
      assert.strictEqual(account && (yield* tokenOf(id, account.id)), "fresh")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("fifty times at once: it is one account", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const all = yield* Effect.all(
        Array.from({ length: 50 }, () => connected(id)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(all.every(({ status }) => status === "completed"))
      assert.strictEqual(new Set(all.flatMap(({ accountIds }) => accountIds)).size, 1)
      assert.strictEqual((yield* accountsOf(id)).length, 1)
    }).pipe(Effect.provide(layerConnecting))
  )
})

describe("nothing is connected", () => {
  it.effect("when the person says no; the link may be tried again until it expires", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      const denial = { error: "access_denied", error_reason: "user_denied", error_description: "no" }
      const visit = yield* open(linkToken)
      const { session } = yield* ended(back(visit, denial))
      assert.deepStrictEqual([session.status, codeOf(session)], ["denied", "denied"])
      assert.strictEqual((yield* ended(back(visit, denial))).session.status, "denied")
      yield* isStateInvalid(back(visit, { code: "later" }))
      assert.deepStrictEqual((yield* FakeDialogs).exchanged, [])
      const { session: again } = yield* ended(back(yield* open(linkToken)))
      assert.isTrue((yield* FakeDialogs).wasReconnect)
      assert.deepStrictEqual([again.status, codeOf(again)], ["completed", null])
      assert.strictEqual((yield* sessions.begin(linkToken, () => "", []))._tag, "Ended")
    }).pipe(Effect.provide(layerConnecting))
  )

  for (const [what, query] of [
    ["an error", { error: "server_error" }],
    ["Facebook's older error", { error_code: "1349220", error_message: "the app is not set up" }],
    ["neither a code nor an error", {}]
  ] as const) {
    it.effect(`when the network sends ${what}`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorkspace("basic")
        const { linkToken } = yield* create(id)
        const { session } = yield* ended(back(yield* open(linkToken), query))
        assert.deepStrictEqual([session.status, codeOf(session)], ["failed", "provider_error"])
        assert.deepStrictEqual((yield* FakeDialogs).exchanged, [])
      }).pipe(Effect.provide(layerConnecting))
    )
  }

  for (const reason of ["code_expired", "no_pages", "account_not_eligible", "provider_error"] as const) {
    it.effect(`when the exchange says ${reason}; a second try may succeed`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorkspace("basic")
        const dialogs = yield* FakeDialogs
        const { linkToken } = yield* create(id)
        dialogs.answer = () => Effect.fail(connectFailed(reason))
        const visit = yield* open(linkToken)
        const { session } = yield* ended(back(visit))
        assert.deepStrictEqual([session.status, codeOf(session)], ["failed", reason])
        dialogs.answer = () => Effect.succeed([candidate("page")])
        assert.strictEqual(codeOf((yield* ended(back(visit))).session), reason)
        assert.strictEqual((yield* ended(back(yield* open(linkToken)))).session.status, "completed")
        // A reload of the first try still tells how that one ended.
        assert.strictEqual(codeOf((yield* ended(back(visit))).session), reason)
      }).pipe(Effect.provide(layerConnecting))
    )
  }

  it.effect("when the network does not answer in time, or its connector breaks", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const dialogs = yield* FakeDialogs
      dialogs.answer = () => Effect.never
      const slow = yield* Effect.forkChild(connected(id))
      yield* TestClock.adjust("25 seconds")
      assert.strictEqual(codeOf(yield* Fiber.join(slow)), "provider_error")
      dialogs.answer = () => Effect.die(new Error("broken"))
      assert.strictEqual(codeOf(yield* connected(id)), "provider_error")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("when every account is hindered, for the reason of the hindrance", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const dialogs = yield* FakeDialogs
      const hindered = (hindrance: "page_permission_required" | "page_token_missing" | "account_not_eligible") =>
        candidate(hindrance, { hindrance: Option.some(hindrance), token: Option.none() })
      dialogs.answer = () => Effect.succeed([hindered("page_token_missing"), hindered("account_not_eligible")])
      assert.strictEqual(codeOf(yield* connected(id)), "page_permission_required")
      dialogs.answer = () => Effect.succeed([hindered("account_not_eligible")])
      assert.strictEqual(codeOf(yield* connected(id)), "account_not_eligible")
      dialogs.answer = () => Effect.succeed([])
      assert.strictEqual(codeOf(yield* connected(id)), "no_pages")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("when it is another account than the one to connect again: nothing is overwritten", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { accountIds } = yield* connected(id)
      ;(yield* FakeDialogs).answer = () => Effect.succeed([candidate("another")])
      const session = yield* connected(id, { socialAccountId: Option.fromUndefinedOr(accountIds[0]) })
      assert.deepStrictEqual([session.status, codeOf(session)], ["failed", "account_mismatch"])
      const accounts = yield* accountsOf(id)
      assert.deepStrictEqual(
        accounts.map((account) => account.id),
        accountIds
      )
      assert.strictEqual(accounts[0] && (yield* tokenOf(id, accounts[0].id)), "token of page")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("when the account is another user's, or nobody's", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connected(id, { externalUserId: Option.some("u1") })
      assert.strictEqual(codeOf(yield* connected(id, { externalUserId: Option.some("u2") })), "account_of_other_user")
      assert.strictEqual(codeOf(yield* connected(id)), "account_of_other_user")
      assert.deepStrictEqual(
        (yield* accountsOf(id)).map(({ externalUserId }) => externalUserId),
        [Option.some("u1")]
      )
      assert.deepStrictEqual(yield* (yield* ManagedUsers).find(id, "u2"), Option.none())
    }).pipe(Effect.provide(layerConnecting))
  )
})

describe("a browser that comes back", () => {
  it.effect(
    "with an unknown state, without its cookie, or from another network is refused, and nothing exchanged",
    () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorkspace("basic")
        const [one, two] = [yield* create(id), yield* create(id)]
        const [mine, yours] = [yield* open(one.linkToken), yield* open(two.linkToken)]
        yield* isStateInvalid(back({ ...mine, state: "made up" }))
        yield* isStateInvalid(back({ ...mine, state: "" }))
        yield* isStateInvalid(back({ ...mine, cookie: Option.none() }))
        yield* isStateInvalid(back({ ...mine, cookie: yours.cookie }))
        yield* isStateInvalid(back(mine, { code: "code" }, "facebook"))
        assert.deepStrictEqual((yield* FakeDialogs).exchanged, [])
        assert.strictEqual((yield* ended(back(mine))).session.status, "completed")
      }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("with the same code again gets the first outcome, with another code nothing", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      const visit = yield* open(linkToken)
      const first = yield* ended(back(visit))
      assert.deepStrictEqual(yield* ended(back(visit)), first)
      yield* isStateInvalid(back(visit, { code: "another" }))
      assert.deepStrictEqual((yield* FakeDialogs).exchanged, ["code"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("while the first one is worked on waits for its outcome, and one that went away does not stop it", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const dialogs = yield* FakeDialogs
      const latch = yield* Latch.make()
      dialogs.answer = () => latch.whenOpen(Effect.succeed([candidate("page")]))
      const { linkToken } = yield* create(id)
      const visit = yield* open(linkToken)
      const first = yield* Effect.forkChild(back(visit))
      yield* TestClock.adjust("1 second")
      const reload = yield* Effect.forkChild(ended(back(visit)))
      yield* TestClock.adjust("1 second")
      yield* isStateInvalid(back(visit, { code: "another" }))
      yield* Fiber.interrupt(first)
      yield* latch.open
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(reload)).session.status, "completed")
      assert.deepStrictEqual(dialogs.exchanged, ["code"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("of an older attempt than the newest is refused", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      const [old, young] = [yield* open(linkToken), yield* open(linkToken)]
      assert.notStrictEqual(old.state, young.state)
      yield* isStateInvalid(back(old))
      assert.strictEqual((yield* ended(back(young))).session.status, "completed")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("after half an hour is refused, and the link is gone", () =>
    Effect.gen(function* () {
      const sessions = yield* ConnectSessions
      const { id } = yield* makeWorkspace("basic")
      const { linkToken, session } = yield* create(id)
      const visit = yield* open(linkToken)
      yield* TestClock.adjust("30 minutes")
      yield* isStateInvalid(back(visit))
      assert.strictEqual(yield* tagOf(sessions.begin(linkToken, () => "", [])), "ConnectLinkExpired")
      assert.strictEqual(yield* tagOf(sessions.begin(Redacted.make("unknown"), () => "", [])), "ConnectLinkUnknown")
      assert.strictEqual((yield* sessions.find(workspaceOf(id), session.id)).session.status, "expired")
    }).pipe(Effect.provide(layerConnecting))
  )
})
