import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { type AccountKey, SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { DeletionRequests } from "@loopbox/core/connecting/DeletionRequests"
import { noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  type InboxPorts,
  inboxEpoch,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../fixtures/inboxFixtures.ts"

const random = Effect.map(
  Effect.flatMap(SecureRandom, (source) => source.randomBytes(32)),
  (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
)

const keyOf = ({
  id: accountId,
  workspaceId
}: { readonly id: AccountKey["accountId"] } & Pick<AccountKey, "workspaceId">) => ({
  workspaceId,
  accountId
})

/** What every adapter does for people who take back what they allowed. */
export const deletionRequestsContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts | DeletionRequests, E>) =>
  layer(inboxWorld(stores))(`DeletionRequests: ${adapter}`, (it) => {
    it.effect("keeps a request by its code, once for each digest, until it is old", () =>
      Effect.gen(function* () {
        const deletions = yield* DeletionRequests
        const epoch = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace()
        const accounts = [keyOf(yield* connect(id))]
        const [code, requestDigest] = [yield* random, yield* random]
        const request = { code, accounts, createdAt: epoch, completedAt: Option.none() }
        assert.deepStrictEqual(yield* deletions.put(request, requestDigest), request)
        assert.deepStrictEqual(yield* deletions.put({ ...request, code: yield* random }, requestDigest), request)
        assert.deepStrictEqual(yield* deletions.find(code), Option.some(request))
        assert.deepStrictEqual(yield* deletions.find("no\u0000code"), Option.none())
        assert.isTrue((yield* deletions.listOpen(1_000)).some((open) => open.code === code))
        const completed = { ...request, completedAt: Option.some(DateTime.add(epoch, { hours: 1 })) }
        yield* deletions.complete(code, DateTime.add(epoch, { hours: 1 }))
        assert.deepStrictEqual(yield* deletions.find(code), Option.some(completed))
        assert.isFalse((yield* deletions.listOpen(1_000)).some((open) => open.code === code))
        yield* deletions.removeOlder(DateTime.add(epoch, { hours: 1 }), 1_000)
        assert.isTrue(Option.isSome(yield* deletions.find(code)))
        yield* deletions.removeOlder(DateTime.add(epoch, { hours: 2 }), 1_000)
        assert.deepStrictEqual(yield* deletions.find(code), Option.none())
      })
    )

    it.effect("finds accounts by the ids of the person and by their own, in all workspaces", () =>
      Effect.gen(function* () {
        const accounts = yield* SocialAccounts
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const name = yield* random
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
        const ids = found.map(({ accountId }) => accountId)
        assert.deepStrictEqual(ids.toSorted(), [own.id, other.id, person.id].toSorted())
        assert.deepStrictEqual(yield* accounts.findOfPerson(["x"], name), [])
      })
    )

    it.effect("drops tokens that were stored before a moment, and asks for a new connection", () =>
      Effect.gen(function* () {
        const [accounts, credentials] = [yield* SocialAccounts, yield* AccountCredentials]
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id, { at: noon })
        yield* credentials.drop(keyOf(account), noon)
        assert.isTrue(Option.isSome(yield* credentials.findSealed(id, account.id)))
        yield* credentials.drop(keyOf(account), DateTime.add(noon, { seconds: 1 }))
        yield* credentials.drop(keyOf(account), DateTime.add(noon, { seconds: 1 }))
        assert.deepStrictEqual(yield* credentials.findSealed(id, account.id), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* accounts.find(id, account.id)).status, "reauth_required")
        const given = { sealed: "fresh", expiresAt: Option.none() }
        yield* accounts.update(id, account.id, { credentials: given }, DateTime.add(noon, { days: 1 }))
        assert.deepStrictEqual(yield* credentials.findSealed(id, account.id), Option.some("fresh"))
      })
    )

    it.effect("erases one account with its items, and leaves the others", () =>
      Effect.gen(function* () {
        const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
        const { id } = yield* makeInboxWorkspace()
        const gone = yield* connect(id, { networkAccountId: `gone ${id}` })
        const kept = yield* connect(id, { networkAccountId: `kept ${id}` })
        yield* ingest(gone, [posted()])
        yield* ingest(kept, [posted()])
        assert.isTrue(yield* erasures.isLeft(keyOf(gone)))
        yield* erasures.erase(keyOf(gone), redactNames)
        yield* erasures.erase(keyOf(gone), redactNames)
        assert.isFalse(yield* erasures.isLeft(keyOf(gone)))
        assert.deepStrictEqual(yield* accounts.findKept(id, gone.id), Option.none())
        assert.strictEqual((yield* listed(scopeOf(id))).length, 1)
      })
    )
  })
