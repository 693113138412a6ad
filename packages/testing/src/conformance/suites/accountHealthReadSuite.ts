import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { healthWorld } from "../../fixtures/healthFixtures.ts"
import {
  connect,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  newAccount,
  scopeOf,
  sealAs
} from "../../fixtures/inboxFixtures.ts"

const everything = { networks: new Set<string>(), statuses: new Set<SocialAccount["status"]>() }

/** What is read of accounts and their health. */
export const accountHealthReadSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | AccountHealthStore, E>) =>
  layer(inboxWorld(stores))(`AccountHealthStore, read: ${adapter}`, (it) => {
    it.effect("lists the accounts of a scope, the newest first, with those disconnected lately", () =>
      Effect.gen(function* () {
        const { account, later, now, store, workspaceId } = yield* healthWorld
        const accounts = yield* SocialAccounts
        const mine = yield* connect(workspaceId, {
          networkAccountId: "2",
          network: "facebook",
          owner: "u1",
          at: later(1)
        })
        yield* accounts.disconnect(workspaceId, account.id, later(2))
        const list = Effect.fnUntraced(function* (
          filter: Partial<typeof everything> = {},
          { since = now, user }: { readonly since?: DateTime.Utc; readonly user?: string } = {}
        ) {
          const { scope } = scopeOf(workspaceId, user)
          const page = { limit: 10, after: Option.none() }
          const { items } = yield* store.list(scope, { ...everything, ...filter, disconnectedSince: since }, page)
          return items.map((known): SocialAccountId => known.account.id)
        })
        assert.deepStrictEqual(yield* list(), [mine.id, account.id])
        assert.deepStrictEqual(yield* list({}, { since: later(2) }), [mine.id])
        assert.deepStrictEqual(yield* list({}, { user: "u1" }), [mine.id])
        assert.deepStrictEqual(yield* list({ networks: new Set(["facebook"]) }), [mine.id])
        assert.deepStrictEqual(yield* list({ statuses: new Set(["disconnected"] as const) }), [account.id])
        const one = yield* store.list(
          scopeOf(workspaceId).scope,
          { ...everything, disconnectedSince: now },
          { limit: 1, after: Option.none() }
        )
        const rest = yield* store.list(
          scopeOf(workspaceId).scope,
          { ...everything, disconnectedSince: now },
          { limit: 1, after: one.next }
        )
        assert.deepStrictEqual(
          [...one.items, ...rest.items].map((known) => known.account.id),
          [mine.id, account.id]
        )
        assert.isTrue(Option.isNone(rest.next))
      })
    )

    it.effect("finds whether a person has connected another account, in any workspace", () =>
      Effect.gen(function* () {
        const { now, store, workspaceId } = yield* healthWorld
        const accounts = yield* SocialAccounts
        const person = `person of ${workspaceId}`
        const by = Effect.fnUntraced(function* (id: WorkspaceId, networkAccountId: string) {
          const plain = yield* newAccount(id, { networkAccountId, at: now })
          const account = new SocialAccount({ ...plain, personIds: [person, `${person} too`] })
          yield* accounts.connect(account, sealAs("s"), DateTime.subtract(now, { days: 7 }))
          return account
        })
        const one = yield* by(workspaceId, "one")
        assert.isFalse(yield* store.isPersonElsewhere(one))
        const other = yield* by((yield* makeInboxWorkspace(now)).id, "other")
        assert.isTrue(yield* store.isPersonElsewhere(one))
        yield* accounts.disconnect(other.workspaceId, other.id, now)
        assert.isFalse(yield* store.isPersonElsewhere(one))
      })
    )

    it.effect(
      "finds whether accounts that are reached through one another share a subscription, in any workspace",
      () =>
        Effect.gen(function* () {
          const { now, store, workspaceId } = yield* healthWorld
          const accounts = yield* SocialAccounts
          const [page, linked] = [`page of ${workspaceId}`, `linked to it in ${workspaceId}`]
          const kept = Effect.fnUntraced(function* (id: WorkspaceId, networkAccountId: string, through?: string) {
            const plain = yield* newAccount(id, { networkAccountId, at: now })
            const account = new SocialAccount({ ...plain, throughAccountId: Option.fromUndefinedOr(through) })
            yield* accounts.connect(account, sealAs("s"), DateTime.subtract(now, { days: 7 }))
            return account
          })
          const own = yield* kept(workspaceId, page)
          yield* kept(workspaceId, "another page")
          assert.isFalse(yield* store.isSubscriptionShared(own))
          const elsewhere = (yield* makeInboxWorkspace(now)).id
          const behind = yield* kept(elsewhere, linked, page)
          assert.isTrue(yield* store.isSubscriptionShared(own))
          assert.isTrue(yield* store.isSubscriptionShared(behind))
          yield* accounts.disconnect(workspaceId, own.id, now)
          assert.isFalse(yield* store.isSubscriptionShared(behind))
          yield* kept((yield* makeInboxWorkspace(now)).id, linked, page)
          assert.isTrue(yield* store.isSubscriptionShared(behind))
        })
    )
  })
