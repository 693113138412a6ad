import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { nextWorkspaceId, type SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { noon, posted } from "../fixtures/activities.ts"
import {
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

interface Allowed {
  readonly at?: DateTime.Utc
  readonly owner?: string
  readonly expected?: SocialAccountId
  readonly networkAccountId?: string
  readonly more?: Partial<SocialAccount>
  readonly token?: string
}

const admit = Effect.fnUntraced(function* (workspaceId: WorkspaceId, allowed: Allowed = {}) {
  const { at = noon, expected, more, networkAccountId, owner, token = "sealed" } = allowed
  const account = yield* newAccount(workspaceId, {
    at,
    ...(owner === undefined ? {} : { owner }),
    ...(networkAccountId === undefined ? {} : { networkAccountId })
  })
  return yield* (yield* SocialAccounts).admit({
    account: new SocialAccount({ ...account, ...more }),
    seal: (id) => Effect.succeed(`${token} for ${id}`),
    expected: Option.fromUndefinedOr(expected),
    revivableSince: DateTime.subtract(at, { days: 7 })
  })
})

const admitted = (workspaceId: WorkspaceId, allowed?: Allowed) =>
  Effect.map(admit(workspaceId, allowed), Option.getOrThrow)

const sealedOf = (workspaceId: WorkspaceId, id: SocialAccountId) =>
  AccountCredentials.use((store) => store.findSealed(workspaceId, id))

/** What `admit` of every adapter of the port SocialAccounts does. */
export const admissionContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`SocialAccounts.admit: ${adapter}`, (it) => {
    it.effect("connects an account that is not known, with its owner and its sealed token", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const { _tag, account } = yield* admitted(id, { owner: "u1" })
        assert.strictEqual(_tag, "Connected")
        assert.deepStrictEqual(yield* (yield* SocialAccounts).find(id, account.id), Option.some(account))
        assert.deepStrictEqual(yield* sealedOf(id, account.id), Option.some(`sealed for ${account.id}`))
        assert.isTrue(Option.isSome(yield* (yield* ManagedUsers).find(id, "u1")))
      })
    )

    it.effect("admits nothing to an unknown workspace", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* admit(yield* nextWorkspaceId(yield* SecureRandom)), Option.none())
      })
    )

    it.effect("renews a known account: same id, same time, same items; new names, token and permissions", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const first = yield* admitted(id, {
          owner: "u1",
          more: { features: ["inbox"], requestedPermissions: ["read"], avatarUrl: Option.some("https://a.example/1") }
        })
        yield* ingest(first.account, [posted()])
        yield* accounts.requireReauth(id, first.account.id, days(1))
        const again = yield* admitted(id, {
          at: days(2),
          owner: "u1",
          token: "fresh",
          expected: first.account.id,
          more: {
            name: "New name",
            username: Option.some("handle"),
            otherAccountId: Option.some("other"),
            permissions: ["read", "write"],
            personIds: ["p1"],
            features: ["publish"],
            requestedPermissions: ["write"],
            tokenExpiresAt: Option.some(days(60))
          }
        })
        assert.strictEqual(again._tag, "Renewed")
        const found = Option.getOrThrow(yield* accounts.find(id, first.account.id))
        assert.deepStrictEqual(found, again.account)
        assert.deepStrictEqual([found.status, found.createdAt, found.name], ["connected", noon, "New name"])
        assert.deepStrictEqual([found.features, found.personIds], [["inbox", "publish"], ["p1"]])
        assert.deepStrictEqual(found.requestedPermissions, ["read", "write"])
        assert.deepStrictEqual(found.avatarUrl, Option.some("https://a.example/1"))
        assert.deepStrictEqual(yield* sealedOf(id, found.id), Option.some(`fresh for ${found.id}`))
        assert.strictEqual((yield* listed(scopeOf(id))).length, 1)
        const routes = yield* accounts.findRoutes([{ network: "instagram", by: "id", value: "other" }])
        assert.isTrue(routes.some((route) => route.accountId === found.id))
      })
    )

    it.effect("routes to an account for the inbox once one of its connections was for it", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const { account } = yield* admitted(id, { more: { features: ["publish"] } })
        const name = { network: account.network, by: "id", value: account.networkAccountId } as const
        const isForInbox = Effect.map((yield* SocialAccounts).findRoutes([name]), (routes) =>
          routes.filter(({ accountId }) => accountId === account.id).map((route) => route.isForInbox)
        )
        assert.deepStrictEqual(yield* isForInbox, [false])
        yield* admitted(id, { more: { features: ["inbox"] } })
        assert.deepStrictEqual(yield* isForInbox, [true])
      })
    )

    it.effect("leaves an account for everything whose features nobody named, whatever it is connected for again", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        yield* admitted(id)
        const { account } = yield* admitted(id, { more: { features: ["publish"] } })
        assert.deepStrictEqual(account.features, ["inbox", "publish", "moderate"])
      })
    )

    it.effect("asks for the permissions of the new login alone, whose names are others", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        yield* admitted(id, { more: { login: Option.some("instagram"), requestedPermissions: ["old"] } })
        const { account } = yield* admitted(id, {
          more: { login: Option.some("facebook"), requestedPermissions: ["new"] }
        })
        assert.deepStrictEqual(account.requestedPermissions, ["new"])
      })
    )

    it.effect("revives one that was disconnected within seven days, and connects it anew after them", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const { account } = yield* admitted(id)
        yield* ingest(account, [posted()])
        yield* accounts.disconnect(id, account.id, noon)
        assert.isTrue(Option.isSome(yield* accounts.findKept(id, account.id)))
        const revived = yield* admitted(id, { at: days(6), expected: account.id })
        assert.deepStrictEqual([revived._tag, revived.account.id], ["Revived", account.id])
        assert.strictEqual((yield* listed(scopeOf(id))).length, 1)
        assert.deepStrictEqual(
          (yield* eventsAfter(id)).map(({ event }) => event._tag).filter((tag) => tag === "AccountMoved").length,
          2
        )
        yield* accounts.disconnect(id, account.id, days(7))
        assert.deepStrictEqual(
          yield* Effect.map(Effect.flip(admit(id, { at: days(15), expected: account.id })), ({ _tag }) => _tag),
          "AccountMismatch"
        )
        const anew = yield* admitted(id, { at: days(15) })
        assert.strictEqual(anew._tag, "Connected")
        assert.notStrictEqual(anew.account.id, account.id)
        assert.deepStrictEqual(yield* listed(scopeOf(id)), [])
        assert.deepStrictEqual(yield* accounts.findKept(id, account.id), Option.none())
      })
    )

    it.effect("never gives an account another owner, no owner included, and changes nothing", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const owned = (yield* admitted(id, { owner: "u1", networkAccountId: "owned" })).account
        const free = (yield* admitted(id, { networkAccountId: "free" })).account
        const refused = (allowed: Allowed) =>
          Effect.map(Effect.flip(admit(id, { ...allowed, token: "stolen", at: days(1) })), ({ _tag }) => _tag)
        assert.strictEqual(yield* refused({ networkAccountId: "owned", owner: "u2" }), "AccountOfOtherUser")
        assert.strictEqual(yield* refused({ networkAccountId: "owned" }), "AccountOfOtherUser")
        assert.strictEqual(yield* refused({ networkAccountId: "free", owner: "u2" }), "AccountOfOtherUser")
        yield* accounts.disconnect(id, owned.id, days(1))
        assert.strictEqual(yield* refused({ networkAccountId: "owned", owner: "u2" }), "AccountOfOtherUser")
        assert.deepStrictEqual(yield* accounts.find(id, free.id), Option.some(free))
        assert.deepStrictEqual(yield* sealedOf(id, free.id), Option.some(`sealed for ${free.id}`))
        assert.deepStrictEqual(yield* (yield* ManagedUsers).find(id, "u2"), Option.none())
      })
    )

    it.effect("refuses another account than the one that was to be connected again, and changes nothing", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const one = (yield* admitted(id, { networkAccountId: "one" })).account
        const two = (yield* admitted(id, { networkAccountId: "two" })).account
        for (const networkAccountId of ["two", "three"]) {
          const refused = yield* Effect.flip(admit(id, { networkAccountId, expected: one.id, token: "stolen" }))
          assert.strictEqual(refused._tag, "AccountMismatch")
        }
        const { items } = yield* accounts.list(id, { limit: 10, after: Option.none() })
        assert.deepStrictEqual(items.map((account) => account.id).sort(), [one.id, two.id].sort())
        for (const account of [one, two]) {
          assert.deepStrictEqual(yield* sealedOf(id, account.id), Option.some(`sealed for ${account.id}`))
        }
      })
    )

    it.effect("makes one account of fifty that come at once", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const outcomes = yield* Effect.all(
          Array.from({ length: 50 }, (_, n) => Effect.result(admitted(id, { owner: "u1", token: `token ${n}` }))),
          { concurrency: "unbounded" }
        )
        const tags = outcomes.map((one) => (Result.isSuccess(one) ? one.success._tag : "Failed"))
        assert.deepStrictEqual(
          [tags.filter((tag) => tag === "Connected").length, tags.filter((tag) => tag === "Renewed").length],
          [1, 49]
        )
        const { items } = yield* (yield* SocialAccounts).list(id, { limit: 10, after: Option.none() })
        assert.strictEqual(items.length, 1)
      })
    )
  })
