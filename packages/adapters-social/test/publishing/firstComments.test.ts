/** What accounts write under their own posts, by the connectors, at the simulated networks. */
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { accessOf, publishingWorld } from "./world.ts"
import { hostedMedia, prepared, publicationOf, whileTimePasses } from "./driving.ts"

const cases: ReadonlyArray<readonly [Network, Publication]> = [
  ["instagram", publicationOf("image", "an image", [hostedMedia("photo.jpg", "a square")])],
  ["facebook", publicationOf("text", "words")],
  ["facebook", publicationOf("reel", "a reel", [hostedMedia("reel.mp4")], { title: "Moving" })],
  ["threads", publicationOf("text", "words", [], { reply_control: "everyone" })],
  ["x", publicationOf("text", "words")]
]

describe("first comments at the simulated networks", () => {
  for (const [network, publication] of cases) {
    it.effect(`${network}, ${publication.kind}: one is written under the post, and found again by its words`, () =>
      Effect.gen(function* () {
        const { connectorOf, of, sandbox } = yield* publishingWorld()
        const publish = of(network)
        const connector = connectorOf(network)
        const access = accessOf(network)
        const preparation = yield* prepared(publish, access, publication)
        const { externalId, postIds } = yield* whileTimePasses(publish.publish(access, publication, preparation))
        const id = postIds[0] ?? externalId
        const reply = {
          source: Option.getOrThrow(publish.commentSource),
          target: { externalId: id, replyTargetId: id, threadKey: id, linkedPostId: Option.some(id) },
          text: "More soon.",
          operationId: "ptg_1"
        }
        yield* TestClock.adjust("5 seconds")
        const attemptedAt = yield* DateTime.now
        const container = yield* connector.prepareReply(access, reply)
        const sent = yield* whileTimePasses(connector.sendReply(access, reply, container))
        const written = Option.getOrThrow(sandbox.world.findWriting(network, sent.posted.externalId))
        assert.include([externalId, ...postIds], Option.getOrNull(written.postId))
        assert.include([externalId, ...postIds], Option.getOrNull(sent.posted.linkedPostId))
        yield* TestClock.adjust("5 seconds")
        const look = yield* connector.findReply(access, { reply, preparation: container, attemptedAt })
        assert.strictEqual(look._tag, "Candidates")
        if (look._tag !== "Candidates") return
        const [found] = look.posted.filter(({ body }) => body.includes("More soon."))
        assert.strictEqual(found?.externalId, sent.posted.externalId)
        assert.include([externalId, ...postIds], Option.getOrNull(found?.parentExternalId ?? Option.none()))
      })
    )
  }
})
