import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Rejected } from "../../src/networks/ConnectorErrors.ts"
import type { Reply } from "../../src/networks/Reply.ts"
import { walk } from "@loopbox/testing/fixtures/inboxFixtures"
import {
  find,
  failAll,
  failures,
  layerReplies,
  makeItem,
  postOf,
  reply,
  script,
  takeAll,
  toldStatuses,
  whole
} from "./replyWorld.ts"

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

  it.effect("takes two steps, only one of which is visible", () =>
    Effect.gen(function* () {
      const world = yield* threads
      yield* takeAll
      yield* script({ prepareReply: () => Effect.delay(Effect.succeed(Option.some("container")), "2 seconds") })
      yield* whole(reply(world, "Yes", "k1"))
      assert.deepStrictEqual(yield* toldStatuses(world), ["pending", "sending", "remote_succeeded", "completed"])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("publishes the same container again if it is known as not published", () =>
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

  it.effect("repeats a lost first step, and is rejected when the container fails", () =>
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

  it.effect("is refused at its first step, and nothing is sent", () =>
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
