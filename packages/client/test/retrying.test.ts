import { assert, describe, it } from "vitest"
import { Loopbox, LoopboxError } from "../src/index.ts"
import { retryAfterOf, retryDelay } from "../src/retrying.ts"

const answer = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ error: { code, message: "no" }, request_id: "req_1" }), {
    status,
    headers: { "content-type": "application/json", ...headers }
  })

/** A client whose host answers the same each time, and the methods that it was asked with. */
const refusedBy = (status: number, code: string, headers: Record<string, string> = { "retry-after": "0" }) => {
  const calls: Array<string> = []
  const fetch: typeof globalThis.fetch = (_, init) => {
    calls.push(init?.method ?? "")
    return Promise.resolve(answer(status, code, headers))
  }
  return { calls, loopbox: new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", fetch }) }
}

const fail = async (run: PromiseLike<unknown>): Promise<LoopboxError> => {
  try {
    await run
  } catch (error) {
    if (error instanceof LoopboxError) return error
    throw error
  }
  return assert.fail("nothing failed")
}

describe("retries (design §10)", () => {
  const gif_media_id = "med_1"
  it("are made of reads, and of writes under a key", async () => {
    for (const [status, code] of [
      [429, "RATE_LIMITED"],
      [503, "TEMPORARILY_UNAVAILABLE"]
    ] as const) {
      const { calls, loopbox } = refusedBy(status, code)
      await fail(loopbox.media.list())
      assert.deepStrictEqual(calls.splice(0), ["GET", "GET", "GET"])
      await fail(loopbox.conversions.create({ gif_media_id }, { idempotencyKey: "k" }))
      assert.deepStrictEqual(calls.splice(0), ["POST", "POST", "POST"])
    }
  })

  it("are not made of writes without a key, nor of other refusals, nor of bytes that can't be sent twice", async () => {
    const busy = refusedBy(503, "TEMPORARILY_UNAVAILABLE")
    await fail(busy.loopbox.conversions.create({ gif_media_id }))
    await fail(busy.loopbox.media.remove("med_1"))
    const stream = new ReadableStream<Uint8Array>({ start: (one) => one.close() })
    await fail(busy.loopbox.media.upload(stream, { contentType: "image/gif", idempotencyKey: "k" }))
    assert.deepStrictEqual(busy.calls, ["POST", "DELETE", "POST"])
    for (const [status, code] of [
      [400, "VALIDATION_ERROR"],
      [409, "X_WRITE_OUTCOME_PENDING"],
      [500, "INTERNAL_ERROR"],
      [502, "PLATFORM_ERROR"]
    ] as const) {
      const { calls, loopbox } = refusedBy(status, code)
      await fail(loopbox.media.list())
      assert.deepStrictEqual(calls, ["GET"])
    }
  })

  it("are made of anything that has not run", async () => {
    const { calls, loopbox } = refusedBy(500, "INBOX_SCOPE_LOOKUP_FAILED", { "retry-after": "0" })
    await fail(loopbox.inbox.markAllRead({ inbox_scope: "workspace" }))
    assert.deepStrictEqual(calls, ["POST", "POST", "POST"])
  })

  it("are left to the caller where the host asks for more than 20 seconds", async () => {
    const { calls, loopbox } = refusedBy(429, "gif_conversion_rate_limit_exceeded", { "retry-after": "86394" })
    const error = await fail(loopbox.conversions.create({ gif_media_id }, { idempotencyKey: "k" }))
    assert.deepInclude({ ...error }, { retryAfter: 86_394, requestId: "req_1" })
    assert.deepStrictEqual(calls, ["POST"])
  })

  it("end at once when the caller aborts", async () => {
    const { calls, loopbox } = refusedBy(503, "TEMPORARILY_UNAVAILABLE", { "retry-after": "15" })
    const controller = new AbortController()
    const listing = loopbox.media.list({}, { signal: controller.signal }).catch((error: unknown) => error)
    await new Promise((done) => setImmediate(done))
    controller.abort(new Error("enough"))
    assert.strictEqual(String(await listing), "Error: enough")
    assert.deepStrictEqual(calls, ["GET"])
  })

  it("wait what the host says, and a little of chance; or anything up to a ceiling that doubles", () => {
    const attempt = { method: "GET", hasKey: false, isReplayable: true, tries: 1 }
    const busy = (retryAfter: number | null) => new LoopboxError("", { status: 503, code: "X", retryAfter })
    for (let i = 0; i < 200; i++) {
      const said = retryDelay(busy(3), attempt, 2) ?? 0
      assert.isTrue(said >= 3_000 && said <= 3_500)
      for (const [tries, ceiling] of [
        [1, 250],
        [2, 500],
        [20, 8_000]
      ] as const) {
        const delay = retryDelay(busy(null), { ...attempt, tries }, 30) ?? -1
        assert.isTrue(delay >= 0 && delay <= ceiling)
      }
    }
    assert.isUndefined(retryDelay(busy(3), { ...attempt, tries: 3 }, 2))
    assert.isUndefined(retryDelay(busy(21), attempt, 2))
    const timeOut = new LoopboxError("", { status: 0, code: "TIMED_OUT" })
    assert.isUndefined(retryDelay(timeOut, { ...attempt, hasKey: true }, 2))
  })

  it("read Retry-After as seconds and as a date", () => {
    assert.strictEqual(retryAfterOf("7", null), 7)
    assert.strictEqual(retryAfterOf("Mon, 23 Nov 2026 07:00:30 GMT", "Mon, 23 Nov 2026 07:00:00 GMT"), 30)
    assert.isNull(retryAfterOf("soon", null))
    assert.isNull(retryAfterOf(null, null))
  })
})

describe("answers", () => {
  const answering = (response: () => Response | Promise<Response>) =>
    new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", retries: 0, fetch: async () => response() })

  it("that are none of the API's are failures with what there is", async () => {
    const html = answering(() => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }))
    assert.deepInclude({ ...(await fail(html.media.list())) }, { status: 502, code: "INVALID_ANSWER", details: {} })
    const other = answering(() => new Response('{"hello":1}', { headers: { "content-type": "application/json" } }))
    assert.deepInclude({ ...(await fail(other.media.list())) }, { status: 200, code: "INVALID_ANSWER" })
  })

  it("that are a page and say 200 are no success of any call", async () => {
    const page = answering(() => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }))
    const wrong = { status: 200, code: "INVALID_ANSWER" }
    const scope = { inbox_scope: "workspace" } as const
    for (const run of [
      () => page.inbox.list(scope),
      () => page.inbox.find("itm_1", scope),
      () => page.inbox.markRead("itm_1", scope),
      () => page.posts.create({ text: "hi", targets: [] }),
      () => page.media.upload(new Blob(["GIF89a"])),
      () => page.media.content("med_1"),
      () => page.request("GET", "/v1/inbox/{id}", { params: { path: { id: "itm_1" } } }),
      () => page.request("GET", "/v1/not/yet")
    ]) {
      const error = await fail(run())
      assert.deepInclude({ ...error }, wrong)
      assert.include(error.message, "not that of a host")
    }
  })

  it("that are empty are a success only where nothing is to be told", async () => {
    const empty = answering(() => new Response(null, { status: 204 }))
    const wrong = { status: 204, code: "INVALID_ANSWER" }
    assert.deepInclude({ ...(await fail(empty.inbox.find("itm_1", { inbox_scope: "workspace" }))) }, wrong)
    assert.deepInclude({ ...(await fail(empty.media.content("med_1"))) }, wrong)
    const path = { id: "itm_1" }
    assert.deepInclude({ ...(await fail(empty.request("GET", "/v1/inbox/{id}", { params: { path } }))) }, wrong)
    assert.isUndefined(await empty.inbox.markRead("itm_1", { inbox_scope: "workspace" }))
    assert.isUndefined(await empty.posts.remove("pst_1"))
    assert.isUndefined((await empty.request("DELETE", "/v1/posts/pst_1")).data)
  })

  it("that are a file are given where a file is asked for", async () => {
    const file = answering(() => new Response("video", { headers: { "content-type": "video/mp4" } }))
    assert.strictEqual(await (await file.media.content("med_1")).text(), "video")
    const { data } = await file.request("GET", "/v1/media/{id}/content", { params: { path: { id: "med_1" } } })
    assert.strictEqual(await data.text(), "video")
    const { response } = await file.request("GET", "/v1/media/med_1/content")
    assert.strictEqual(await response.text(), "video")
    assert.deepInclude({ ...(await fail(file.media.find("med_1"))) }, { status: 200, code: "INVALID_ANSWER" })
  })

  it("that carry an error although they are a success are failures", async () => {
    const loopbox = answering(() => answer(202, "X_REMOTE_ACCEPTED_RECONCILING"))
    const error = await fail(loopbox.outbound.reply("itm_1", { text: "hi" }))
    assert.deepInclude({ ...error }, { status: 202, code: "X_REMOTE_ACCEPTED_RECONCILING" })
  })

  it("that do not come in time are failures, and so is a host that can't be reached", async () => {
    const silent = new Loopbox({
      baseUrl: "http://127.0.0.1:1",
      timeout: 5,
      fetch: (_, init) => new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error())))
    })
    assert.deepInclude({ ...(await fail(silent.media.list())) }, { status: 0, code: "TIMED_OUT" })
    const gone = answering(() => Promise.reject(new TypeError("fetch failed")))
    const error = await fail(gone.media.list())
    assert.deepInclude({ ...error }, { status: 0, code: "CONNECTION_FAILED" })
    assert.strictEqual(String(error.cause), "TypeError: fetch failed")
  })
})
