import { assert, describe, it } from "vitest"
import { Loopbox } from "../src/index.ts"

const job = { id: "mpj_1", status: "succeeded", progress: 1, output_media_id: "med_3", error: null }

describe("conversions.convert", () => {
  it("takes the id of a GIF that the host has: a call under a key can be made again", async () => {
    const sent: Array<string> = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init?.method !== "POST") return new Response("video", { headers: { "content-type": "video/mp4" } })
      const key = new Headers(init.headers).get("idempotency-key")
      sent.push(`${new URL(String(input)).pathname} ${key} ${String(init.body)}`)
      return Response.json({ data: job, request_id: "req_1" })
    }
    const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", fetch })
    for (let call = 0; call < 2; call++) {
      const video = await loopbox.conversions.convert("med_1", { idempotencyKey: "our-cat" })
      assert.strictEqual(video.job.output_media_id, "med_3")
    }
    const submitted = '/v1/media/gif-conversions our-cat {"gif_media_id":"med_1"}'
    assert.deepStrictEqual(sent, [submitted, submitted])
  })
})
