/** The exact requests by which posts are published, and answers as the networks' documents have them. */
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { connected } from "../loopback.ts"
import type { Answer, Received } from "../loopback.ts"
import { accessTo } from "../support.ts"
import { mediaOf, prepared, publicationOf, publishOf, whileTimePasses } from "./driving.ts"

const access = accessTo("111", "our_account")

const file = (kind: "image" | "gif" | "video", contentType: string, size = 9) =>
  mediaOf({
    kind,
    contentType,
    bytes: new Uint8Array(size).fill(65),
    link: `https://us.example/${kind}`,
    altText: "seen"
  })
const image = file("image", "image/jpeg")
const video = file("video", "video/mp4")

/** A form, a query or JSON as one object; of a form with a file the names of its parts in their order. */
const inputsOf = ({ body, headers, query }: Received): unknown => {
  const type = headers["content-type"] ?? ""
  if (type.startsWith("application/json")) return JSON.parse(body)
  if (type.startsWith("multipart/"))
    return [...body.matchAll(/name="([a-z_]+)"(?:;[^\r]*)?\r\n(?:[^\r]+\r\n)*\r\n([^\r]*)/g)].map(
      ([, name, value]) => `${name}=${value}`
    )
  return Object.fromEntries([...query, ...(type.startsWith("application/x-www-form") ? new URLSearchParams(body) : [])])
}

const shown = (request: Received) => [`${request.method} ${request.path}`, inputsOf(request)] as const

/** Publishes at a network that answers by what is asked; the requests. */
const requestsOf = Effect.fnUntraced(function* (
  network: Network,
  publication: Publication,
  answer: (request: Received, nth: number) => Answer,
  as: AccountAccess = access
) {
  let nth = 0
  const { connectors, received } = yield* connected((request) => answer(request, nth++))
  const publish = publishOf(connectorTo(connectors, network))
  const preparation = yield* prepared(publish, as, publication)
  const published = yield* whileTimePasses(publish.publish(as, publication, preparation))
  return { received, requests: received.map(shown), published }
})

const json = (body: unknown): Answer => ({ body })

describe("what Instagram is asked", () => {
  const answer = ({ method, path }: Received, nth: number): Answer => {
    if (path.endsWith("/media_publish")) return json({ id: "17900" })
    return method === "POST" ? json({ id: `180${nth}` }) : json({ status_code: "FINISHED", id: "1" })
  }

  it.effect("of an image", () =>
    Effect.gen(function* () {
      const { published, requests } = yield* requestsOf("instagram", publicationOf("image", "hello", [image]), answer)
      assert.deepStrictEqual(requests, [
        ["POST /ig/v25.0/111/media", { image_url: "https://us.example/image", alt_text: "seen", caption: "hello" }],
        ["GET /ig/v25.0/1800", { fields: "status_code,status" }],
        ["POST /ig/v25.0/111/media_publish", { creation_id: "1800" }]
      ])
      assert.deepStrictEqual(published, { externalId: "17900", url: Option.none(), postIds: ["17900"] })
    })
  )

  it.effect("of a reel and of a story, which has no words", () =>
    Effect.gen(function* () {
      const reel = publicationOf("reel", "moving", [video], { share_to_feed: false })
      assert.deepStrictEqual((yield* requestsOf("instagram", reel, answer)).requests[0], [
        "POST /ig/v25.0/111/media",
        { media_type: "REELS", caption: "moving", share_to_feed: "false", video_url: "https://us.example/video" }
      ])
      const story = publicationOf("story", "moving", [video])
      assert.deepStrictEqual((yield* requestsOf("instagram", story, answer)).requests[0], [
        "POST /ig/v25.0/111/media",
        { media_type: "STORIES", video_url: "https://us.example/video" }
      ])
    })
  )

  it.effect("of a carousel: each part, whether its video is ready, then the whole", () =>
    Effect.gen(function* () {
      const { requests } = yield* requestsOf("instagram", publicationOf("carousel", "both", [image, video]), answer)
      assert.deepStrictEqual(requests, [
        [
          "POST /ig/v25.0/111/media",
          { image_url: "https://us.example/image", alt_text: "seen", is_carousel_item: "true" }
        ],
        [
          "POST /ig/v25.0/111/media",
          { video_url: "https://us.example/video", is_carousel_item: "true", media_type: "VIDEO" }
        ],
        ["GET /ig/v25.0/1801", { fields: "status_code,status" }],
        ["POST /ig/v25.0/111/media", { media_type: "CAROUSEL", children: "1800,1801", caption: "both" }],
        ["GET /ig/v25.0/1803", { fields: "status_code,status" }],
        ["POST /ig/v25.0/111/media_publish", { creation_id: "1803" }]
      ])
    })
  )

  it.effect("through a Page at Facebook's host", () =>
    Effect.gen(function* () {
      const through = { ...access, login: Option.some("facebook" as const), throughAccountId: Option.some("222") }
      const { requests } = yield* requestsOf("instagram", publicationOf("image", "", [image]), answer, through)
      assert.deepStrictEqual(
        requests.map(([where]) => where),
        ["POST /fb/v25.0/111/media", "GET /fb/v25.0/1800", "POST /fb/v25.0/111/media_publish"]
      )
    })
  )
})

describe("what a Page is asked", () => {
  it.effect("of words, a link and photos, which are put up first", () =>
    Effect.gen(function* () {
      const answer = ({ path }: Received, nth: number) => json({ id: path.endsWith("/feed") ? "111_9" : `30${nth}` })
      const link = publicationOf("link", "look", [], { link: "https://a.example/" })
      const { published, requests } = yield* requestsOf("facebook", link, answer)
      assert.deepStrictEqual(requests, [["POST /fb/v25.0/111/feed", { message: "look", link: "https://a.example/" }]])
      assert.deepStrictEqual(published, {
        externalId: "111_9",
        url: Option.some("https://www.facebook.com/111_9"),
        postIds: ["111_9"]
      })
      const photos = yield* requestsOf("facebook", publicationOf("photos", "two", [image, image]), answer)
      const photo = { url: "https://us.example/image", published: "false", alt_text_custom: "seen" }
      assert.deepStrictEqual(photos.requests, [
        ["POST /fb/v25.0/111/photos", photo],
        ["POST /fb/v25.0/111/photos", photo],
        [
          "POST /fb/v25.0/111/feed",
          { message: "two", "attached_media[0]": '{"media_fbid":"300"}', "attached_media[1]": '{"media_fbid":"301"}' }
        ]
      ])
    })
  )

  it.effect("of a video, by its address", () =>
    Effect.gen(function* () {
      const publication = publicationOf("video", "moving", [video], { title: "A title" })
      const { published, requests } = yield* requestsOf("facebook", publication, () => json({ id: "400" }))
      assert.deepStrictEqual(requests, [
        ["POST /fb/v25.0/111/videos", { description: "moving", title: "A title", file_url: "https://us.example/video" }]
      ])
      assert.deepStrictEqual(published, { externalId: "400", url: Option.none(), postIds: ["400"] })
    })
  )

  it.effect("of a reel: its bytes with their length, and then that it be published, which counts once it is", () =>
    Effect.gen(function* () {
      const phases = { publishing_phase: { status: "completed" }, processing_phase: { status: "completed" } }
      const answer = ({ body, headers, method, path }: Received): Answer => {
        if (path.startsWith("/fb/upload")) return json({ success: true })
        if (method === "GET") return json({ id: "500", status: phases, post_id: "9", permalink_url: "/reel/500/" })
        const upload_url = `http://${headers.host}/fb/upload/500`
        return json(body.includes("start") ? { video_id: "500", upload_url } : { success: true })
      }
      const { published, received, requests } = yield* requestsOf(
        "facebook",
        publicationOf("reel", "moving", [video]),
        answer
      )
      assert.deepStrictEqual(requests, [
        ["POST /fb/v25.0/111/video_reels", { upload_phase: "start" }],
        ["POST /fb/upload/500", {}],
        [
          "POST /fb/v25.0/111/video_reels",
          { upload_phase: "finish", video_id: "500", video_state: "PUBLISHED", description: "moving" }
        ],
        ["GET /fb/v25.0/500", { fields: "status,post_id,permalink_url,published" }]
      ])
      const { body, headers } = received[1] ?? assert.fail("nothing was uploaded")
      assert.strictEqual(body, "A".repeat(9))
      assert.deepStrictEqual(
        [headers.offset, headers["file_size"], headers["content-length"], headers["transfer-encoding"]],
        ["0", "9", "9", undefined]
      )
      assert.strictEqual(headers.authorization, "OAuth token-of-the-account")
      assert.deepStrictEqual(published, {
        externalId: "500",
        url: Option.some("https://www.facebook.com/reel/500/"),
        postIds: ["500", "111_9"]
      })
    })
  )

  it.effect("never to send a token and a file to a host that is none of Meta's", () =>
    Effect.gen(function* () {
      const answer = () => json({ video_id: "500", upload_url: "https://elsewhere.example/500" })
      const exit = yield* Effect.exit(requestsOf("facebook", publicationOf("reel", "", [video]), answer))
      const failure = Option.getOrNull(Exit.findErrorOption(exit))
      assert.strictEqual(failure?._tag, "PreparationFailed")
    })
  )
})

describe("what Threads is asked", () => {
  const answer = ({ method, path }: Received, nth: number): Answer => {
    if (path.endsWith("/threads_publish")) return json({ id: "17900" })
    return method === "POST" ? json({ id: `180${nth}` }) : json({ status: "FINISHED", id: "1" })
  }

  it.effect("of words, an image, a video and a carousel", () =>
    Effect.gen(function* () {
      const first = Effect.fnUntraced(function* (publication: Publication) {
        const { requests } = yield* requestsOf("threads", publication, answer)
        assert.strictEqual(requests[0]?.[0], "POST /th/v1.0/me/threads")
        return requests
      })
      const words = yield* first(publicationOf("text", "hello", [], { reply_control: "everyone", topic_tag: "cats" }))
      assert.deepStrictEqual(words, [
        [
          "POST /th/v1.0/me/threads",
          { media_type: "TEXT", text: "hello", reply_control: "everyone", topic_tag: "cats" }
        ],
        ["GET /th/v1.0/1800", { fields: "id,status,error_message" }],
        ["POST /th/v1.0/me/threads_publish", { creation_id: "1800" }]
      ])
      const seen = { image_url: "https://us.example/image", alt_text: "seen" }
      assert.deepStrictEqual((yield* first(publicationOf("image", "", [image])))[0]?.[1], {
        media_type: "IMAGE",
        ...seen
      })
      const moving = { video_url: "https://us.example/video", alt_text: "seen" }
      assert.deepStrictEqual((yield* first(publicationOf("video", "x", [video])))[0]?.[1], {
        media_type: "VIDEO",
        text: "x",
        ...moving
      })
      const both = yield* first(publicationOf("carousel", "both", [image, video]))
      assert.deepStrictEqual(
        both.filter(([where]) => where.endsWith("/threads")).map(([, form]) => form),
        [
          { media_type: "IMAGE", is_carousel_item: "true", ...seen },
          { media_type: "VIDEO", is_carousel_item: "true", ...moving },
          { media_type: "CAROUSEL", children: "1800,1801", text: "both" }
        ]
      )
    })
  )
})

describe("what X is asked", () => {
  const upload = { id: "700", media_key: "3_700", expires_after_secs: 86_400 }

  it.effect("of images: each at once with its category first, its alt text, then the post", () =>
    Effect.gen(function* () {
      const answer = ({ path }: Received) =>
        path.endsWith("/tweets") ? { status: 201, body: { data: { id: "900", text: "two" } } } : json({ data: upload })
      const publication = publicationOf("image", "one", [image], { reply_settings: "following" })
      const { published, requests } = yield* requestsOf("x", publication, answer)
      assert.deepStrictEqual(requests, [
        ["POST /x/2/media/upload", ["media_category=tweet_image", "media=AAAAAAAAA"]],
        ["POST /x/2/media/metadata", { id: "700", metadata: { alt_text: { text: "seen" } } }],
        ["POST /x/2/tweets", { text: "one", media: { media_ids: ["700"] }, reply_settings: "following" }]
      ])
      assert.deepStrictEqual(published.url, Option.some("https://x.com/our_account/status/900"))
    })
  )

  it.effect("of a video: pieces of 4 MB from a stream, then its state as often as X says, then the post", () =>
    Effect.gen(function* () {
      const large = file("video", "video/mp4", 4 * 1024 * 1024 + 1)
      const answer = ({ method, path }: Received): Answer => {
        if (path.endsWith("/tweets")) return { status: 201, body: { data: { id: "900", text: "" } } }
        if (path.endsWith("/append")) return json({ data: { expires_at: 1 } })
        const state = method === "GET" ? "succeeded" : "pending"
        const processing_info = path.endsWith("/initialize") ? {} : { processing_info: { state, check_after_secs: 3 } }
        return json({ data: { ...upload, ...processing_info } })
      }
      const { received, requests } = yield* requestsOf("x", publicationOf("video", "", [large]), answer)
      assert.deepStrictEqual(
        requests.filter(([where]) => !where.endsWith("/append")),
        [
          [
            "POST /x/2/media/upload/initialize",
            { media_type: "video/mp4", total_bytes: 4_194_305, media_category: "tweet_video" }
          ],
          ["POST /x/2/media/upload/700/finalize", {}],
          ["GET /x/2/media/upload", { command: "STATUS", media_id: "700" }],
          ["POST /x/2/tweets", { media: { media_ids: ["700"] } }]
        ]
      )
      const pieces = received.filter(({ path }) => path.endsWith("/append"))
      assert.deepStrictEqual(
        pieces.map(({ body }) => [/segment_index"\r\n\r\n(\d+)/.exec(body)?.[1], body.match(/A/g)?.length]),
        [
          ["0", 4_194_304],
          ["1", 1]
        ]
      )
    })
  )
})
