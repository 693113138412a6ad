import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { AuthExpired, RateLimited, Rejected, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import { Connectors } from "../../src/networks/Connectors.ts"
import type { AccountInspection, NetworkConnect } from "../../src/networks/NetworkConnect.ts"
import { noConnector } from "../../src/networks/noConnector.ts"
import { noNetworks } from "../../src/networks/noNetworks.ts"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { accountRequest, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const fields = { network: "instagram", networkCode: Option.none(), detail: "as scripted" }
const failures = {
  token_invalid: [
    new AuthExpired({ ...fields, reason: "token", missingScopes: [] }),
    new Rejected({ ...fields, reason: "gone" })
  ],
  network_unavailable: [
    new RateLimited({ ...fields, retryAt: Option.none() }),
    new Unavailable({ ...fields, reason: "upstream" })
  ]
} as const

const account = (ids: ReadonlyArray<string>): AccountInspection => ({
  ids,
  name: Option.none(),
  username: Option.none(),
  avatarUrl: Option.none(),
  permissions: Option.none()
})

/** An administration whose network answers like this when it is asked whose a token is. */
const backOffice = (inspect: NetworkConnect["inspect"]) => {
  const connect: NetworkConnect = {
    login: "instagram",
    missingSettings: [],
    alwaysChooses: false,
    permissionsFor: () => [],
    authorizeUrl: () => Effect.succeed(Redacted.make("https://network.example/")),
    exchange: () => Effect.succeed([]),
    inspect,
    subscription: Option.none(),
    revoke: () => Effect.void,
    revokesPerson: false
  }
  const connectors = { ...noNetworks, byNetwork: { instagram: { ...noConnector("instagram"), connect: [connect] } } }
  return Layer.fresh(AccountAdministration.layer).pipe(Layer.provide(Layer.succeed(Connectors, connectors)))
}

const reasonOf = <E extends { readonly _tag: string; readonly reason?: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.match(effect, {
    onSuccess: () => "stored",
    onFailure: (error) => `${error._tag} ${error.reason}`
  })

const page = { limit: 10, after: Option.none() }

describe("the token of an account that an administrator connects (api-2.md §11)", () => {
  for (const [reason, errors] of Object.entries(failures)) {
    it.effect(`is refused as ${reason}, and nothing is stored`, () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorkspace("basic")
        for (const error of errors) {
          yield* Effect.gen(function* () {
            const administration = yield* AccountAdministration
            const refused = administration.connect(id, accountRequest())
            assert.strictEqual(yield* reasonOf(refused), `AccountCheckFailed ${reason}`)
            assert.deepStrictEqual((yield* administration.listAccounts(id, page)).items, [])
          }).pipe(Effect.provide(backOffice(() => Effect.fail(error))))
        }
      }).pipe(Effect.provide(layerInbox))
    )
  }

  it.effect("is refused where it is another account's, and taken where any of its ids is the account's", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const administration = yield* AccountAdministration
      const other = administration.connect(id, accountRequest({ networkAccountId: "3" }))
      assert.strictEqual(yield* reasonOf(other), "AccountCheckFailed other_account")
      assert.strictEqual(
        yield* reasonOf(administration.connect(id, accountRequest({ networkAccountId: "2" }))),
        "stored"
      )
    }).pipe(Effect.provide(backOffice(() => Effect.succeed(account(["1", "2"])))), Effect.provide(layerInbox))
  )

  it.effect("is tried again when it is replaced, and never where that is not wanted", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const asked: Array<string> = []
      const town = backOffice(({ accessToken }) => {
        asked.push(Redacted.value(accessToken))
        return Effect.succeed(account(["9"]))
      })
      const { credentials } = accountRequest()
      yield* Effect.gen(function* () {
        const administration = yield* AccountAdministration
        const { account: made } = yield* administration.connect(id, accountRequest({ check: false }))
        yield* administration.updateAccount(id, made.id, { name: "New" })
        yield* administration.updateAccount(id, made.id, { credentials, check: false })
        yield* administration.updateAccount(id, made.id, { credentials, check: "later" })
        assert.deepStrictEqual(asked, [])
        const renewed = administration.updateAccount(id, made.id, { credentials })
        assert.strictEqual(yield* reasonOf(renewed), "AccountCheckFailed other_account")
        assert.deepStrictEqual(asked, ["token"])
        const absent = administration.updateAccount(id, "acc_none", { credentials })
        assert.match(yield* reasonOf(absent), /^AccountNotFound/)
      }).pipe(Effect.provide(town))
    }).pipe(Effect.provide(layerInbox))
  )
})
