import { type ConversionJob, Loopbox } from "@loopbox/client"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { MediaStore } from "../../src/console/media/MediaStore.ts"
import { uploadFile } from "../../src/console/media/uploadFile.ts"

vi.mock("../../src/console/media/uploadFile.ts", () => ({ uploadFile: vi.fn<typeof uploadFile>() }))

const job = (id: string, status: ConversionJob["status"]): ConversionJob => ({
  kind: "gif_to_mp4",
  id,
  status,
  gif_media_id: `med_of_${id}`,
  background_color: "#FFFFFF",
  output_profile: "universal_mp4_v1",
  output_media_id: null,
  progress: null,
  attempts: 0,
  created_at: "2026-11-21T07:00:00.000Z",
  started_at: null,
  completed_at: null,
  error: null
})

/** A host whose jobs these are, the newest first. */
const makeStore = (jobs: ReadonlyArray<ConversionJob>, host = { isAway: false }) => {
  const client = new Loopbox({
    baseUrl: "http://host.test",
    apiKey: "key",
    retries: 0,
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(new Request(input, init).url)
      const status = searchParams.get("status")
      if (host.isAway) return Promise.resolve(Response.json({}, { status: 503 }))
      const found = jobs.find(({ id }) => pathname.endsWith(`/${id}`))
      const data = found ?? jobs.filter((one) => status === null || one.status === status)
      const isGone = found === undefined && pathname.includes("/mpj_")
      if (isGone || pathname.includes("/media/med_")) return Promise.resolve(Response.json({}, { status: 404 }))
      if (pathname.endsWith("/usage")) return Promise.resolve(Response.json({ data: {}, request_id: "req_1" }))
      return Promise.resolve(Response.json({ data, next_cursor: null, request_id: "req_1" }))
    }
  })
  return new MediaStore(client, { workspaceId: "ws_1", onAnswer: () => undefined }, () => undefined)
}

describe("conversions that are looked at", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("are the others' where one was erased meanwhile, and nothing is said of it", async () => {
    const jobs = [job("mpj_2", "processing"), job("mpj_1", "succeeded")]
    const store = makeStore(jobs)
    await store.load()
    jobs.shift()
    await vi.advanceTimersByTimeAsync(1_100)
    assert.deepStrictEqual(
      store.jobs?.map(({ id }) => id),
      ["mpj_1"]
    )
    assert.isUndefined(store.failure)
    store.stop()
  })

  it("stay where the host is away, and are over once it is back", async () => {
    const jobs = [job("mpj_1", "processing")]
    const host = { isAway: false }
    const store = makeStore(jobs, host)
    await store.load()
    host.isAway = true
    await vi.advanceTimersByTimeAsync(1_100)
    assert.isDefined(store.failure)
    assert.strictEqual(store.jobs?.length, 1)
    host.isAway = false
    jobs[0] = job("mpj_1", "succeeded")
    await vi.advanceTimersByTimeAsync(1_100)
    assert.isUndefined(store.failure)
    assert.strictEqual(store.jobs?.[0]?.status, "succeeded")
    store.stop()
  })
})

describe("a conversion's place in the queue", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("is counted from the one that waits longest; what is worked on has none", async () => {
    const [third, second, first] = [job("mpj_3", "queued"), job("mpj_2", "queued"), job("mpj_1", "processing")]
    const store = makeStore([third, second, first])
    await store.load()
    await vi.advanceTimersByTimeAsync(1_100)
    assert.strictEqual(store.placeOf(second), 1)
    assert.strictEqual(store.placeOf(third), 2)
    assert.isUndefined(store.placeOf(first))
    store.stop()
  })
})

describe("a GIF that is submitted again", () => {
  afterEach(() => void vi.mocked(uploadFile).mockReset())

  /** A host that makes a job of each key, and whose answers to submits are these. */
  const makeHost = (answers: Array<"lost" | "gone" | "made">) => {
    const jobs = new Map<string, ConversionJob>()
    let submits = 0
    const client = new Loopbox({
      baseUrl: "http://host.test",
      apiKey: "key",
      retries: 0,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.method !== "POST") return Response.json({ data: {}, next_cursor: null, request_id: "req_1" })
        submits += 1
        const answer = answers.shift()
        if (answer === "gone") {
          return Response.json({ error: { code: "media_not_found", message: "It is gone." } }, { status: 404 })
        }
        const key = request.headers.get("idempotency-key") ?? `none ${submits}`
        const made = jobs.get(key) ?? job(`mpj_${jobs.size + 1}`, "succeeded")
        jobs.set(key, made)
        if (answer === "lost") throw new TypeError("the connection was lost")
        return Response.json({ data: made, request_id: "req_1" }, { status: 202 })
      }
    })
    const store = new MediaStore(client, { workspaceId: "ws_1", onAnswer: () => undefined }, () => undefined)
    let uploads = 0
    vi.mocked(uploadFile).mockImplementation(async () => `med_${++uploads}`)
    const retry = async () => {
      const [upload] = store.uploads
      assert.isDefined(upload?.error)
      if (upload !== undefined) await store.retry(upload)
    }
    return { store, jobs, retry, uploads: () => uploads }
  }
  const gif = new File(["GIF89a"], "cat.gif", { type: "image/gif" })

  it("after its answer was lost is the same job, and is not uploaded again", async () => {
    const { jobs, retry, store, uploads } = makeHost(["lost", "lost", "made"])
    await store.convert(gif, "#ffffff")
    await retry()
    await retry()
    assert.deepStrictEqual([uploads(), jobs.size, store.uploads.length], [1, 1, 0])
    assert.deepStrictEqual(
      store.jobs?.map(({ id }) => id),
      ["mpj_1"]
    )
    store.stop()
  })

  it("is uploaded again where the host has it no more", async () => {
    const { jobs, retry, store, uploads } = makeHost(["gone", "made"])
    await store.convert(gif, "#ffffff")
    await retry()
    assert.deepStrictEqual([uploads(), jobs.size, store.uploads.length], [2, 1, 0])
    store.stop()
  })

  it("makes a job of its own where a file is chosen twice", async () => {
    const { jobs, store, uploads } = makeHost(["made", "made"])
    await store.convert(gif, "#ffffff")
    await store.convert(gif, "#ffffff")
    assert.deepStrictEqual([uploads(), jobs.size], [2, 2])
    store.stop()
  })
})
