import { PgCredentialVault, reseal } from "@loopbox/adapters-postgres"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { type CredentialOwner, type Credentials, CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { noon } from "@loopbox/testing/fixtures/activities"
import { addEndpoint } from "@loopbox/testing/fixtures/laneFixtures"
import { makeInboxWorkspace, newAccount } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { layerStores } from "../testDatabase.ts"

const key = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) })
const [leaked, fresh] = [key("leaked", 1), key("fresh", 2)]

type Keys = Parameters<typeof PgCredentialVault.layer>[0]
const withKeys = (keys: Keys) =>
  Effect.provide(Layer.fresh(PgCredentialVault.layer(keys)).pipe(Layer.provide(SecureRandom.layerWebCrypto)))
const byOld = withKeys(Redacted.make([leaked]))
const byBoth = withKeys(Redacted.make([fresh, leaked]))
const byNew = withKeys(Redacted.make([fresh]))

const credentials = (text: string): Credentials => ({
  accessToken: Redacted.make(text),
  refreshToken: Option.none(),
  expiresAt: Option.none()
})

const seal = (owner: CredentialOwner, text: string) =>
  CredentialVault.use((vault) => vault.seal(owner, credentials(text)))

/** Connects an account whose token is its own name, sealed by the old key. */
const connected = Effect.fnUntraced(function* (name: string) {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const account = yield* newAccount(workspaceId, { networkAccountId: name })
  const since = DateTime.subtract(account.createdAt, { days: 7 })
  const accounts = yield* SocialAccounts
  yield* accounts.connect(account, (accountId) => byOld(seal({ workspaceId, accountId }, name)), since)
  return { workspaceId, accountId: account.id }
})

type AccountOwner = CredentialOwner & { readonly accountId: SocialAccountId }

const sealedOf = ({ accountId, workspaceId }: AccountOwner) =>
  Effect.map(
    AccountCredentials.use((store) => store.find(workspaceId, accountId)),
    (found) => Option.getOrThrow(found).sealed
  )

const tokenOf = Effect.fnUntraced(function* (owner: AccountOwner) {
  const vault = yield* CredentialVault
  return Redacted.value((yield* vault.open(owner, yield* sealedOf(owner))).accessToken)
})

const run = (options: Parameters<typeof reseal>[1] = { passes: 1 }) => reseal(fresh.id, options).pipe(byBoth)

const layerTest = () => layerStores().pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

describe("sealing anew, so that a leaked key can be taken away", () => {
  it.live("has every account opened by the first key alone, and does nothing the second time", () =>
    Effect.gen(function* () {
      const owners = yield* Effect.forEach(
        Array.from({ length: 205 }, (_, n) => `token ${n}`),
        connected,
        { concurrency: 8 }
      )
      assert.deepStrictEqual(yield* PgCredentialVault.countSealed, new Map([["leaked", 205]]))
      assert.deepStrictEqual(yield* run(), { resealed: 205, unopened: [], left: 0 })
      assert.deepStrictEqual(yield* PgCredentialVault.countSealed, new Map([["fresh", 205]]))
      for (const [n, owner] of owners.entries()) {
        assert.strictEqual(yield* tokenOf(owner).pipe(byNew), `token ${n}`)
      }
      assert.deepStrictEqual(yield* run(), { resealed: 0, unopened: [], left: 0 })
    }).pipe(Effect.provide(layerTest()))
  )

  it.live("takes the secrets of webhook endpoints too, also those that sign for a while yet", () =>
    Effect.gen(function* () {
      const store = yield* OutgoingEndpointStore
      const { accountId, workspaceId } = yield* connected("one")
      const { id } = yield* addEndpoint(workspaceId, noon, {}, (id) =>
        byOld(seal({ workspaceId, accountId: id }, "first"))
      )
      const second = yield* seal({ workspaceId, accountId: id }, "second").pipe(byOld)
      yield* store.rotate(workspaceId, id, second, DateTime.add(noon, { hours: 24 }))
      assert.deepStrictEqual(yield* PgCredentialVault.countSealed, new Map([["leaked", 3]]))
      assert.deepStrictEqual(yield* run(), { resealed: 3, unopened: [], left: 0 })
      assert.deepStrictEqual(yield* PgCredentialVault.countSealed, new Map([["fresh", 3]]))
      const opened = yield* Effect.forEach(yield* store.secrets(workspaceId, id, noon), ({ sealed }) =>
        CredentialVault.use((vault) => vault.open({ workspaceId, accountId: id }, sealed)).pipe(byNew)
      )
      assert.deepStrictEqual(
        opened.map(({ accessToken }) => Redacted.value(accessToken)),
        ["second", "first"]
      )
      assert.strictEqual(yield* tokenOf({ workspaceId, accountId }).pipe(byNew), "one")
    }).pipe(Effect.provide(layerTest()))
  )

  it.live("says which accounts no key opens, and takes the others", () =>
    Effect.gen(function* () {
      const [one, lost] = [yield* connected("one"), yield* connected("lost")]
      const sql = yield* SqlClient
      yield* sql`UPDATE account_credentials SET sealed = replace(sealed, ':leaked:', ':unknown:')
        WHERE account_id = ${lost.accountId}`
      const { resealed, unopened } = yield* run()
      assert.deepStrictEqual([resealed, unopened], [1, [{ ...lost, reason: "key_missing" }]])
      assert.strictEqual(yield* tokenOf(one).pipe(byNew), "one")
    }).pipe(Effect.provide(layerTest()))
  )

  it.live("loses nothing of a renewal that a host is about to store", () =>
    Effect.gen(function* () {
      const [busy, idle] = [yield* connected("busy"), yield* connected("idle")]
      const store = yield* AccountCredentials
      const claim = { ...busy, sealed: yield* sealedOf(busy), token: "t" }
      const now = yield* DateTime.now
      const turn = { now, until: DateTime.add(now, { seconds: 30 }), dueAt: Option.none() }
      assert.isTrue(yield* store.claimRenewal(claim, turn))
      assert.deepStrictEqual(yield* run(), { resealed: 1, unopened: [], left: 1 })
      assert.strictEqual(yield* tokenOf(idle).pipe(byNew), "idle")
      const running = yield* Effect.forkChild(run({ passes: 3_000, pause: "20 millis" }), { startImmediately: true })
      yield* Effect.sleep("100 millis")
      // A host that was not started again since seals by the key that it has.
      const sealed = yield* seal(busy, "renewed").pipe(byOld)
      const renewed = { _tag: "Renewed", sealed, expiresAt: Option.none(), renewAt: Option.none() } as const
      assert.isTrue(yield* store.settleRenewal(claim, { ...renewed, renewedAt: now }))
      assert.deepStrictEqual(yield* Fiber.join(running), { resealed: 1, unopened: [], left: 0 })
      assert.strictEqual(yield* tokenOf(busy).pipe(byNew), "renewed")
    }).pipe(Effect.provide(layerTest()))
  )

  it.live("may run in several places while accounts are renewed, and ends with the newest of each", () =>
    Effect.gen(function* () {
      const owners = yield* Effect.forEach(["a", "b", "c", "d"], connected)
      const store = yield* AccountCredentials
      const renew = Effect.fnUntraced(function* (owner: AccountOwner, n: number) {
        const claim = { ...owner, sealed: yield* sealedOf(owner), token: `t${n}` }
        const now = yield* DateTime.now
        const turn = { now, until: DateTime.add(now, { seconds: 30 }), dueAt: Option.none() }
        if (!(yield* store.claimRenewal(claim, turn))) return false
        const sealed = yield* seal(owner, `renewal ${n}`).pipe(byOld)
        const renewed = { _tag: "Renewed", sealed, expiresAt: Option.none(), renewAt: Option.none() } as const
        assert.isTrue(yield* store.settleRenewal(claim, { ...renewed, renewedAt: now }))
        return true
      })
      const renewals = Effect.forEach(owners, (owner) =>
        Effect.gen(function* () {
          let last = 0
          for (let n = 1; n <= 20; n++) if (yield* renew(owner, n)) last = n
          return last
        })
      )
      const runs = Effect.all([run({ passes: 50, pause: "5 millis" }), run({ passes: 50, pause: "5 millis" })], {
        concurrency: "unbounded"
      })
      const [last] = yield* Effect.all([renewals, runs], { concurrency: "unbounded" })
      yield* run({ passes: 50, pause: "5 millis" })
      for (const [n, owner] of owners.entries()) {
        assert.strictEqual(yield* tokenOf(owner).pipe(byNew), `renewal ${last[n]}`)
      }
    }).pipe(Effect.provide(layerTest()))
  )
})
