import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { type OperationClaim, OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { begin, completed, uncertain } from "@loopbox/core/outbound/transitions"
import { posted, type PostedOptions } from "../../fixtures/activities.ts"
import {
  connect,
  ingest,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  scopeOf
} from "../../fixtures/inboxFixtures.ts"
import { makeOperation } from "../../fixtures/outboundFixtures.ts"

const sources = ["ig_comment"] as const
const seconds = (at: DateTime.Utc, count: number) => DateTime.add(at, { seconds: count })

/** A workspace and time for one test; the time is earlier than that of all tests before. */
const makePlace = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  return { at, account: yield* connect(id, { owner: "u1", at }) }
})

/** Submits an operation unchanged, unless its key was used before. */
const submit = Effect.fnUntraced(function* (operation: OutboundOperation) {
  return yield* (yield* OutboundStore).submit(operation, (existing) =>
    Result.succeed(Option.getOrElse(existing, () => operation))
  )
})

const claim = Effect.fnUntraced(function* (now: DateTime.Utc, limit = 1) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = seconds(now, 15)
  return yield* (yield* OutboundStore).claim({ sources, limit, token, now, leaseNow: now, leaseUntil })
})

const only = (claims: ReadonlyArray<OperationClaim>): OperationClaim => claims[0] ?? assert.fail("nothing to claim")

const change = Effect.fnUntraced(function* (
  held: OperationClaim,
  next: (operation: OutboundOperation) => OutboundOperation,
  leaseUntil: Option.Option<DateTime.Utc> = Option.none()
) {
  return yield* (yield* OutboundStore).change(held, (operation) => ({ operation: next(operation), leaseUntil }))
})

const find = Effect.fnUntraced(function* ({ id, workspaceId }: OutboundOperation) {
  return yield* (yield* OutboundStore).find(scopeOf(workspaceId), id)
})

const own = (options: PostedOptions) => posted({ isOwn: true, threadKey: "c1", ...options })

/** What every adapter of the port OutboundStore does with private replies. */
export const privateReplySuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | OutboundStore, E>) =>
  layer(inboxWorld(stores))(`OutboundStore, private replies: ${adapter}`, (it) => {
    it.effect("shows who submits a private reply the item's others that have not ended, and no public ones", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const privately = Option.some({ source: "ig_dm", authorId: Option.some("ann") })
        const first = yield* submit(yield* makeOperation(account, at, { key: "k1", privately }))
        const { itemId } = first
        yield* submit(yield* makeOperation(account, at, { key: "k2", itemId }))
        yield* submit(yield* makeOperation(account, at, { privately }))
        const rivalsOf = Effect.fnUntraced(function* (operation: OutboundOperation) {
          const seen: Array<string> = []
          yield* (yield* OutboundStore).submit(operation, (existing, rivals) => {
            seen.push(...rivals.map(({ id }) => id))
            return Result.succeed(Option.getOrElse(existing, () => operation))
          })
          return seen
        })
        const second = yield* makeOperation(account, at, { itemId, privately })
        assert.deepStrictEqual(yield* rivalsOf(second), [first.id])
        assert.deepStrictEqual(yield* rivalsOf(first), [second.id])
        assert.deepStrictEqual(yield* rivalsOf(yield* makeOperation(account, at, { itemId })), [])
        const kept = Option.getOrThrow(yield* find(first))
        assert.deepStrictEqual([kept.source, kept.privately], ["ig_comment", privately])
        const held =
          (yield* claim(at, 10)).find(({ operation }) => operation.id === first.id) ?? assert.fail("not claimed")
        const ended = { externalId: "m1", itemId: Option.none() }
        yield* change(held, (found) => completed(uncertain(begin(found, at), at), ended, at))
        assert.deepStrictEqual(yield* rivalsOf(yield* makeOperation(account, at, { itemId, privately })), [second.id])
      })
    )

    it.effect("takes one of eight private replies of an item that are submitted at once", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const privately = Option.some({ source: "ig_dm", authorId: Option.none() })
        const { itemId } = yield* makeOperation(account, at)
        const store = yield* OutboundStore
        const taken = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? { key: `k${n}` } : {})),
          Effect.fnUntraced(function* (key) {
            const operation = yield* makeOperation(account, at, { ...key, itemId, privately })
            const one = store.submit(operation, (_existing, rivals) =>
              rivals.length === 0 ? Result.succeed(operation) : Result.fail("second" as const)
            )
            return yield* Effect.isSuccess(one)
          }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(taken.filter(Boolean).length, 1)
      })
    )

    it.effect("reads for a private reply the direct messages that it may have made", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const privately = Option.some({ source: "ig_dm", authorId: Option.some("ann") })
        const { id } = yield* submit(yield* makeOperation(account, at, { privately }))
        const held = only(yield* claim(at))
        assert.strictEqual(held.operation.id, id)
        yield* change(held, (found) => uncertain(begin(found, at), at), Option.some(seconds(at, 15)))
        yield* ingest(account, [
          own({ externalId: "m1", source: "ig_dm", threadKey: "ann", receivedAt: at }),
          own({ externalId: "r1", receivedAt: at })
        ])
        const seen: Array<string> = []
        yield* (yield* OutboundStore).reconcile(held, [], ({ operation, own: items }) => {
          seen.push(...items.map(({ externalId }) => externalId))
          return { operation, leaseUntil: Option.none() }
        })
        assert.deepStrictEqual(seen, ["m1"])
      })
    )
  })
