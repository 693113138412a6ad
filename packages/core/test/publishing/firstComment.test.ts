import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { AccountTokens } from "../../src/accounts/AccountTokens.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { OutcomeUnknown, Rejected } from "../../src/networks/ConnectorErrors.ts"
import type { NetworkWrites } from "../../src/networks/SocialConnector.ts"
import { PostStore } from "../../src/posts/PostStore.ts"
import { PostTarget } from "../../src/posts/PostTarget.ts"
import { showPost } from "../../src/posts/showPost.ts"
import * as PublishWorker from "../../src/publishing/PublishWorker.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const layerWorld = PublishWorker.layer().pipe(Layer.provideMerge(layerInbox))

const common = { network: "instagram", networkCode: Option.none(), detail: "as scripted" } as const

/** A post that is published at once, with a first comment; what was asked of the network for the comment. */
const publishWith = Effect.fnUntraced(function* (
  script: Partial<NetworkWrites>,
  url = Option.some("https://n.test/p1")
) {
  const calls: Array<string> = []
  const world = yield* FakeNetworks
  world.publish = {
    publish: () => Effect.succeed({ externalId: "p1", url, postIds: ["p1"] })
  }
  const { findReply, sendReply } = script
  world.script = {
    ...script,
    sendReply: (...of) =>
      Effect.suspend(() => {
        calls.push("send")
        return sendReply === undefined ? Effect.fail(new OutcomeUnknown(common)) : sendReply(...of)
      }),
    findReply: (...of) =>
      Effect.suspend(() => {
        calls.push("find")
        return findReply === undefined ? Effect.succeed({ _tag: "Candidates", posted: [] }) : findReply(...of)
      })
  }
  const workspace = yield* makeWorkspace("growth")
  const account = yield* connectAccount(workspace.id, { network: "instagram" })
  const store = yield* PostStore
  const made = yield* makeKeptPost(workspace.id, [account], yield* DateTime.now)
  const targets = made.targets.map((target) => new PostTarget({ ...target, firstComment: Option.some("More soon.") }))
  const { idempotencyKey } = made.post
  yield* store.submit({ workspaceId: workspace.id, idempotencyKey }, () => Result.succeed({ ...made, targets }))
  const shown = Effect.map(store.find(scopeOf(workspace.id).scope, made.post.id), (kept) => {
    const post = showPost(Option.getOrThrow(kept))
    const [target] = Option.getOrThrow(kept).targets
    const comment = target?.state._tag === "Published" ? target.state.comment : "unpublished"
    return { status: post.status, codes: post.warnings.map(({ code }) => code), comment }
  })
  return { calls, shown }
})

const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds }), () => TestClock.adjust("1 second"), { discard: true })

const commentOf = (body: string, parent: string) =>
  Effect.map(DateTime.now, (receivedAt) => ({
    _tag: "Candidates" as const,
    posted: [posted({ externalId: "c1", body, isOwn: true, rootOf: parent, post: "p1", receivedAt })]
  }))

describe("the first comment under a published post", () => {
  it.effect("waits five seconds where the network has not told the address: it may still be at work on the post", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({}, Option.none())
      yield* pass(4)
      assert.strictEqual((yield* shown).status, "published")
      assert.deepStrictEqual(calls, [])
      yield* pass(6)
      assert.deepStrictEqual(calls.slice(0, 1), ["send"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("is written once, under the post", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({
        sendReply: (_access, { source, target, text }) => {
          assert.deepStrictEqual([source, target.replyTargetId, text], ["ig_comment", "p1", "More soon."])
          return Effect.succeed({ posted: posted({ externalId: "c1", isOwn: true }) })
        }
      })
      yield* pass(30)
      assert.deepStrictEqual(yield* shown, { status: "published", codes: [], comment: "done" })
      assert.deepStrictEqual(calls, ["send"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("is written once the store is back that was away before it, for nothing was sent (core 4)", () =>
    Effect.gen(function* () {
      let isAway = false
      const tokens = Layer.updateService(AccountTokens, (service) =>
        AccountTokens.of({
          ...service,
          open: (...of) =>
            isAway
              ? Effect.fail(new StoreUnavailable({ operation: "find", committed: "no", cause: "away" }))
              : service.open(...of)
        })
      )
      const worker = PublishWorker.layer().pipe(Layer.provide(tokens(Layer.effect(AccountTokens, AccountTokens))))
      yield* Layer.build(worker)
      const { calls, shown } = yield* publishWith(
        {
          sendReply: () => Effect.succeed({ posted: posted({ externalId: "c1", isOwn: true }) })
        },
        Option.none()
      )
      yield* pass(2)
      isAway = true
      yield* pass(20)
      assert.deepStrictEqual([calls, (yield* shown).codes], [[], []])
      isAway = false
      yield* pass(60)
      assert.deepStrictEqual([calls, (yield* shown).comment], [["send"], "done"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("that is known as not written is said so, and is neither looked for nor sent again", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({
        sendReply: () => Effect.fail(new Rejected({ ...common, reason: "other" }))
      })
      yield* pass(120)
      assert.deepStrictEqual(yield* shown, {
        status: "published",
        codes: ["first_comment_failed"],
        comment: "failed"
      })
      assert.deepStrictEqual(calls, ["send"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("of unknown outcome is looked for where replies are, and found, without a warning", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({ findReply: () => commentOf("More  soon.", "p1") })
      yield* pass(3)
      assert.deepStrictEqual(yield* shown, { status: "published", codes: [], comment: "unknown" })
      yield* pass(20)
      assert.deepStrictEqual(yield* shown, { status: "published", codes: [], comment: "done" })
      assert.deepStrictEqual(calls, ["send", "find"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("is no other words below the post, nor the same below another", () =>
    Effect.gen(function* () {
      let looks = 0
      const { calls, shown } = yield* publishWith({
        findReply: () => (looks++ === 0 ? commentOf("Something else", "p1") : commentOf("More soon.", "p2"))
      })
      yield* pass(30)
      assert.deepStrictEqual((yield* shown).comment, "unknown")
      assert.deepStrictEqual(calls, ["send", "find", "find"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("that stays unknown for half an hour is said to be unknown, and is never sent again", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({})
      yield* pass(31 * 60)
      assert.deepStrictEqual(yield* shown, {
        status: "published",
        codes: ["first_comment_unknown"],
        comment: "lost"
      })
      assert.strictEqual(calls.filter((call) => call === "send").length, 1)
      assert.isAtLeast(calls.filter((call) => call === "find").length, 5)
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("that the network proves to be unpublished is published by the same preparation", () =>
    Effect.gen(function* () {
      let sends = 0
      const { calls, shown } = yield* publishWith({
        prepareReply: () => Effect.succeedSome("container"),
        sendReply: (_access, _reply, preparation) => {
          assert.deepStrictEqual(preparation, Option.some("container"))
          return sends++ === 0
            ? Effect.fail(new OutcomeUnknown(common))
            : Effect.succeed({ posted: posted({ externalId: "c1", isOwn: true }) })
        },
        findReply: () => Effect.succeed({ _tag: "NotPublished" })
      })
      yield* pass(30)
      assert.deepStrictEqual((yield* shown).comment, "done")
      assert.deepStrictEqual(calls, ["send", "find", "send"])
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("whose network does not answer at all is unknown, too", () =>
    Effect.gen(function* () {
      const { calls, shown } = yield* publishWith({
        sendReply: () => Effect.never,
        findReply: () => commentOf("More soon.", "p1")
      })
      yield* pass(80)
      assert.deepStrictEqual((yield* shown).comment, "done")
      assert.deepStrictEqual(calls, ["send", "find"])
    }).pipe(Effect.provide(layerWorld))
  )
})
