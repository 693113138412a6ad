import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { eraseDue } from "@loopbox/core/accounts/eraseDue"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  type InboxPorts,
  inboxEpoch,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  newAccount,
  redactNames,
  scopeOf,
  sealAs
} from "../fixtures/inboxFixtures.ts"

/** What every adapter of the port Erasures does. */
export const erasuresContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`Erasures: ${adapter}`, (it) => {
    it.effect("erases what was disconnected before a moment, with its items and counters", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const gone = yield* connect(id, { networkAccountId: "gone" })
        const kept = yield* connect(id, { networkAccountId: "kept" })
        yield* ingest(gone, [posted()])
        yield* ingest(kept, [posted()])
        yield* accounts.disconnect(id, gone.id, DateTime.subtract(noon, { days: 4_000 }))
        yield* accounts.disconnect(id, kept.id, noon)
        yield* eraseDue(DateTime.subtract(noon, { days: 3_000 }), redactNames)
        const left = (yield* accounts.list(id, { limit: 10, after: Option.none() })).items
        assert.deepStrictEqual(
          left.map((account) => account.id),
          [kept.id]
        )
        yield* accounts.connect(
          yield* newAccount(id, { networkAccountId: "kept" }),
          sealAs("s"),
          DateTime.subtract(noon, { days: 7 })
        )
        assert.strictEqual(yield* (yield* InboxStore).countUnread(scopeOf(id)), 1)
      })
    )

    it.effect("lists accounts by how long they wait, and none that is gone, young or connected", () =>
      Effect.gen(function* () {
        const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
        const epoch = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace()
        const at = (days: number) => DateTime.add(epoch, { days })
        const connected: Array<string> = []
        for (const days of [3, 1, 2, 9]) {
          const account = yield* connect(id, { networkAccountId: `${days}`, at: at(0) })
          yield* accounts.disconnect(id, account.id, at(days))
          connected.push(account.id)
        }
        const before = at(5)
        const due = Effect.map(erasures.list(before, 10), (list) =>
          list.flatMap((one) => (one._tag === "Account" && one.workspaceId === id ? [one.accountId] : []))
        )
        assert.deepStrictEqual(yield* due, [connected[1], connected[2], connected[0]])
        assert.strictEqual((yield* erasures.list(before, 1)).length, 1)
        yield* eraseDue(before, redactNames)
        assert.deepStrictEqual(yield* due, [])
        const left = (yield* accounts.list(id, { limit: 10, after: Option.none() })).items
        assert.deepStrictEqual(
          left.map((account) => account.id),
          [connected[3]]
        )
      })
    )

    it.effect("leaves an account as it is that was connected again meanwhile", () =>
      Effect.gen(function* () {
        const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        yield* ingest(account, [posted()])
        yield* accounts.disconnect(id, account.id, DateTime.subtract(noon, { days: 1 }))
        const again = yield* newAccount(id)
        yield* accounts.connect(again, sealAs("s"), DateTime.subtract(noon, { days: 7 }))
        const erasure = { _tag: "Account", workspaceId: id, accountId: account.id } as const
        assert.strictEqual(yield* erasures.advance(erasure, noon, redactNames), "Done")
        assert.strictEqual(yield* (yield* InboxStore).countUnread(scopeOf(id)), 1)
      })
    )

    it.effect("erases one account with its items, and leaves the others", () =>
      Effect.gen(function* () {
        const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
        const { id } = yield* makeInboxWorkspace()
        const gone = yield* connect(id, { networkAccountId: `gone ${id}` })
        const kept = yield* connect(id, { networkAccountId: `kept ${id}` })
        const key = { workspaceId: id, accountId: gone.id }
        yield* ingest(gone, [posted()])
        yield* ingest(kept, [posted()])
        assert.isTrue(yield* erasures.isLeft(key))
        yield* erasures.erase(key, redactNames)
        yield* erasures.erase(key, redactNames)
        assert.isFalse(yield* erasures.isLeft(key))
        assert.deepStrictEqual(yield* accounts.findKept(id, gone.id), Option.none())
        assert.strictEqual((yield* listed(scopeOf(id))).length, 1)
      })
    )
  })
