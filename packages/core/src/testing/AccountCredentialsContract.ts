import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountCredentials, type RenewalClaim } from "../accounts/AccountCredentials.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { noon } from "./activities.ts"
import { connect, type InboxPorts, inboxWorld, makeInboxWorkspace } from "./inboxFixtures.ts"

const hours = (count: number) => DateTime.add(noon, { hours: count })
const turn = { now: noon, until: hours(1) }

const world = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const account = yield* connect(workspaceId)
  const credentials = yield* AccountCredentials
  const sealed = Option.getOrThrow(yield* credentials.find(workspaceId, account.id)).sealed
  const claim = (token: string): RenewalClaim => ({ workspaceId, accountId: account.id, sealed, token })
  const replace = (next: string, expiresAt: Option.Option<DateTime.Utc> = Option.none()) =>
    SocialAccounts.use((accounts) =>
      accounts.update(workspaceId, account.id, { credentials: { sealed: next, expiresAt } }, noon)
    )
  return { workspaceId, account, credentials, claim, sealed, replace }
})

const renewed = {
  _tag: "Renewed",
  sealed: "renewed",
  expiresAt: Option.some(hours(2)),
  renewAt: Option.some(hours(1))
} as const

/** What every adapter of the port AccountCredentials does. */
export const accountCredentialsContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`AccountCredentials: ${adapter}`, (it) => {
    it.effect("gives an account that is connected, and when its token is to be renewed", () =>
      Effect.gen(function* () {
        const { account, credentials, replace, sealed, workspaceId } = yield* world
        assert.deepStrictEqual(
          yield* credentials.find(workspaceId, account.id),
          Option.some({ account, sealed, renewAt: Option.none() })
        )
        yield* replace("given", Option.some(hours(10)))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["given", Option.some(hours(5))])
        const { id: elsewhere } = yield* makeInboxWorkspace()
        assert.isTrue(Option.isNone(yield* credentials.find(elsewhere, account.id)))
        yield* (yield* SocialAccounts).requireReauth(workspaceId, account.id)
        assert.isTrue(Option.isNone(yield* credentials.find(workspaceId, account.id)))
      })
    )

    it.effect("gives one turn at a time, also to those who ask at once", () =>
      Effect.gen(function* () {
        const { claim, credentials } = yield* world
        const got = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, n) => claim(`t${n}`)),
          (one) => credentials.claimRenewal(one, turn),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(got.filter(Boolean).length, 1)
      })
    )

    it.effect("puts what was renewed in the place of the old, once", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, workspaceId } = yield* world
        assert.isTrue(yield* credentials.claimRenewal(claim("t"), turn))
        assert.isTrue(yield* credentials.settleRenewal(claim("t"), renewed))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["renewed", Option.some(hours(1))])
        assert.deepStrictEqual(found.account.tokenExpiresAt, Option.some(hours(2)))
        assert.isFalse(yield* credentials.settleRenewal(claim("t"), renewed))
        assert.isFalse(yield* credentials.claimRenewal(claim("t"), turn))
        assert.isTrue(yield* credentials.claimRenewal({ ...claim("t2"), sealed: "renewed" }, turn))
      })
    )

    it.effect("gives the turn of one that is not heard of to another, whose word counts then", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, workspaceId } = yield* world
        yield* credentials.claimRenewal(claim("lost"), turn)
        assert.isFalse(
          yield* credentials.claimRenewal(claim("next"), {
            now: DateTime.subtract(turn.until, { seconds: 1 }),
            until: hours(3)
          })
        )
        assert.isTrue(yield* credentials.claimRenewal(claim("next"), { now: turn.until, until: hours(3) }))
        assert.isFalse(yield* credentials.settleRenewal(claim("lost"), renewed))
        assert.isTrue(yield* credentials.settleRenewal(claim("next"), { _tag: "Kept", renewAt: Option.some(hours(9)) }))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["sealed", Option.some(hours(9))])
        assert.isTrue(yield* credentials.claimRenewal(claim("again"), turn))
      })
    )

    it.effect("lets what an administrator gave win over a renewal and over an expiry", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, replace, sealed, workspaceId } = yield* world
        yield* credentials.claimRenewal(claim("t"), turn)
        yield* replace("given")
        assert.isFalse(yield* credentials.settleRenewal(claim("t"), renewed))
        yield* credentials.expire(workspaceId, account.id, sealed)
        assert.strictEqual(Option.getOrThrow(yield* credentials.find(workspaceId, account.id)).sealed, "given")
        yield* credentials.expire(workspaceId, account.id, "given")
        assert.isTrue(Option.isNone(yield* credentials.find(workspaceId, account.id)))
        const found = yield* (yield* SocialAccounts).find(workspaceId, account.id)
        assert.strictEqual(Option.getOrThrow(found).status, "reauth_required")
      })
    )
  })
