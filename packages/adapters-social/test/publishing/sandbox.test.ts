/** Every kind of post, by the connectors, at the simulated networks. */
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { gifOf } from "../sandbox/publishing/files.ts"
import { accessOf, publishingWorld } from "./world.ts"
import { hostedMedia, mediaOf, prepared, publicationOf, uncertainOf, whileTimePasses } from "./driving.ts"

const photo = hostedMedia("photo.jpg", "a square")
const reel = hostedMedia("reel.mp4")
const clip = hostedMedia("clip.mp4")
const gif = mediaOf({ kind: "gif", contentType: "image/gif", bytes: gifOf(20, 20) })

const cases: ReadonlyArray<readonly [Network, Publication]> = [
  ["instagram", publicationOf("image", "an image", [photo])],
  ["instagram", publicationOf("carousel", "a carousel", [photo, clip])],
  ["instagram", publicationOf("reel", "a reel", [reel], { share_to_feed: true })],
  ["instagram", publicationOf("story", "", [reel])],
  ["facebook", publicationOf("text", "words")],
  ["facebook", publicationOf("link", "a link", [], { link: "https://a.example/" })],
  ["facebook", publicationOf("image", "a photo", [photo])],
  ["facebook", publicationOf("photos", "photos", [photo, photo])],
  ["facebook", publicationOf("video", "a video", [clip])],
  ["facebook", publicationOf("reel", "a reel", [reel], { title: "Moving" })],
  ["threads", publicationOf("text", "words", [], { reply_control: "everyone" })],
  ["threads", publicationOf("image", "an image", [photo])],
  ["threads", publicationOf("video", "a video", [clip])],
  ["threads", publicationOf("carousel", "a carousel", [photo, clip])],
  ["x", publicationOf("text", "words", [], { reply_settings: "following" })],
  ["x", publicationOf("image", "an image", [photo])],
  ["x", publicationOf("photos", "four", [photo, photo, photo, photo])],
  ["x", publicationOf("gif", "a GIF", [gif])],
  ["x", publicationOf("video", "", [clip])]
]

describe("publishing at the simulated networks", () => {
  for (const [network, publication] of cases) {
    it.effect(`${network}: ${publication.kind} goes out once, is found again, takes comments and is deleted`, () =>
      Effect.gen(function* () {
        const { of, sandbox } = yield* publishingWorld()
        const publish = of(network)
        const access = accessOf(network)
        const preparation = yield* prepared(publish, access, publication)
        const posts = () => sandbox.world.findAccounts(network).flatMap(sandbox.world.ofAccount).length
        const before = posts()
        const published = yield* whileTimePasses(publish.publish(access, publication, preparation))
        assert.include(published.postIds, published.externalId)
        assert.strictEqual(posts(), before + 1)
        yield* TestClock.adjust("5 seconds")
        const look = yield* Effect.flatMap(uncertainOf(publication, preparation), (uncertain) =>
          publish.find(access, uncertain)
        )
        assert.strictEqual(look._tag, "Found")
        if (look._tag === "Found") assert.strictEqual(look.published.externalId, published.externalId)
        const known = yield* Effect.flatMap(
          uncertainOf(publication, preparation, [published.externalId]),
          (uncertain) => publish.find(access, uncertain)
        )
        // By its own ids a post is known, by its words it could be another one's.
        assert.include(["Found", "Nothing"], known._tag)
        const details = yield* publish.details(access, published.externalId)
        assert.isTrue(Option.isSome(details.url), "no address")
        const comment = yield* sandbox.comment({ network, text: "nice", postId: published.externalId })
        const at = Option.getOrThrow(sandbox.world.findWriting(network, comment.id))
        assert.include(details.postIds, Option.getOrNull(at.postId))
        const remove = publish.remove(access)
        assert.strictEqual(Option.isSome(remove), network !== "instagram")
        if (Option.isNone(remove)) return
        yield* remove.value(published.externalId)
        yield* remove.value(published.externalId)
      })
    )
  }
})
