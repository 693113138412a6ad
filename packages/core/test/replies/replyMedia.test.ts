import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"
import { samples } from "@loopbox/testing/fixtures/mediaSamples"
import { upload } from "@loopbox/testing/fixtures/mediaFixtures"
import { TestClock } from "effect/testing"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { MediaLinks } from "../../src/media/MediaLinks.ts"
import type { Reply } from "../../src/networks/Reply.ts"
import { Replies } from "../../src/replies/Replies.ts"
import * as ReplyWorker from "../../src/replies/ReplyWorker.ts"
import {
  failAll,
  failures,
  find,
  layerReplies,
  makeItem,
  postOf,
  script,
  showing,
  whole,
  type World
} from "./replyWorld.ts"

const file = Effect.fnUntraced(function* ({ workspace }: World, type: keyof typeof samples = "image/png") {
  const [bytes = new Uint8Array()] = Object.values(samples[type])
  return yield* upload(workspace, bytes, { declaredType: type })
})

interface Asked {
  readonly text?: string
  readonly mediaIds?: ReadonlyArray<string>
  readonly key?: string
}

const answer = Effect.fnUntraced(function* ({ caller, itemId }: World, { key, mediaIds, text = "" }: Asked) {
  const idempotencyKey = Option.map(Option.fromUndefinedOr(key), (name) => IdempotencyKey.make(name))
  return yield* (yield* Replies).reply(caller, itemId, { text, mediaIds, idempotencyKey })
})

/** The network's own item of a reply, with what hangs on it. */
const pictureOf = (reply: Reply, externalId: string) =>
  Object.assign(postOf(reply, externalId), { attachments: [{ type: "image", url: "https://cdn.test/1" }] })

const takeFiles = Effect.gen(function* () {
  const sent: Array<Reply> = []
  yield* script({
    sendReply: (_access, asked) =>
      Effect.sync(() => {
        sent.push(asked)
        return { posted: pictureOf(asked, `r${sent.length}`) }
      })
  })
  return sent
})

const faultOf = (world: World, asked: Asked) =>
  Effect.map(Effect.flip(answer(world, asked)), (error) => ("reason" in error ? error.reason : error._tag))

describe("a reply with a file (api-2.md §13)", () => {
  it.effect("goes out once with an address of the file, and its item shows what hangs on it", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("ig_dm")
      const sent = yield* takeFiles
      const { id } = yield* file(world)
      const { item, operation } = yield* whole(answer(world, { mediaIds: [id], key: "k1" }))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.deepStrictEqual(
        Option.map(item, ({ attachments, body }) => [body, ...attachments.map(({ type, url }) => `${type} ${url}`)]),
        Option.some(["", "image https://cdn.test/1"])
      )
      assert.deepStrictEqual(
        sent.map(({ media, text }) => [text, media]),
        [["", { kind: "image", link: `https://media.test/${id}` }]]
      )
      const again = yield* answer(world, { mediaIds: [id], key: "k1" })
      assert.strictEqual(again.operation.id, operation.id)
      const other = yield* file(world)
      assert.strictEqual(yield* faultOf(world, { mediaIds: [other.id], key: "k1" }), "ReplyKeyConflict")
      assert.strictEqual(yield* faultOf(world, { text: "Yes", key: "k1" }), "ReplyKeyConflict")
      yield* (yield* MediaLibrary).remove(world.workspace.id, id)
      const replayed = yield* answer(world, { mediaIds: [id], key: "k1" })
      assert.deepStrictEqual([replayed.operation.id, sent.length], [operation.id, 1])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is what the item's capabilities say: a message takes a file, some comments take one, others none", () =>
    Effect.gen(function* () {
      const may = Effect.fnUntraced(function* ({ caller, itemId }: World) {
        return (yield* (yield* Inbox).find(caller, itemId)).capabilities.includes("reply_media")
      })
      const message = yield* makeItem("fb_dm")
      const comment = yield* makeItem("fb_comment")
      const without = yield* makeItem("ig_comment")
      assert.deepStrictEqual([yield* may(message), yield* may(comment), yield* may(without)], [true, true, false])
      const { id } = yield* file(without)
      const refused = yield* Effect.flip(answer(without, { text: "Look", mediaIds: [id] }))
      assert.deepInclude(refused, { _tag: "ActionNotAvailable", action: "reply_media", reason: "not_supported" })
      const sent = yield* takeFiles
      yield* whole(answer(comment, { text: "Look", mediaIds: [(yield* file(comment)).id] }))
      yield* whole(answer(comment, { mediaIds: [(yield* file(comment)).id] }))
      assert.deepStrictEqual(
        sent.map(({ text }) => text),
        ["Look", ""]
      )
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("says of a file why it can't be sent, before anything is stored", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("ig_dm")
      const sent = yield* takeFiles
      const { id } = yield* file(world)
      const film = yield* file(world, "video/webm")
      const comment = yield* makeItem("fb_comment")
      const faults = [
        yield* faultOf(world, {}),
        yield* faultOf(world, { mediaIds: [id, id] }),
        yield* faultOf(world, { mediaIds: ["med_unknown"] }),
        yield* faultOf(comment, { mediaIds: [id] }),
        yield* faultOf(world, { mediaIds: [film.id] }),
        yield* faultOf(comment, { mediaIds: [(yield* file(comment, "video/mp4")).id] }),
        yield* faultOf(world, { text: "Look", mediaIds: [id] })
      ]
      assert.deepStrictEqual(faults, [
        "ReplyTextInvalid",
        "too_many",
        "not_found",
        "not_found",
        "wrong_type",
        "wrong_type",
        "text_beside"
      ])
      assert.strictEqual(sent.length, 0)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("keeps its file from being deleted until it has ended, also while it waits for its key", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("ig_dm")
      yield* failAll(failures.limited)
      const { id } = yield* file(world)
      yield* whole(answer(world, { mediaIds: [id], key: "k1" }))
      const remove = (yield* MediaLibrary).remove(world.workspace.id, id)
      assert.strictEqual((yield* Effect.flip(remove))._tag, "MediaInUse")
      const sent = yield* takeFiles
      yield* whole(answer(world, { mediaIds: [id], key: "k1" }))
      assert.strictEqual(sent.length, 1)
      yield* remove
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("whose answer was lost is found by what hangs on it, and not by words or another kind of file", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("ig_dm")
      const tried = yield* failAll(failures.unknown)
      const { id } = yield* file(world)
      const { operation } = yield* whole(answer(world, { mediaIds: [id], key: "k1" }))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
      yield* showing(({ attemptedAt, reply }) => [
        postOf(reply, "words", { receivedAt: attemptedAt }),
        Object.assign(postOf(reply, "film", { receivedAt: attemptedAt }), {
          attachments: [{ type: "video", url: null }]
        }),
        Object.assign(pictureOf(reply, "picture"), { receivedAt: attemptedAt })
      ])
      yield* TestClock.adjust("1 minute")
      const { state } = yield* find(world, operation.id)
      assert.deepStrictEqual(
        [state._tag, state._tag === "Completed" ? state.responseExternalId : ""],
        ["Completed", "picture"]
      )
      assert.strictEqual(tried.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is refused where its network can't load from this host", () => {
    const unreachable = (links: MediaLinks["Service"]) => MediaLinks.of({ ...links, isReachableBy: () => false })
    return Effect.gen(function* () {
      const world = yield* makeItem("fb_dm")
      const { id } = yield* file(world)
      const refused = yield* Effect.flip(answer(world, { mediaIds: [id] }))
      assert.deepInclude(refused, { _tag: "PublicUrlRequired", networks: ["facebook"] })
    }).pipe(
      Effect.provide(
        ReplyWorker.layer().pipe(
          Layer.provideMerge(layerInboxServices),
          Layer.updateService(MediaLinks, unreachable),
          Layer.provideMerge(layerInboxPorts)
        )
      )
    )
  })
})
