import { type ConversionJob, Loopbox } from "@loopbox/client"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { MediaStore } from "../../src/console/media/MediaStore.ts"

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
