import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { AccountKey } from "@loopbox/core/accounts/SocialAccounts"
import { DeletionRequests } from "@loopbox/core/connecting/DeletionRequests"
import { connect, type InboxPorts, inboxEpoch, inboxWorld, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"

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

/** What every adapter of the port DeletionRequests does. */
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
  })
