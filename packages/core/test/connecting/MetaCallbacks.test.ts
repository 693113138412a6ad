import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountCredentials } from "../../src/accounts/AccountCredentials.ts"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { MetaCallbacks } from "../../src/connecting/MetaCallbacks.ts"
import { SignedRequests } from "../../src/connecting/SignedRequests.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { back, create, ended, layerConnecting, open, tagOf } from "./person.ts"

const start = DateTime.makeUnsafe(0)

/** `person@seconds` is a request that was signed at that time; anything else is not signed. */
const signed = Layer.succeed(SignedRequests, {
  networks: ["instagram", "facebook"],
  read: (text) => {
    const [personId = "", seconds] = text.split("@")
    if (seconds === undefined) return Option.none()
    return Option.some({
      personId,
      issuedAt: DateTime.add(start, { seconds: Number(seconds) }),
      expiresAt: Option.none()
    })
  }
})

const layerCallbacks = MetaCallbacks.layer.pipe(Layer.provideMerge(layerConnecting), Layer.provide(signed))

const away = new StoreUnavailable({ operation: "test", committed: "no", cause: new Error("away") })

/** Some workspaces can't be asked. */
const inPart = (accounts: SocialAccounts["Service"]): SocialAccounts["Service"] => ({
  ...accounts,
  findOfPerson: (...request) =>
    Effect.map(accounts.findOfPerson(...request), (found) => ({ ...found, missing: Option.some(away) }))
})

const connected = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeWorkspace("basic")
  const { linkToken } = yield* create(workspaceId)
  const { session } = yield* ended(back(yield* open(linkToken)))
  const [accountId] = session.accountIds
  return accountId === undefined ? yield* Effect.die(new Error("nothing was connected")) : { workspaceId, accountId }
})

describe("what Meta says of a person (api-2.md §11)", () => {
  it.effect("drops the tokens of the accounts that the person connected", () =>
    Effect.gen(function* () {
      const callbacks = yield* MetaCallbacks
      const { accountId, workspaceId } = yield* connected
      yield* callbacks.deauthorise("stranger@0")
      const status = Effect.map(
        SocialAccounts.use((accounts) => accounts.find(workspaceId, accountId)),
        (found) => Option.getOrThrow(found).status
      )
      assert.strictEqual(yield* status, "connected")
      yield* callbacks.deauthorise("person@0")
      assert.strictEqual(yield* status, "reauth_required")
      assert.deepStrictEqual(yield* (yield* AccountCredentials).findSealed(workspaceId, accountId), Option.none())
    }).pipe(Effect.provide(layerCallbacks))
  )

  it.effect("leaves alone what the person allowed again after that", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const { accountId, workspaceId } = yield* connected
      yield* (yield* MetaCallbacks).deauthorise("person@60")
      const found = yield* (yield* SocialAccounts).find(workspaceId, accountId)
      assert.strictEqual(Option.getOrThrow(found).status, "connected")
    }).pipe(Effect.provide(layerCallbacks))
  )

  it.effect("erases those accounts, tells by a code that it is done, and by the same one for the same request", () =>
    Effect.gen(function* () {
      const callbacks = yield* MetaCallbacks
      const { accountId, workspaceId } = yield* connected
      const request = yield* callbacks.requestDeletion("person@0")
      assert.match(request.code, /^[0-9a-z]{32}$/)
      assert.isTrue(Option.isSome(request.completedAt))
      assert.deepStrictEqual(yield* (yield* SocialAccounts).findKept(workspaceId, accountId), Option.none())
      assert.deepStrictEqual(yield* callbacks.findDeletion(request.code), Option.some(request))
      assert.strictEqual((yield* callbacks.requestDeletion("person@0")).code, request.code)
      assert.notStrictEqual((yield* callbacks.requestDeletion("person@1")).code, request.code)
      assert.isTrue(Option.isSome((yield* callbacks.requestDeletion("stranger@0")).completedAt))
      assert.deepStrictEqual(yield* callbacks.findDeletion("unknown"), Option.none())
    }).pipe(Effect.provide(layerCallbacks))
  )

  it.effect("is done to what can be found, and fails, while some workspaces can't be asked", () =>
    Effect.gen(function* () {
      const [callbacks, accounts] = [yield* MetaCallbacks, yield* SocialAccounts]
      const { accountId, workspaceId } = yield* connected
      assert.strictEqual(yield* tagOf(callbacks.deauthorise("person@0")), "StoreUnavailable")
      assert.strictEqual(Option.getOrThrow(yield* accounts.find(workspaceId, accountId)).status, "reauth_required")
      assert.strictEqual(yield* tagOf(callbacks.requestDeletion("person@0")), "StoreUnavailable")
      assert.deepStrictEqual(yield* accounts.findKept(workspaceId, accountId), Option.none())
    }).pipe(
      Effect.provide(
        MetaCallbacks.layer.pipe(
          Layer.provide(Layer.effect(SocialAccounts, Effect.map(SocialAccounts, inPart))),
          Layer.provideMerge(layerConnecting),
          Layer.provide(signed)
        )
      )
    )
  )

  it.effect("is not believed without a signature, or a day later", () =>
    Effect.gen(function* () {
      const callbacks = yield* MetaCallbacks
      const { accountId, workspaceId } = yield* connected
      assert.strictEqual(yield* tagOf(callbacks.deauthorise("person")), "SignedRequestInvalid")
      assert.strictEqual(yield* tagOf(callbacks.requestDeletion("person")), "SignedRequestInvalid")
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* tagOf(callbacks.requestDeletion("person@0")), "SignedRequestInvalid")
      const found = yield* (yield* SocialAccounts).find(workspaceId, accountId)
      assert.strictEqual(Option.getOrThrow(found).status, "connected")
    }).pipe(Effect.provide(layerCallbacks))
  )
})
