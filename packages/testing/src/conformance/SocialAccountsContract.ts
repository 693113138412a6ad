import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  type InboxPorts,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  newAccount,
  scopeOf
} from "../fixtures/inboxFixtures.ts"

const days = (count: number) => DateTime.add(noon, { days: count })

const connectAt = Effect.fnUntraced(function* (
  workspaceId: Parameters<typeof newAccount>[0],
  at: DateTime.Utc,
  owner?: string
) {
  const account = yield* newAccount(workspaceId, { at, ...(owner === undefined ? {} : { owner }) })
  const seal = (id: string) => Effect.succeed(`sealed for ${id}`)
  return yield* (yield* SocialAccounts).connect(account, seal, DateTime.subtract(at, { days: 7 }))
})

/** What every adapter of the port SocialAccounts does. */
export const socialAccountsContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`SocialAccounts: ${adapter}`, (it) => {
    it.effect("keeps an account as it was connected, with its credentials apart", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { _tag, account } = Option.getOrThrow(yield* connectAt(id, noon, "u1"))
        assert.strictEqual(_tag, "Connected")
        assert.deepStrictEqual(yield* accounts.find(id, account.id), Option.some(account))
        assert.deepStrictEqual(
          yield* (yield* AccountCredentials).findSealed(id, account.id),
          Option.some(`sealed for ${account.id}`)
        )
        assert.isTrue(Option.isSome(yield* (yield* ManagedUsers).find(id, "u1")))
      })
    )

    it.effect("is not found through another workspace", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const account = yield* connect(here.id)
        const accounts = yield* SocialAccounts
        assert.deepStrictEqual(yield* accounts.find(there.id, account.id), Option.none())
        assert.deepStrictEqual(yield* (yield* AccountCredentials).findSealed(there.id, account.id), Option.none())
        assert.deepStrictEqual(yield* accounts.update(there.id, account.id, { name: "No" }, noon), Option.none())
        assert.isFalse(yield* accounts.disconnect(there.id, account.id, noon))
      })
    )

    it.effect("connects nothing to an unknown workspace", () =>
      Effect.gen(function* () {
        const id = yield* nextWorkspaceId(yield* SecureRandom)
        assert.deepStrictEqual(yield* connectAt(id, noon), Option.none())
      })
    )

    it.effect("refuses the same account of the network twice in a workspace, also when both come at once", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const outcomes = yield* Effect.all(
          Array.from({ length: 5 }, () => Effect.result(connectAt(id, noon))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
        const [first] = (yield* (yield* SocialAccounts).list(id, { limit: 10, after: Option.none() })).items
        const error = yield* Effect.flip(connectAt(id, noon))
        assert.isTrue(error._tag === "AccountAlreadyConnected" && error.accountId === first?.id)
      })
    )

    it.effect("connects the same account in two workspaces, and routes to both", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const networkAccountId = `shared ${here.id}`
        const [one, two] = [
          yield* connect(here.id, { networkAccountId }),
          yield* connect(there.id, { networkAccountId })
        ]
        const name = { network: "instagram", by: "id", value: networkAccountId } as const
        const routes = yield* (yield* SocialAccounts).findRoutes([name, { ...name, network: "x" }])
        assert.deepStrictEqual(routes.map(({ accountId }) => accountId).sort(), [one.id, two.id].sort())
        assert.isTrue(routes.every((route) => route.name.value === networkAccountId && route.name.by === "id"))
      })
    )

    it.effect("routes by user name without regard to case, and never by a name as if it were an id", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const username = `Page_${id}`
        const account = yield* connect(id, { network: "threads", networkAccountId: `t ${id}`, username })
        const accounts = yield* SocialAccounts
        const name = { network: "threads", by: "username", value: username.toUpperCase() } as const
        assert.deepStrictEqual(yield* accounts.findRoutes([name]), [
          { name, workspaceId: id, accountId: account.id, isForInbox: true }
        ])
        assert.deepStrictEqual(yield* accounts.findRoutes([{ ...name, by: "id" }]), [])
        assert.deepStrictEqual(yield* accounts.findRoutes([]), [])
      })
    )

    it.effect("changes what is named and keeps the rest; a new token mends an account", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id, { owner: "u1" })
        const accounts = yield* SocialAccounts
        yield* accounts.requireReauth(id, account.id, DateTime.add(account.createdAt, { seconds: 1 }))
        const named = Option.getOrThrow(yield* accounts.update(id, account.id, { name: "New" }, noon))
        assert.deepStrictEqual(
          [named.name, named.status, named.externalUserId],
          ["New", "reauth_required", Option.some("u1")]
        )
        const credentials = { sealed: "fresh", expiresAt: Option.some(days(60)) }
        const mended = Option.getOrThrow(yield* accounts.update(id, account.id, { credentials }, noon))
        assert.deepStrictEqual([mended.status, mended.tokenExpiresAt], ["connected", Option.some(days(60))])
        assert.deepStrictEqual(yield* (yield* AccountCredentials).findSealed(id, account.id), Option.some("fresh"))
        assert.deepStrictEqual(yield* eventsAfter(id), [])
      })
    )

    it.effect("tells of a new owner once, who exists from then on", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id, { owner: "u1" })
        const accounts = yield* SocialAccounts
        const move = (to: Option.Option<string>) => accounts.update(id, account.id, { externalUserId: to }, noon)
        yield* move(Option.some("u1"))
        yield* move(Option.some("u2"))
        yield* move(Option.none())
        const moves = (yield* eventsAfter(id)).map(({ event }) => event)
        assert.deepStrictEqual(moves, [
          { _tag: "AccountMoved", accountId: account.id, from: Option.some("u1"), to: Option.some("u2") },
          { _tag: "AccountMoved", accountId: account.id, from: Option.some("u2"), to: Option.none() }
        ])
        assert.isTrue(Option.isSome(yield* (yield* ManagedUsers).find(id, "u2")))
      })
    )

    it.effect("tells the owner that an account was disconnected, and that it is back", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { account } = Option.getOrThrow(yield* connectAt(id, noon, "u1"))
        yield* accounts.disconnect(id, account.id, noon)
        yield* accounts.disconnect(id, account.id, noon)
        yield* connectAt(id, days(1), "u1")
        const u1 = Option.some("u1")
        const told = (yield* eventsAfter(id)).map(({ event }) =>
          "account" in event ? [event._tag, event.account.status, event.account.externalUserId] : event
        )
        assert.deepStrictEqual(told, [
          ["AccountConnected", "connected", u1],
          { _tag: "AccountMoved", accountId: account.id, from: u1, to: Option.none() },
          ["AccountDisconnected", "disconnected", u1],
          { _tag: "AccountMoved", accountId: account.id, from: u1, to: u1 },
          ["AccountConnected", "connected", u1]
        ])
      })
    )

    it.effect("ends an account's routes when it is disconnected, and revives it within seven days with its id", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { account } = Option.getOrThrow(yield* connectAt(id, noon))
        const name = { network: "instagram", by: "id", value: account.networkAccountId } as const
        const routesHere = Effect.map(
          accounts.findRoutes([name]),
          (all) => all.filter((r) => r.workspaceId === id).length
        )
        assert.strictEqual(yield* routesHere, 1)
        assert.isTrue(yield* accounts.disconnect(id, account.id, noon))
        assert.isFalse(yield* accounts.disconnect(id, account.id, noon))
        assert.strictEqual(yield* routesHere, 0)
        assert.deepStrictEqual(yield* accounts.find(id, account.id), Option.none())
        assert.deepStrictEqual(yield* accounts.update(id, account.id, { name: "No" }, noon), Option.none())
        const listed = (yield* accounts.list(id, { limit: 10, after: Option.none() })).items
        assert.deepStrictEqual(
          listed.map(({ status }) => status),
          ["disconnected"]
        )
        const again = Option.getOrThrow(yield* connectAt(id, DateTime.subtract(days(7), { seconds: 1 })))
        assert.deepStrictEqual(
          [again._tag, again.account.id, again.account.status],
          ["Revived", account.id, "connected"]
        )
        assert.deepStrictEqual(
          yield* (yield* AccountCredentials).findSealed(id, account.id),
          Option.some(`sealed for ${account.id}`)
        )
        assert.strictEqual(yield* routesHere, 1)
      })
    )

    it.effect("connects it as a new account after seven days, without the old items", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { account } = Option.getOrThrow(yield* connectAt(id, noon))
        yield* ingest(account, [posted()])
        yield* accounts.disconnect(id, account.id, noon)
        const again = Option.getOrThrow(yield* connectAt(id, days(7)))
        assert.strictEqual(again._tag, "Connected")
        assert.notStrictEqual(again.account.id, account.id)
        assert.deepStrictEqual(yield* listed(scopeOf(id)), [])
      })
    )

    it.effect("asks for a reconnection only where the credentials are older than the revocation", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { account } = Option.getOrThrow(yield* connectAt(id, noon))
        const status = Effect.map(accounts.find(id, account.id), (found) => Option.getOrThrow(found).status)
        const give = (at: DateTime.Utc) =>
          accounts.update(id, account.id, { credentials: { sealed: "fresh", expiresAt: Option.none() } }, at)
        yield* accounts.requireReauth(id, account.id, noon)
        assert.strictEqual(yield* status, "connected")
        yield* accounts.requireReauth(id, account.id, days(1))
        assert.strictEqual(yield* status, "reauth_required")
        yield* give(days(2))
        yield* accounts.requireReauth(id, account.id, days(1))
        assert.strictEqual(yield* status, "connected")
        yield* accounts.disconnect(id, account.id, days(3))
        yield* connectAt(id, days(4))
        yield* accounts.requireReauth(id, account.id, days(3))
        assert.strictEqual(yield* status, "connected")
        const credentials = yield* AccountCredentials
        const { sealed } = Option.getOrThrow(yield* credentials.find(id, account.id))
        const claim = { workspaceId: id, accountId: account.id, sealed, token: "t" }
        yield* credentials.claimRenewal(claim, { now: days(5), until: days(6), dueAt: Option.none() })
        const outcome = {
          _tag: "Renewed",
          sealed: "renewed",
          expiresAt: Option.none(),
          renewAt: Option.none()
        } as const
        yield* credentials.settleRenewal(claim, { ...outcome, renewedAt: days(6) })
        yield* accounts.requireReauth(id, account.id, days(5))
        assert.strictEqual(yield* status, "connected")
        yield* accounts.requireReauth(id, account.id, days(7))
        assert.strictEqual(yield* status, "reauth_required")
      })
    )

    it.effect("finds accounts by the ids of the person and by their own, in all workspaces", () =>
      Effect.gen(function* () {
        const accounts = yield* SocialAccounts
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const name = `person of ${here.id}`
        const own = yield* connect(here.id, { networkAccountId: name })
        const other = yield* connect(there.id, { networkAccountId: "page", otherAccountId: name })
        const seal = () => Effect.succeed("sealed")
        const person = yield* connect(there.id, { networkAccountId: "their page" })
        yield* accounts.admit({
          account: Object.assign(person, { personIds: [name] }),
          seal,
          expected: Option.none(),
          revivableSince: noon
        })
        yield* connect(here.id, { networkAccountId: "stranger" })
        yield* accounts.disconnect(here.id, own.id, noon)
        const found = yield* accounts.findOfPerson(["instagram", "facebook"], name)
        const ids = found.accounts.map(({ accountId }) => accountId)
        assert.deepStrictEqual(ids.toSorted(), [own.id, other.id, person.id].toSorted())
        assert.deepStrictEqual(yield* accounts.findOfPerson(["x"], name), { accounts: [], missing: Option.none() })
      })
    )
  })
