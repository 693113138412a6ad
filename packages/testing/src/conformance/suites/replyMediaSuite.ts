import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { begin, completed, uncertain } from "@loopbox/core/outbound/transitions"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { posted } from "../../fixtures/activities.ts"
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
import { makeGif } from "../../fixtures/storeFixtures.ts"

type Ports = InboxPorts | OutboundStore | RetentionStore | MediaStore

const sources = ["ig_comment"] as const

/** A reply with a file, and the time of its request; the time is earlier than that of all tests before. */
const makeReply = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  const account = yield* connect(id, { owner: "u1", at })
  const file = yield* makeGif(id, at)
  const media = [{ mediaId: file.id, kind: "image" as const }]
  const operation = yield* makeOperation(account, at, { text: "", media, tag: Option.some("human_agent"), key: "k1" })
  return { at, account, file, operation }
})

const submit = Effect.fnUntraced(function* (operation: OutboundOperation) {
  return yield* (yield* OutboundStore).submit(operation, (existing) =>
    Result.succeed(Option.getOrElse(existing, () => operation))
  )
})

const claim = Effect.fnUntraced(function* (now: DateTime.Utc) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = DateTime.add(now, { seconds: 15 })
  const claims = yield* (yield* OutboundStore).claim({ sources, limit: 1, token, now, leaseNow: now, leaseUntil })
  return claims[0] ?? assert.fail("nothing to claim")
})

/** What every adapter of the port OutboundStore does with the files of replies. */
export const replyMediaSuite = <E>(adapter: string, stores: Layer.Layer<Ports, E>) =>
  layer(inboxWorld(stores))(`OutboundStore, files of replies: ${adapter}`, (it) => {
    it.effect(
      "keeps the file and the tag of a reply, and keeps the file from being deleted until the reply has ended",
      () =>
        Effect.gen(function* () {
          const { at, file, operation } = yield* makeReply
          const [store, files, retention] = [yield* OutboundStore, yield* MediaStore, yield* RetentionStore]
          yield* submit(operation)
          const held = yield* claim(at)
          assert.deepStrictEqual(held.operation, operation)
          assert.deepStrictEqual(
            yield* store.find(scopeOf(operation.workspaceId), operation.id),
            Option.some(operation)
          )
          const inUse = yield* Effect.flip(files.remove(file.workspaceId, file.id, at))
          assert.strictEqual(inUse._tag, "MediaInUse")
          yield* retention.expire(DateTime.add(at, { days: 2 }), 10)
          assert.isTrue(Option.isSome(yield* files.find(file.workspaceId, file.id)))
          const ended = { externalId: "r1", itemId: Option.none() }
          yield* store.change(held, (found) => ({
            operation: completed(uncertain(begin(found, at), at), ended, at),
            leaseUntil: Option.none()
          }))
          assert.strictEqual((yield* files.remove(file.workspaceId, file.id, at)).id, file.id)
          const again = yield* submit(operation)
          assert.deepStrictEqual([again.id, again.state._tag], [operation.id, "Completed"])
        })
    )

    it.effect("stores no reply whose file is gone", () =>
      Effect.gen(function* () {
        const { at, file, operation } = yield* makeReply
        yield* (yield* MediaStore).remove(file.workspaceId, file.id, at)
        assert.deepInclude(yield* Effect.flip(submit(operation)), { _tag: "MediaNotFound", mediaId: file.id })
        const found = yield* (yield* OutboundStore).find(scopeOf(operation.workspaceId), operation.id)
        assert.deepStrictEqual(found, Option.none())
      })
    )

    it.effect("either deletes a file or keeps it for a reply, whichever of both comes first", () =>
      Effect.gen(function* () {
        for (let n = 0; n < 5; n++) {
          const { at, file, operation } = yield* makeReply
          const [deleted, accepted] = yield* Effect.all(
            [
              Effect.isSuccess((yield* MediaStore).remove(file.workspaceId, file.id, at)),
              Effect.isSuccess(submit(operation))
            ],
            { concurrency: "unbounded" }
          )
          assert.strictEqual(deleted, !accepted)
        }
      })
    )

    it.effect("tells what hangs on the account's own items, by which a reply is recognised", () =>
      Effect.gen(function* () {
        const { account, at, operation } = yield* makeReply
        yield* submit(operation)
        const held = yield* claim(at)
        const store = yield* OutboundStore
        yield* store.change(held, (found) => ({
          operation: uncertain(begin(found, at), at),
          leaseUntil: Option.some(DateTime.add(at, { seconds: 15 }))
        }))
        const picture = posted({ externalId: "r1", isOwn: true, threadKey: "c1", receivedAt: at, body: "" })
        yield* ingest(account, [Object.assign(picture, { attachments: [{ type: "image", url: null }] })])
        const seen: Array<ReadonlyArray<string>> = []
        yield* store.reconcile(held, [], ({ operation: found, own }) => {
          seen.push(...own.map(({ attached }) => attached))
          return { operation: found, leaseUntil: Option.none() }
        })
        assert.deepStrictEqual(seen, [["image"]])
      })
    )
  })
