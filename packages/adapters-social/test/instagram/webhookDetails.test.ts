/** What Instagram's webhooks say beside the words. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { told } from "../meta/graph.ts"

const entry = (elements: object) =>
  told({ object: "instagram", entry: [{ id: "1784", time: 1_790_000_100_000, ...elements }] })

const message = (message: object) =>
  entry({ messaging: [{ sender: { id: "551" }, recipient: { id: "1784" }, message: { mid: "m", ...message } }] })[0]

const comment = (value: object) => entry({ changes: [{ field: "comments", value: { id: "180", ...value } }] })[0]

describe("Instagram's webhooks", () => {
  it("tell of a story that was shared in a message", () => {
    const payload = { story_media_id: "179", story_media_url: "https://cdn.example/story" }
    assert.deepStrictEqual(message({ attachments: [{ type: "ig_story", payload }] })?.attachments, [
      { type: "story", url: "https://cdn.example/story" }
    ])
  })

  it("tell of a comment without words, which is a picture that moves or a sticker", () => {
    const media = { id: "179" }
    assert.deepStrictEqual(comment({ media })?.attachments, [{ type: "unsupported", url: null }])
    assert.deepStrictEqual(comment({ media, text: "words" })?.attachments, [])
  })

  it("tell of a comment on an ad, which belongs to the post that the ad shows", () => {
    const media = { id: "170", media_product_type: "AD", ad_id: "12", ad_title: "Spring", original_media_id: "179" }
    const posted = comment({ media, text: "price?" })
    assert.deepStrictEqual([posted?.parentExternalId, posted?.linkedPostId], [Option.some("170"), Option.some("179")])
    const dark = comment({ media: { id: "170", ad_id: "12" }, text: "price?" })
    assert.deepStrictEqual(dark?.linkedPostId, Option.some("170"))
  })
})
