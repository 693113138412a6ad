import { afterEach, assert, describe, it, vi } from "vitest"
import { Loopbox, LoopboxError } from "../src/index.ts"

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

  it("refuses a path, and what is no file, before anything is sent", async () => {
    const fetch = () => assert.fail("something was sent")
    const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", fetch })
    const none: unknown = undefined
    for (const work of [
      () => loopbox.conversions.convert("cat.gif"),
      // @ts-expect-error what a caller without types may give
      () => loopbox.conversions.convert(none),
      () => loopbox.overlays.layOver("med_1", "sound.mp3")
    ]) {
      const error: unknown = await work().catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
      assert.match(String(error), /no bytes and no id: (cat\.gif|undefined|sound\.mp3)$/)
    }
  })
})

describe("the wait for a job", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const refused = (status: number, code: string) => Response.json({ error: { code, message: "no" } }, { status })

  /** Converts with a host whose polls answer so, one after the other, and the last of them for ever. */
  const convertWith = async (polls: ReadonlyArray<() => Response>, signal?: AbortSignal) => {
    vi.useFakeTimers()
    let polled = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init?.method === "POST") return Response.json({ data: { ...job, status: "queued", progress: 0 } })
      if (String(input).endsWith("/content")) return new Response("video", { headers: { "content-type": "video/mp4" } })
      return (polls[Math.min(polled++, polls.length - 1)] ?? (() => assert.fail("one poll too many")))()
    }
    const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", retries: 0, fetch })
    const outcome = loopbox.conversions.convert("med_1", { signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(16 * 60_000)
    return { outcome: await outcome, polled }
  }

  const unreachable = (): Response => {
    throw new TypeError("fetch failed")
  }

  it("goes on while the host is away or busy", async () => {
    const { outcome, polled } = await convertWith([
      unreachable,
      () => refused(503, "TEMPORARILY_UNAVAILABLE"),
      () => refused(429, "RATE_LIMITED"),
      () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
      // What stands in for a host that is being started anew.
      () => new Response("404 page not found", { status: 404, headers: { "content-type": "text/plain" } }),
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      () => Response.json({ data: job })
    ])
    assert.instanceOf(outcome, Blob)
    assert.strictEqual(polled, 7)
  })

  it("ends after 15 minutes all the same, and with a refusal that lasts; each names the job", async () => {
    for (const [poll, status, code] of [
      [unreachable, 0, "TIMED_OUT"],
      [() => refused(401, "UNAUTHORIZED"), 401, "UNAUTHORIZED"]
    ] as const) {
      const { outcome } = await convertWith([poll])
      if (!(outcome instanceof LoopboxError)) return assert.fail("no failure of the client")
      assert.deepInclude({ ...outcome }, { status, code })
      assert.deepInclude({ ...Object(outcome.details["job"]) }, { id: "mpj_1" })
    }
  })
})
