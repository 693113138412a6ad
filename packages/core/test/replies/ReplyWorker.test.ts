import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { IngestStore } from "../../src/inbox/IngestStore.ts"
import { OutboundStore } from "../../src/outbound/OutboundStore.ts"
import { begin } from "../../src/outbound/transitions.ts"
import * as ReplyWorker from "../../src/replies/ReplyWorker.ts"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { away } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerInbox, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"
import { find, failAll, failures, layerReplies, makeItem, postOf, reply, script, takeAll, whole } from "./replyWorld.ts"

const now = DateTime.now

describe("ReplyWorker (design §6)", () => {
  const build = Effect.fnUntraced(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(ReplyWorker.layer(), scope)
    return scope
  })

  it.effect("leaves an unknown outcome when it crashes while sending, and can't settle it later", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const store = yield* OutboundStore
      const tried = yield* takeAll
      // A worker that took it and was not heard of again.
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("1 millis")
      const at = yield* now
      const lost = yield* store.claim({
        sources: ["ig_comment"],
        limit: 1,
        token: "lost",
        now: at,
        leaseNow: at,
        leaseUntil: DateTime.add(at, { seconds: 15 })
      })
      const [claim] = lost
      if (claim === undefined) return assert.fail("nothing to claim")
      const hold = Option.some(DateTime.add(at, { seconds: 15 }))
      yield* store.change(claim, (operation) => ({ operation: begin(operation, at), leaseUntil: hold }))
      const scope = yield* build()
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual((yield* find(world, claim.operation.id)).state._tag, "Sending")
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(client)).operation.state._tag, "OutcomeUnknown")
      const error = yield* Effect.flip(store.change(claim, (operation) => ({ operation, leaseUntil: Option.none() })))
      assert.strictEqual(error._tag, "LeaseLost")
      assert.strictEqual(tried.length, 0)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("finishes the replies that it is sending when it is stopped", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const scope = yield* build()
      yield* script({
        sendReply: (_access, asked) => Effect.delay(Effect.succeed({ posted: postOf(asked, "r1") }), "5 seconds")
      })
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("2 seconds")
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(closing)
      assert.strictEqual((yield* Fiber.join(client)).operation.state._tag, "Completed")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect(
    "does not send a reply a minute after its start, because the machine may have been suspended; a replay of the key does",
    () =>
      Effect.gen(function* () {
        const world = yield* makeItem("threads_reply", {}, { username: Option.some("page") })
        const sent = yield* takeAll
        const slept = Duration.seconds(60)
        yield* script({ prepareReply: () => Effect.delay(Effect.succeed(Option.some("container")), slept) })
        const { operation } = yield* whole(reply(world, "Yes", "k1"))
        yield* TestClock.adjust("1 minute")
        const { state } = yield* find(world, operation.id)
        assert.isTrue(state._tag === "Held" && state.failure.kind === "unavailable")
        assert.strictEqual(sent.length, 0)
        yield* script({ prepareReply: () => Effect.succeed(Option.some("container")) })
        assert.strictEqual((yield* whole(reply(world, "Yes", "k1"))).operation.state._tag, "Completed")
        assert.strictEqual(sent.length, 1)
      }).pipe(Effect.provide(ReplyWorker.layer({ stepLimit: "5 minutes" }).pipe(Layer.provideMerge(layerInbox))))
  )

  it.effect("keeps the network's answer until it can be stored", () => {
    let isAway = true
    const flaky = (store: IngestStore["Service"]) =>
      IngestStore.of({ ...store, ingest: (unit) => (isAway ? Effect.fail(away("unknown")) : store.ingest(unit)) })
    return Effect.gen(function* () {
      isAway = false
      const world = yield* makeItem()
      isAway = true
      const sent = yield* takeAll
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "RemoteSucceeded")
      yield* TestClock.adjust("10 minutes")
      isAway = false
      yield* TestClock.adjust("5 minutes")
      const again = yield* reply(world, "Yes", "k1")
      assert.strictEqual(again.operation.state._tag, "Completed")
      assert.isTrue(Option.isSome(again.item))
      assert.strictEqual(sent.length, 1)
    }).pipe(
      Effect.provide(
        ReplyWorker.layer().pipe(
          Layer.provideMerge(layerInboxServices),
          Layer.updateService(IngestStore, flaky),
          Layer.provideMerge(layerInboxPorts)
        )
      )
    )
  })

  it.effect("keeps the sent text if an echo with another text came first", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      const echoed = postOf(
        {
          source: "x_reply",
          target: { externalId: "c1", replyTargetId: "c1", threadKey: "c1", linkedPostId: Option.none() },
          text: "@ann Yes",
          operationId: ""
        },
        "r1"
      )
      yield* ingest(world.account, [echoed])
      yield* script({ sendReply: (_access, asked) => Effect.succeed({ posted: postOf(asked, "r1") }) })
      const { item } = yield* whole(reply(world, "Yes", "k1"))
      assert.deepStrictEqual(
        Option.map(item, ({ body }) => body),
        Option.some("Yes")
      )
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("keeps the sent text if the echo is the only proof", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      yield* failAll(failures.unknown)
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
      const { id: operationId, source, target } = operation
      const echo = postOf({ source, target, text: "@ann Yes", operationId }, "r1", { receivedAt: yield* now })
      yield* ingest(world.account, [echo], { now: yield* now })
      yield* TestClock.adjust("2 seconds")
      const again = yield* reply(world, "Yes", "k1")
      assert.deepInclude(again.operation.state, { _tag: "Completed", responseExternalId: "r1" })
      assert.deepStrictEqual(
        Option.map(again.item, ({ body, editedAt, isOwn }) => [body, Option.isNone(editedAt), isOwn]),
        Option.some(["Yes", true, true])
      )
      // The next time that the network tells of it changes nothing.
      yield* ingest(world.account, [echo], { now: yield* now })
      const shown = yield* reply(world, "Yes", "k1")
      assert.strictEqual(Option.getOrThrow(shown.item).body, "Yes")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("holds the reply, and does not mark the account, when a permission is missing", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.expired)
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.isTrue(operation.state._tag === "Held" && operation.state.failure.missingScopes.includes("x.write"))
      const account = yield* (yield* SocialAccounts).find(world.workspace.id, world.account.id)
      assert.strictEqual(Option.getOrThrow(account).status, "connected")
    }).pipe(Effect.provide(layerReplies))
  )
})
