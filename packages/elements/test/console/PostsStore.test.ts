import { Loopbox } from "@loopbox/client"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { emptyPost, mayRetry } from "../../src/console/posts/PostDraft.ts"
import { PostsStore } from "../../src/console/posts/PostsStore.ts"

const judgement = (valid: boolean) => Response.json({ data: { valid, issues: [], warnings: [] }, request_id: "req_1" })

/** A host that answers each judgement when the test says so. */
const makeStore = () => {
  const asked: Array<(answer: Response) => void> = []
  const client = new Loopbox({
    baseUrl: "http://host.test",
    apiKey: "key",
    retries: 0,
    fetch: () => new Promise((resolve) => asked.push(resolve))
  })
  return { asked, store: new PostsStore(client, { workspaceId: "ws_1", onAnswer: () => undefined }, () => undefined) }
}

const draft = { ...emptyPost, text: "Hello", accountIds: ["acc_1"] }
const rest = () => vi.advanceTimersByTimeAsync(600)

describe("how a draft is judged while it is written", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("an answer about what stood there before says nothing about what stands there now", async () => {
    const { asked, store } = makeStore()
    store.judge(draft)
    await rest()
    store.judge({ ...draft, text: "Hello, all" })
    asked[0]?.(judgement(true))
    await vi.advanceTimersByTimeAsync(0)
    assert.isUndefined(store.judgement)
    await rest()
    asked[1]?.(judgement(false))
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(store.judgement, { valid: false, issues: [], warnings: [] })
  })

  it("nor about a form without accounts", async () => {
    const { asked, store } = makeStore()
    store.judge(draft)
    await rest()
    store.judge(emptyPost)
    asked[0]?.(judgement(true))
    await vi.advanceTimersByTimeAsync(0)
    assert.isUndefined(store.judgement)
  })
})

describe("trying a target again", () => {
  const error = {
    code: "network_unavailable" as const,
    message: "",
    retryable: true,
    network_code: null,
    retry_at: null
  }

  it("is offered where the API takes it: failed, and it can help", () => {
    assert.isTrue(mayRetry({ status: "failed", error }))
    assert.isFalse(mayRetry({ status: "failed", error: { ...error, retryable: false } }))
    assert.isFalse(mayRetry({ status: "needs_reconciliation", error }))
    assert.isFalse(mayRetry({ status: "published", error: null }))
  })
})
