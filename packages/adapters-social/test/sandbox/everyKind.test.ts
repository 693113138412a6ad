/** A polled and a delivered message or comment are the same item, whatever hangs on it. */
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { enclosures, type Enclosure } from "../../src/sandbox/Writing.ts"
import { connectedWorld } from "./connectedWorld.ts"

const onComments: Record<"instagram" | "facebook", ReadonlyArray<Enclosure>> = {
  instagram: ["gif", "sticker"],
  facebook: ["image", "video", "gif", "sticker"]
}

/** What a reader sees and what merging goes by; Instagram's comments carry the time of their batch. */
const asItem = (posted: Posted) => ({
  source: posted.source,
  id: posted.externalId,
  thread: posted.threadKey._tag === "Known" ? posted.threadKey.key : posted.threadKey.parentExternalId,
  parent: Option.getOrNull(posted.parentExternalId),
  post: Option.getOrNull(posted.linkedPostId),
  author: Option.getOrNull(posted.author.id),
  isOwn: posted.isOwn,
  body: posted.body,
  attachments: posted.attachments
})

const inOrder = (all: ReadonlyArray<Posted>) => all.map(asItem).toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** By kind, of a message: what an item shows. */
const expected: Record<Enclosure, string> = {
  image: "image",
  video: "video",
  audio: "audio",
  file: "file",
  share: "share",
  story_reply: "story",
  sticker: "image",
  like: "image",
  gif: "image",
  template: "unsupported",
  unsupported: "unsupported"
}

describe("a message and a comment of every kind", () => {
  for (const network of ["instagram", "facebook"] as const) {
    it.live(`are the same on ${network}, polled and delivered`, () =>
      Effect.gen(function* () {
        const { heard, polled, sandbox } = yield* connectedWorld()
        const kinds = enclosures.filter((kind) => network === "instagram" || kind !== "story_reply")
        const byId = new Map<string, string>()
        for (const attachment of kinds) {
          const words = attachment === "story_reply" || attachment === "image" ? "with words" : ""
          // Details are told of the newest twenty of a conversation.
          const { id } = yield* sandbox.message({ network, from: `of ${attachment}`, text: words, attachment })
          byId.set(id, expected[attachment])
        }
        yield* sandbox.message({ network, from: "Ada", text: "words alone" })
        if (network === "instagram") {
          const { id } = yield* sandbox.mention({ network, from: "Ada", text: "" })
          byId.set(id, "story")
        }
        for (const attachment of onComments[network]) {
          yield* sandbox.comment({ network, from: "Bo", text: "", attachment })
          yield* sandbox.comment({ network, from: "Cy", text: "with words", attachment })
        }
        const told = inOrder((yield* heard).filter((one) => one._tag === "Posted"))
        assert.strictEqual(told.length, byId.size + 1 + 2 * onComments[network].length)
        for (const { attachments, body, id, source } of told) {
          const [first, ...more] = attachments
          const kind = byId.get(id)
          assert.deepStrictEqual(more, [], id)
          if (kind !== undefined) assert.strictEqual(first?.type, kind)
          // Nothing is an item of which a reader sees nothing.
          assert.isTrue(body !== "" || first !== undefined, `${source} ${id}`)
          if (first !== undefined && first.type !== "unsupported") assert.isNotNull(first.url, `${kind} ${id}`)
        }
        assert.deepStrictEqual(inOrder((yield* polled(network)).filter((one) => one._tag === "Posted")), told)
      })
    )
  }
})
