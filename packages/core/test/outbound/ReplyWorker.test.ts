import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { Rejected } from "../../src/connectors/ConnectorErrors.ts"
import type { Posted } from "../../src/connectors/InboundActivity.ts"
import type { Reply, UncertainReply } from "../../src/connectors/Reply.ts"
import { InboxStore } from "../../src/inbox/InboxStore.ts"
import { OutboundStore } from "../../src/outbound/OutboundStore.ts"
import { Replies } from "../../src/outbound/Replies.ts"
import { begin } from "../../src/outbound/transitions.ts"
import * as ReplyWorker from "../../src/outbound/ReplyWorker.ts"
import { posted } from "../../src/testing/activities.ts"
import { ingest, walk } from "../../src/testing/inboxFixtures.ts"
import { away } from "../support/fixtures.ts"
import { layerInbox, layerInboxPorts, layerInboxServices } from "../support/inboxLayers.ts"
import {
  failAll,
  failures,
  layerReplies,
  makeItem,
  postOf,
  reply,
  script,
  takeAll,
  toldStatuses,
  whole,
  type World
} from "./replyWorld.ts"

const find = Effect.fnUntraced(function* (world: World, id: string) {
  return yield* (yield* Replies).find(world.caller, id)
})

/** What a look shows from now on, and when it was asked. */
const showing = Effect.fnUntraced(function* (show: (uncertain: UncertainReply) => ReadonlyArray<Posted>) {
  const looks: Array<number> = []
  yield* script({
    findReply: (_access, uncertain) =>
      Effect.map(DateTime.now, (now) => {
        looks.push((now.epochMilliseconds - uncertain.attemptedAt.epochMilliseconds) / 1_000)
        return { _tag: "Candidates", posted: show(uncertain) }
      })
  })
  return looks
})

const now = DateTime.now

describe("a reply whose outcome is not known (design §6)", () => {
  it.effect("is never sent again, is looked for at its moments, and at its deadline is left to a person", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const tried = yield* failAll(failures.unknown)
      const looks = yield* showing(() => [])
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "OutcomeUnknown")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "NeedsReconciliation")
      assert.deepStrictEqual(
        looks.map((seconds) => Math.round(seconds)),
        [5, 15, 60, 300, 900, 1740]
      )
      assert.strictEqual(tried.length, 1)
      assert.deepStrictEqual(yield* toldStatuses(world), [
        "pending",
        "sending",
        "outcome_unknown",
        "needs_reconciliation"
      ])
      assert.strictEqual((yield* reply(world, "Yes", "k1")).operation.state._tag, "NeedsReconciliation")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is completed by the look that shows it, while its client still waits", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      const tried = yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) => [
        postOf(asked, "r1", { receivedAt: attemptedAt, body: "@ann see https://example.com/a/" }),
        postOf(asked, "r2", { receivedAt: attemptedAt, body: "something else" })
      ])
      const { item, operation } = yield* whole(reply(world, "see example.com/a", "k1"))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.deepStrictEqual(
        Option.map(item, ({ body, externalId }) => [externalId, body]),
        Option.some(["r1", "see example.com/a"])
      )
      assert.strictEqual(tried.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is completed by its echo at once, whatever the network's reads say", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_dm", { threadKey: "ann", receivedAt: yield* now })
      yield* failAll(failures.unknown)
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("2 minutes")
      const echo = posted({
        source: "fb_dm",
        externalId: "m1",
        threadKey: "ann",
        isOwn: true,
        body: "Yes",
        receivedAt: yield* now
      })
      const stranger = { ...echo, externalId: "m0", replyTargetId: "m0", operationTag: Option.some("op_of_another") }
      yield* ingest(world.account, [Object.assign(posted(), stranger)], { now: yield* now })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "OutcomeUnknown")
      const tagged = Object.assign(echo, { operationTag: Option.some(operation.id) })
      yield* ingest(world.account, [tagged], { now: yield* now })
      yield* TestClock.adjust("2 seconds")
      const { state } = yield* find(world, operation.id)
      assert.deepInclude(state, { _tag: "Completed", responseExternalId: "m1" })
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is not what the account wrote before, elsewhere, or what another reply made", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const at = yield* now
      const own = (externalId: string, threadKey: string) =>
        posted({ externalId, threadKey, isOwn: true, body: "Yes", receivedAt: at })
      yield* ingest(world.account, [own("old", "c1")], { now: DateTime.subtract(at, { seconds: 30 }) })
      yield* takeAll
      yield* whole(reply(world, "Yes", "k0"))
      yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) => [
        own("old", "c1"),
        postOf(asked, "r1", { receivedAt: attemptedAt }),
        Object.assign(postOf(asked, "r9", { receivedAt: attemptedAt }), { parentExternalId: Option.some("c9") }),
        postOf(asked, "r8", { receivedAt: DateTime.subtract(attemptedAt, { seconds: 61 }) })
      ])
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is left to a person where two posts fit it equally", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) =>
        ["r1", "r2"].map((id) => postOf(asked, id, { receivedAt: attemptedAt }))
      )
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "NeedsReconciliation")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("shares posts with its equals by age; one post settles one of them", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.unknown)
      const looks = yield* showing(() => [])
      const [first, second] = yield* whole(
        Effect.all([reply(world, "Yes", "k1"), Effect.delay(reply(world, "Yes", "k2"), "1 second")], {
          concurrency: 2
        })
      )
      assert.isAbove(looks.length, 1)
      yield* showing(({ attemptedAt, reply: asked }) => [postOf(asked, "r1", { receivedAt: attemptedAt })])
      yield* TestClock.adjust("6 minutes")
      const { state } = yield* find(world, first.operation.id)
      assert.isTrue(state._tag === "Completed" && state.responseExternalId === "r1")
      assert.strictEqual((yield* find(world, second.operation.id)).state._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is looked for again when the network calls another with its text a duplicate", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      yield* failAll(failures.unknown)
      yield* showing(() => [])
      const first = yield* whole(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("6 minutes")
      yield* failAll(failures.duplicate)
      yield* showing(({ attemptedAt, reply: asked }) => [postOf(asked, "r1", { receivedAt: attemptedAt })])
      const second = yield* whole(reply(world, "Yes", "k2"))
      assert.isTrue(
        second.operation.state._tag === "Rejected" &&
          Option.contains(second.operation.state.failure.reason, "duplicate")
      )
      assert.strictEqual((yield* find(world, first.operation.id)).state._tag, "Completed")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is what a connector that hangs or dies leaves behind, and holds no other network up", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const other = yield* makeItem("threads_reply", {}, { username: Option.some("page") })
      yield* script({
        sendReply: (_access, asked) => {
          if (asked.source === "threads_reply") return Effect.succeed({ posted: postOf(asked, "t1") })
          return asked.text === "dies" ? Effect.die(new Error("a bug")) : Effect.never
        }
      })
      const dead = yield* whole(reply(world, "dies", "k0"))
      assert.strictEqual(dead.operation.state._tag, "OutcomeUnknown")
      for (let n = 0; n < 20; n++) yield* Effect.forkChild(reply(world, "hangs", `k${n + 1}`))
      assert.strictEqual((yield* whole(reply(other, "Yes"))).operation.state._tag, "Completed")
      yield* TestClock.adjust("41 seconds")
      const hung = yield* reply(world, "hangs", "k1")
      assert.strictEqual(hung.operation.state._tag, "OutcomeUnknown")
      // The others get their turn, for a worker does not end before what it sends.
      yield* TestClock.adjust("1 minute")
    }).pipe(Effect.provide(layerReplies))
  )
})

describe("a worker of replies (design §6)", () => {
  const build = Effect.fnUntraced(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(ReplyWorker.layer(), scope)
    return scope
  })

  it.effect(
    "that dies while it sends leaves an outcome that is not known, and can settle nothing when it comes back",
    () =>
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
        assert.strictEqual(error._tag, "OperationLeaseLost")
        assert.strictEqual(tried.length, 0)
        yield* Scope.close(scope, Exit.void)
      }).pipe(Effect.provide(layerInbox))
  )

  it.effect("that is stopped sends to its end what it has begun", () =>
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

  it.effect("sends nothing a minute after it began, for the machine may have slept; a replay of the key does", () =>
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

  it.effect("keeps what the network answered until it can be stored", () => {
    let isAway = true
    const flaky = (store: InboxStore["Service"]) =>
      InboxStore.of({ ...store, ingest: (unit) => (isAway ? Effect.fail(away("unknown")) : store.ingest(unit)) })
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
          Layer.updateService(InboxStore, flaky),
          Layer.provideMerge(layerInboxPorts)
        )
      )
    )
  })

  it.effect("keeps the sent text where the echo with another came first", () =>
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

  it.effect("does not mark the account for a permission that is missing, but holds the reply", () =>
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

describe("a reply on Threads (social-networks.md §3.2)", () => {
  const threads = makeItem("threads_reply", {}, { username: Option.some("page") })

  /** Containers as Threads keeps them: each is published once at most. */
  const makeThreads = Effect.gen(function* () {
    const published: Array<string> = []
    let containers = 0
    yield* script({ prepareReply: () => Effect.sync(() => Option.some(`container${++containers}`)) })
    const publish = (asked: Reply, container: Option.Option<string>) => {
      const id = Option.getOrThrow(container)
      if (!published.includes(id)) published.push(id)
      return { posted: postOf(asked, `of-${id}`) }
    }
    return { published, publish }
  })

  it.effect("takes two steps, of which readers see one", () =>
    Effect.gen(function* () {
      const world = yield* threads
      yield* takeAll
      yield* script({ prepareReply: () => Effect.delay(Effect.succeed(Option.some("container")), "2 seconds") })
      yield* whole(reply(world, "Yes", "k1"))
      assert.deepStrictEqual(yield* toldStatuses(world), ["pending", "sending", "remote_succeeded", "completed"])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("publishes the same container again when it surely was not published", () =>
    Effect.gen(function* () {
      const world = yield* threads
      const { publish, published } = yield* makeThreads
      const tried = yield* failAll(failures.unknown)
      yield* script({ findReply: () => Effect.succeed({ _tag: "NotPublished" }) })
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
      yield* script({ sendReply: (_access, asked, container) => Effect.sync(() => publish(asked, container)) })
      yield* TestClock.adjust("60 seconds")
      const { state } = yield* find(world, operation.id)
      assert.isTrue(state._tag === "Completed" && state.responseExternalId === "of-container1")
      assert.deepStrictEqual([published, tried.length > 0], [["container1"], true])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("repeats a first step that is lost, and is rejected when the container comes to nothing", () =>
    Effect.gen(function* () {
      const world = yield* threads
      yield* failAll(failures.unknown)
      let steps = 0
      yield* script({
        prepareReply: (_access, asked) =>
          Effect.suspend(() => (++steps === 1 ? Effect.fail(failures.away(asked)) : Effect.succeed(Option.some("c")))),
        findReply: () => Effect.succeed({ _tag: "Failed", detail: "ERROR" })
      })
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.deepStrictEqual([steps, operation.state._tag], [2, "Rejected"])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is refused at its first step without anything sent", () =>
    Effect.gen(function* () {
      const world = yield* threads
      const sent = yield* takeAll
      yield* script({
        prepareReply: (_access, asked) => Effect.fail(new Rejected({ ...failures.refused(asked), reason: "invalid" }))
      })
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.deepStrictEqual([operation.state._tag, sent.length], ["Rejected", 0])
      assert.deepStrictEqual((yield* walk(world.caller)).length, 1)
    }).pipe(Effect.provide(layerReplies))
  )
})
