import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { apiFaultKinds } from "../../src/sandbox/faults/ApiFaults.ts"
import { at, codeOf, ids, listAt, served } from "./served.ts"
import type { Answered, Asked } from "./served.ts"

type World = Effect.Success<ReturnType<typeof served>>

/** How each network is answered to, and whether the answer is there afterwards. */
interface Answering {
  readonly endpoint: string
  readonly path: string
  readonly asked: Asked
}

const answering: Record<Network, (world: World) => Effect.Effect<Answering, Error>> = {
  instagram: Effect.fnUntraced(function* ({ sandbox }: World) {
    const { id } = yield* sandbox.comment({ network: "instagram", from: "Ada", text: "hi" })
    return { endpoint: "reply", path: `/${id}/replies`, asked: { form: { message: "answer" } } }
  }),
  facebook: Effect.fnUntraced(function* ({ ask, sandbox }: World) {
    yield* sandbox.message({ network: "facebook", from: "Ada", text: "hi" })
    const { body } = yield* ask("facebook", "GET", "/me/conversations", { query: { fields: "participants" } })
    const recipient = { id: at(body, "data", 0, "participants", "data", 0, "id") }
    return { endpoint: "send", path: "/me/messages", asked: { json: { recipient, message: { text: "answer" } } } }
  }),
  threads: Effect.fnUntraced(function* ({ ask, control }: World) {
    yield* control("settings", { container_delay_ms: 0 })
    const { body } = yield* ask("threads", "POST", "/me/threads", { form: { media_type: "TEXT", text: "answer" } })
    return {
      endpoint: "publish",
      path: "/me/threads_publish",
      asked: { form: { creation_id: String(at(body, "id")) } }
    }
  }),
  x: Effect.fnUntraced(function* ({ sandbox }: World) {
    const { id } = yield* sandbox.mention({ network: "x", from: "Ada", text: "hi" })
    return {
      endpoint: "create_tweet",
      path: "/tweets",
      asked: { json: { text: "answer", reply: { in_reply_to_tweet_id: id } } }
    }
  })
}

/** What comes of each fault, and whether the network did what it was asked. */
const outcomes: Record<(typeof apiFaultKinds)[number], readonly [graph: string, x: string, done: boolean]> = {
  rate_limit: ["400 4", "429 Too Many Requests", false],
  server_error: ["500 2", "503 Service Unavailable", false],
  server_error_after: ["500 2", "503 Service Unavailable", true],
  hang: ["nothing", "nothing", false],
  hang_after: ["nothing", "nothing", true],
  reset: ["nothing", "nothing", false],
  reset_after: ["nothing", "nothing", true],
  truncated: ["200 unreadable", "201 unreadable", true],
  html: ["200 unreadable", "200 unreadable", false],
  html_after: ["200 unreadable", "200 unreadable", true],
  token_expired: ["400 190/463", "401 Unauthorized", false],
  scope_removed: ["403 10", "403 Forbidden", false],
  credits_depleted: ["200 done", "402 CreditsDepleted", false],
  error_though_sent: ["500 1/1357046", "503 Service Unavailable", true],
  refused: ["400 100", "403 Forbidden", false],
  refused_after: ["400 100", "403 Forbidden", true],
  // A reply is not processed.
  fails_later: ["200 done", "201 undefined", true]
}

const wordsOf = (network: Network, answered: Answered): string => {
  if (answered.body === undefined) return `${answered.status} unreadable`
  if (network === "x") return `${answered.status} ${String(at(answered.body, "title"))}`
  return at(answered.body, "error") === undefined ? `${answered.status} done` : codeOf(answered)
}

/** Asks, and gives up where nothing comes: soon where that is ordered, for nothing would come later. */
const outcomeOf = Effect.fnUntraced(function* (
  { ask, sandbox }: World,
  network: Network,
  { asked, path }: { readonly path: string; readonly asked: Asked },
  isHanging: boolean
) {
  const before = sandbox.api.listRequests().length
  const gaveUp = new AbortController()
  const asking = yield* Effect.forkChild(Effect.exit(ask(network, "POST", path, { ...asked, signal: gaveUp.signal })), {
    startImmediately: true
  })
  if (isHanging) {
    // The request is noted in the step that decides about it, so nothing comes after that.
    while (sandbox.api.listRequests().length === before) yield* Effect.promise(() => new Promise(setImmediate))
    gaveUp.abort()
  }
  const exit = yield* Fiber.join(asking)
  return Exit.isSuccess(exit) ? wordsOf(network, exit.value) : "nothing"
})

describe("Sandbox: faults of the APIs", () => {
  for (const network of ["instagram", "facebook", "threads", "x"] as const) {
    for (const kind of apiFaultKinds) {
      const [graph, x, done] = outcomes[kind]
      it.effect(`${network}: ${kind}`, () =>
        Effect.gen(function* () {
          const world = yield* served()
          const { endpoint, ...request } = yield* answering[network](world)
          const fault = { network, endpoint, kind, times: 1 }
          assert.strictEqual((yield* world.control("faults", fault)).status, 201)
          assert.deepStrictEqual((yield* world.control("faults")).body, [fault])
          const before = (yield* world.told).length
          assert.strictEqual(
            yield* outcomeOf(world, network, request, kind.startsWith("hang")),
            network === "x" ? x : graph
          )
          const isDone = done || (kind === "credits_depleted" && network !== "x")
          const sent = listAt((yield* world.control("sent")).body).map((one) => at(one, "text"))
          assert.deepStrictEqual(sent, isDone ? ["answer"] : [])
          // A post of one's own is no webhook of Threads'.
          assert.strictEqual((yield* world.told).length - before, isDone && network !== "threads" ? 1 : 0)
          assert.deepStrictEqual((yield* world.control("faults")).body, [])
          const requests = listAt((yield* world.control("requests")).body)
          assert.strictEqual(at(requests.at(-1), "fault"), kind)
          assert.strictEqual(at(requests.at(-1), "network_account_id"), ids[network])
        })
      )
    }
  }

  it.effect("say how long a rate limit lasts, or nothing of it", () =>
    Effect.gen(function* () {
      const { ask, control } = yield* served()
      yield* control("faults", { network: "x", endpoint: "me", kind: "rate_limit", times: 1, retry_after_s: 60 })
      const told = yield* ask("x", "GET", "/users/me")
      assert.deepStrictEqual(
        ["x-rate-limit-remaining", "x-rate-limit-reset", "retry-after"].map((name) => told.headers.get(name)),
        ["0", "60", "60"]
      )
      yield* control("faults", { network: "facebook", kind: "rate_limit", times: 1, retry_after_s: 0 })
      const untold = yield* ask("facebook", "GET", "/me")
      assert.strictEqual(untold.headers.get("retry-after"), null)
      assert.strictEqual((yield* ask("facebook", "GET", "/me")).status, 200)
    })
  )

  it.effect(
    "meet one endpoint, one account, or a part of the requests that the seed chooses; until they are cleared",
    () =>
      Effect.gen(function* () {
        const statuses = Effect.fnUntraced(function* (seed: number) {
          const { ask, control } = yield* served({ seed })
          yield* control("faults", { network: "x", endpoint: "me", kind: "server_error", percent: 50 })
          assert.strictEqual((yield* ask("x", "GET", "/tweets", { query: { ids: "1" } })).status, 200)
          const asked = yield* Effect.forEach(Array.from({ length: 20 }), () => ask("x", "GET", "/users/me"))
          assert.deepStrictEqual((yield* control("faults/clear", { network: "instagram" })).body, { cleared: 0 })
          assert.deepStrictEqual((yield* control("faults/clear", { network: "x" })).body, { cleared: 1 })
          assert.strictEqual((yield* ask("x", "GET", "/users/me")).status, 200)
          return asked.map(({ status }) => status)
        })
        const first = yield* statuses(1)
        assert.deepStrictEqual(yield* statuses(1), first)
        assert.notDeepEqual(yield* statuses(2), first)
        assert.deepStrictEqual([...new Set(first)].toSorted(), [200, 503])
        const { ask, control } = yield* served()
        yield* control("faults", { network: "facebook", account_id: "another", kind: "server_error" })
        assert.strictEqual((yield* ask("facebook", "GET", "/me")).status, 200)
        yield* control("faults", { network: "facebook", account_id: ids["facebook"], kind: "server_error" })
        assert.strictEqual((yield* ask("facebook", "GET", "/me")).status, 500)
        const refused = yield* control("faults", { network: "x", endpoint: "coffee", kind: "hang" })
        assert.strictEqual(refused.status, 409)
        assert.strictEqual((yield* control("faults", { network: "x", kind: "coffee" })).status, 400)
      })
  )
})
