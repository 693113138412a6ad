import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { type customer, request } from "./apiClient.ts"
import { sleep, until } from "./hostProcess.ts"
import { walk, workspaceScope } from "./inboxStream.ts"
import { metaDelivery } from "./metaDelivery.ts"

export interface LoadOptions {
  readonly url: string
  readonly key: string
  readonly appSecret: string
  /** The network's id of the Instagram account that comments are delivered to. */
  readonly account: string
  readonly calls: ReturnType<typeof customer>
}

/** Accepted conversions that have not ended, at most; the rest of the load waits for nobody. */
const mostJobs = 4

/** So that each has keys and comments of its own. */
let loads = 0

/** 503, or the one 500 that the interface asks for: the scope could not be looked up, and nothing has run. */
const isUnavailable = ({ headers, status, text }: Awaited<ReturnType<typeof request>>): boolean =>
  headers.has("retry-after") && (status === 503 || (status === 500 && text.includes("INBOX_SCOPE_LOOKUP_FAILED")))

/**
 * Callers that never stop: comments by webhook, conversions under idempotency keys, lists. What is not answered, or answered
 * 503, is repeated as it was. It keeps what was acknowledged and every answer that is none of those that a caller can live with.
 */
export const startLoad = ({ account, appSecret, calls, key, url }: LoadOptions) => {
  loads += 1
  const load = loads
  const delivered: Array<string> = []
  const submitted: Array<string> = []
  const wrong: Array<string> = []
  const counts = { answered: 0, unavailable: 0 }
  let slowest_ms = 0
  let isOver = false

  /** Until it is answered as it should be, or the load is over; then undefined. */
  const insist = async (wanted: number, ask: () => ReturnType<typeof request>) => {
    while (!isOver) {
      const begun = performance.now()
      const answer = await ask().catch(String)
      slowest_ms = Math.max(slowest_ms, performance.now() - begun)
      if (typeof answer === "string") wrong.push(answer)
      else if (answer.status === wanted) {
        counts.answered += 1
        return answer
      } else if (isUnavailable(answer)) counts.unavailable += 1
      else wrong.push(`${answer.status} ${answer.text}`)
      await sleep(100)
    }
    return undefined
  }

  const deliver = async () => {
    for (let at = 0; !isOver; at++) {
      const id = `18${load}${String(at).padStart(14, "0")}`
      const value = { id, text: `Number ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
      const entry = [{ id: account, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
      const webhook = metaDelivery(appSecret, { object: "instagram", entry })
      if (await insist(200, () => request(`${url}/v1/webhooks/meta`, webhook))) delivered.push(id)
      await sleep(20)
    }
  }

  const ended = new Set<string>()
  const countRunning = async (): Promise<number> => {
    const jobs = await Promise.all(submitted.filter((id) => !ended.has(id)).map((id) => calls.job(id)))
    for (const { id, status } of jobs) if (status === "succeeded" || status === "failed") ended.add(id)
    return submitted.length - ended.size
  }
  const convert = async (media: string) => {
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ gif_media_id: media })
    for (let at = 0; !isOver; at++) {
      // What is asked in between may find the database away.
      while (!isOver && (await countRunning().catch(() => mostJobs)) >= mostJobs) await sleep(50)
      const answer = await insist(202, () =>
        request(`${url}/v1/media/gif-conversions`, {
          method: "POST",
          token: key,
          headers: { ...headers, "idempotency-key": `job-${load}-${at}` },
          body
        })
      )
      const id: unknown = Reflect.get(Object(Reflect.get(Object(answer?.json), "data")), "id")
      if (typeof id === "string") submitted.push(id)
    }
  }

  const list = async () => {
    while (!isOver) {
      await insist(200, () => request(`${url}/v1/inbox?${workspaceScope}&limit=20`, { token: key }))
      await sleep(20)
    }
  }

  const running = calls
    .upload(Uint8Array.from(animatedGif([10, 20])))
    .then((media) => Promise.all([deliver(), convert(media), list(), list()]))

  return {
    counts,
    /** What no caller should be answered. */
    wrong,
    slowest: () => Math.round(slowest_ms),
    /** Until so many more requests were answered as they should be. */
    untilAnswered: async (more: number) => {
      const enough = counts.answered + more
      await until("answers", () => (counts.answered >= enough ? true : undefined), 60_000, 20)
    },
    /** Ends the load, and proves that all that was acknowledged is there, once. */
    settle: async () => {
      isOver = true
      await running
      const jobs = await Promise.all(submitted.map((id) => calls.settled(id)))
      assert.strictEqual(new Set(submitted).size, submitted.length)
      assert.deepStrictEqual(
        jobs.filter(({ status }) => status !== "succeeded"),
        []
      )
      const items = await until("all comments", async () => {
        const found = await walk(url, key, workspaceScope)
        const ids = found.map((item) => item.external_id)
        return delivered.every((id) => ids.includes(id)) ? ids : undefined
      })
      assert.strictEqual(new Set(items).size, items.length)
      return { delivered: delivered.length, submitted: submitted.length, ...counts }
    }
  }
}
