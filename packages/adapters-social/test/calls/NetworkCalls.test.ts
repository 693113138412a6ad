import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import { graphUsages } from "../../src/meta/graphUsage.ts"
import { makeNetworkCalls } from "../../src/calls/NetworkCalls.ts"
import type { Limits } from "../../src/calls/NetworkCalls.ts"
import type { JsonAnswer } from "../../src/calls/NetworkClient.ts"
import { notResolvable } from "../../src/calls/notResolvable.ts"
import { xUsages } from "../../src/x/xUsage.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"

/** A network that answers at once, as told; what it was asked is counted. */
const scripted = Effect.fnUntraced(function* (
  answer: () => { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  limits: Limits = { usagesOf: graphUsages }
) {
  const world = { asked: 0 }
  const client = HttpClient.make((request) =>
    Effect.sync(() => {
      world.asked++
      const { headers = {}, status = 200 } = answer()
      return HttpClientResponse.fromWeb(request, new Response("{}", { status, headers }))
    })
  )
  const calls = yield* makeNetworkCalls("facebook", client, {}, limits)
  const callOf = (accountId: string, endpoint = "content") => ({
    url: "http://network.example/1",
    query: {},
    accessToken: Redacted.make("t"),
    accountId,
    endpoint
  })
  const shared = { network: "facebook" as const, networkCode: Option.none(), detail: "" }
  const understand = ({ status }: JsonAnswer): Effect.Effect<number, ReadFailed> => {
    if (status >= 500) return Effect.fail(new Unavailable({ ...shared, reason: "upstream" }))
    return status >= 400 ? Effect.fail(new Rejected({ ...shared, reason: "other" })) : Effect.succeed(status)
  }
  return {
    world,
    calls,
    callOf,
    shared,
    read: (accountId: string, endpoint?: string) => calls.read(callOf(accountId, endpoint), understand),
    write: (accountId: string, endpoint?: string) =>
      calls.write(callOf(accountId, endpoint), { form: { message: "hello" } }, understand)
  }
})

const tagOf = <A>(call: Effect.Effect<A, ReadFailed | OutcomeUnknown>) =>
  Effect.match(call, {
    onFailure: (error) => (error._tag === "Unavailable" ? `${error._tag} ${error.reason}` : error._tag),
    onSuccess: () => "answered"
  })

describe("the circuit of a network", () => {
  it.effect("opens when calls of three accounts fail, and one call closes it", () =>
    Effect.gen(function* () {
      let status = 503
      const { read, world } = yield* scripted(() => ({ status }))
      for (const accountId of ["1", "2", "1", "2", "1"]) {
        assert.strictEqual(yield* tagOf(read(accountId)), "Unavailable upstream")
      }
      assert.strictEqual(yield* tagOf(read("3")), "Unavailable upstream")
      assert.strictEqual(world.asked, 6)
      const refused = yield* Effect.flip(read("4"))
      const now = yield* DateTime.now
      assert.isTrue(refused._tag === "Unavailable" && refused.reason === "circuit_open")
      assert.isTrue(
        refused._tag === "Unavailable" &&
          Option.exists(
            refused.retryAt,
            (at) =>
              DateTime.isGreaterThan(at, now) && DateTime.isLessThanOrEqualTo(at, DateTime.add(now, { seconds: 60 }))
          )
      )
      assert.strictEqual(world.asked, 6)
      yield* TestClock.adjust("30 seconds")
      // The probe fails: one failure is enough now.
      assert.strictEqual(yield* tagOf(read("4")), "Unavailable upstream")
      assert.strictEqual(yield* tagOf(read("1")), "Unavailable circuit_open")
      assert.strictEqual(world.asked, 7)
      yield* TestClock.adjust("30 seconds")
      status = 200
      assert.strictEqual(yield* tagOf(read("1")), "answered")
      assert.strictEqual(yield* tagOf(read("2")), "answered")
    })
  )

  it.effect("stays closed for one account's trouble, and as long as others are answered", () =>
    Effect.gen(function* () {
      let status = 500
      const { read } = yield* scripted(() => ({ status }))
      for (let i = 0; i < 20; i++) assert.strictEqual(yield* tagOf(read("1")), "Unavailable upstream")
      for (const other of ["2", "3", "4", "5"]) {
        status = 500
        assert.strictEqual(yield* tagOf(read(other)), "Unavailable upstream")
        // A refusal is an answer.
        status = 400
        assert.strictEqual(yield* tagOf(read("6")), "Rejected")
      }
    })
  )

  it.effect("stays closed where many accounts are told to come back in a moment", () =>
    Effect.gen(function* () {
      const { callOf, calls, shared } = yield* scripted(() => ({}))
      const notYet = new Unavailable({ ...shared, reason: "upstream", networkCode: Option.some(notResolvable) })
      for (const accountId of ["1", "2", "3", "4", "5"]) {
        const published = calls.write(callOf(accountId), { form: {} }, () => Effect.fail(notYet))
        assert.strictEqual(yield* tagOf(published), "Unavailable upstream")
      }
    })
  )

  it.effect("says of a write that it was not sent", () =>
    Effect.gen(function* () {
      const { read, world, write } = yield* scripted(() => ({ status: 500 }))
      for (const accountId of ["1", "2", "3"]) yield* tagOf(read(accountId))
      assert.strictEqual(yield* tagOf(write("4")), "Unavailable circuit_open")
      assert.strictEqual(world.asked, 3)
    })
  )
})

describe("the budget of an account (§2.2)", () => {
  const page = (percent: number) => ({
    "x-business-use-case-usage": JSON.stringify({ "1": [{ type: "pages", call_count: percent, total_time: 3 }] })
  })

  it.effect("keeps the last of it for writes, and lets one call learn it anew after a while", () =>
    Effect.gen(function* () {
      let percent = 96
      const { read, world, write } = yield* scripted(() => ({ headers: page(percent) }))
      yield* read("1")
      const refused = yield* Effect.flip(read("1"))
      assert.isTrue(refused._tag === "RateLimited" && Option.isSome(refused.retryAt))
      assert.strictEqual(yield* tagOf(write("1")), "answered")
      // Another account has its own.
      assert.strictEqual(yield* tagOf(read("2")), "answered")
      assert.strictEqual(world.asked, 3)
      percent = 100
      yield* write("1")
      assert.strictEqual(yield* tagOf(write("1")), "RateLimited")
      yield* TestClock.adjust("5 minutes")
      percent = 10
      yield* read("1")
      assert.strictEqual(yield* tagOf(read("1")), "answered")
    })
  )

  it.effect("is used more slowly from 75 % on", () =>
    Effect.gen(function* () {
      let percent = 74
      const { read, world } = yield* scripted(() => ({ headers: page(percent) }))
      yield* read("1")
      percent = 94
      yield* read("1")
      const slow = yield* Effect.forkChild(read("1"))
      yield* TestClock.adjust("0 seconds")
      assert.strictEqual(world.asked, 2)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(slow)
      assert.strictEqual(world.asked, 3)
    })
  )

  it.effect("is spent until access is regained, of the kind that the header names", () =>
    Effect.gen(function* () {
      const use = { call_count: 100, estimated_time_to_regain_access: 19 }
      const header = { "x-business-use-case-usage": JSON.stringify({ "1": [{ type: "messenger", ...use }] }) }
      const { read, write } = yield* scripted(() => ({ headers: header }))
      yield* read("1", "content")
      yield* read("1", "content")
      yield* write("1", "messages")
      const refused = yield* Effect.flip(write("1", "messages"))
      const retryAt = DateTime.add(yield* DateTime.now, { minutes: 19 })
      assert.isTrue(
        refused._tag === "RateLimited" &&
          Option.exists(refused.retryAt, (at) => at.epochMilliseconds === retryAt.epochMilliseconds)
      )
      yield* TestClock.adjust("19 minutes")
      assert.strictEqual(yield* tagOf(write("1", "messages")), "answered")
    })
  )

  it.effect("waits as an answer asks, whatever other answers say meanwhile", () =>
    Effect.gen(function* () {
      const { callOf, calls, read, shared, world } = yield* scripted(() => ({ headers: page(5) }))
      const retryAt = Option.some(DateTime.add(yield* DateTime.now, { seconds: 90 }))
      const started = yield* Effect.forkChild(
        calls.read(callOf("1"), () => Effect.delay(Effect.succeed("late"), "10 seconds"))
      )
      yield* TestClock.adjust("0 seconds")
      yield* Effect.flip(calls.read(callOf("1"), () => Effect.fail(new RateLimited({ ...shared, retryAt }))))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(started)
      const refused = yield* Effect.flip(read("1"))
      assert.deepStrictEqual(refused._tag === "RateLimited" ? refused.retryAt : Option.none(), retryAt)
      assert.strictEqual(world.asked, 2)
      yield* TestClock.adjust("80 seconds")
      assert.strictEqual(yield* tagOf(read("1")), "answered")
    })
  )

  it.effect("is X's counter until its reset", () =>
    Effect.gen(function* () {
      const reset = String(Math.floor((yield* DateTime.now).epochMilliseconds / 1000) + 600)
      const counter = (remaining: string) => ({
        "x-rate-limit-limit": "300",
        "x-rate-limit-remaining": remaining,
        "x-rate-limit-reset": reset
      })
      let remaining = "200"
      const { read, world } = yield* scripted(() => ({ headers: counter(remaining) }), { usagesOf: xUsages })
      yield* read("1", "mentions")
      remaining = "0"
      yield* read("1", "mentions")
      assert.strictEqual(yield* tagOf(read("1", "mentions")), "RateLimited")
      assert.strictEqual(yield* tagOf(read("1", "users")), "answered")
      assert.strictEqual(world.asked, 3)
      yield* TestClock.adjust("10 minutes")
      remaining = "300"
      assert.strictEqual(yield* tagOf(read("1", "mentions")), "answered")
    })
  )

  it.effect("keeps the pace that a network sets", () =>
    Effect.gen(function* () {
      const paces = { conversations: { calls: 1, every: "500 millis" } } as const
      const { read, world } = yield* scripted(() => ({}), { usagesOf: graphUsages, paces })
      const all = yield* Effect.forkChild(
        Effect.all(
          [1, 2, 3, 4].map(() => read("1", "conversations")),
          { concurrency: 4 }
        )
      )
      yield* TestClock.adjust("0 seconds")
      assert.strictEqual(world.asked, 1)
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(world.asked, 2)
      yield* TestClock.adjust("501 millis")
      yield* Fiber.join(all)
    })
  )
})
