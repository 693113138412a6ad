import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxed } from "./sandboxed.ts"

describe("POST /sandbox/…", () => {
  it.effect("act on JSON alone, which no page of another site can send", () =>
    Effect.gen(function* () {
      const { ask, told } = yield* sandboxed()
      const post = (type: string | undefined) =>
        Effect.promise(() =>
          ask("http://sandbox.example/sandbox/comment", {
            method: "POST",
            headers: type === undefined ? {} : { "content-type": type },
            body: new TextEncoder().encode(JSON.stringify({ network: "instagram", text: "hi" }))
          })
        )
      for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
        assert.strictEqual((yield* post(type)).status, 415, type)
      }
      assert.deepStrictEqual(yield* told, [])
      assert.strictEqual((yield* post("application/json; charset=utf-8")).status, 201)
    })
  )

  it.effect("acts, and says what came of it", () =>
    Effect.gen(function* () {
      const { ask, told } = yield* sandboxed()
      const post = (action: string, body: unknown, type = "application/json") =>
        Effect.promise(async () => {
          const response = await ask(`http://sandbox.example/sandbox/${action}`, {
            method: "POST",
            headers: { "content-type": type },
            body: typeof body === "string" ? body : JSON.stringify(body)
          })
          return [response.status, await response.json()] as const
        })
      const [created, { id }] = yield* post("comment", {
        network: "facebook",
        from: "Ada",
        text: "hi",
        faults: { times: 2 }
      })
      assert.strictEqual(created, 201)
      assert.strictEqual((yield* post("edit", { network: "facebook", id, text: "hi!" }))[0], 201)
      assert.strictEqual((yield* post("hide", { network: "facebook", id }))[0], 201)
      assert.strictEqual((yield* post("delete", { network: "facebook", id }))[0], 201)
      assert.strictEqual((yield* post("delete", { network: "facebook", id }))[0], 409)
      assert.strictEqual((yield* post("comment", { network: "myspace", text: "hi" }))[0], 400)
      assert.strictEqual((yield* post("comment", "{"))[0], 400)
      // What a page of another origin could send without being asked for it.
      assert.strictEqual((yield* post("comment", { network: "x", text: "hi" }, "text/plain"))[0], 415)
      assert.strictEqual((yield* post("release", { order: "reversed" }))[0], 200)
      assert.strictEqual((yield* told).length, 5)
      const known = yield* Effect.promise(async () => (await ask("http://sandbox.example/sandbox/accounts")).json())
      assert.strictEqual(JSON.stringify(known).includes("token of"), false)
    })
  )
})

describe("GET /sandbox/items and /sandbox/writers", () => {
  it.effect("show what is on a network, newest first, and who wrote it", () =>
    Effect.gen(function* () {
      const { ask } = yield* sandboxed()
      const post = (action: string, body: unknown) =>
        Effect.promise(async () => {
          const response = await ask(`http://sandbox.example/sandbox/${action}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body)
          })
          return response.json()
        })
      const look = (what: string) =>
        Effect.promise(async () => {
          const response = await ask(`http://sandbox.example/sandbox/${what}`)
          return [response.status, await response.json()] as const
        })
      const { id } = yield* post("comment", { network: "facebook", from: "Ada", text: "hi" })
      const answer = yield* post("comment", { network: "facebook", from: "Bo", text: "me too", parent_id: id })
      yield* post("message", { network: "facebook", from: "Ada", text: "a word" })
      yield* post("delete", { network: "facebook", id: answer.id })
      const [status, items] = yield* look("items?network=facebook&limit=3")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        items.map((item: { kind: string; text: string; author: { name: string }; is_deleted: boolean }) => [
          item.kind,
          item.text,
          item.author.name,
          item.is_deleted
        ]),
        [
          ["message", "a word", "Ada", false],
          ["comment", "me too", "Bo", true],
          ["comment", "hi", "Ada", false]
        ]
      )
      assert.strictEqual(items[1].parent_id, id)
      assert.strictEqual(items[0].other_party.name, "Ada")
      const [, writers] = yield* look("writers?network=facebook")
      assert.deepStrictEqual(
        writers.map(({ name }: { name: string }) => name),
        ["Ada", "Bo"]
      )
      assert.deepStrictEqual((yield* look("writers?network=x"))[1], [])
      assert.strictEqual((yield* look("items"))[0], 400)
      assert.strictEqual((yield* look("items?network=facebook&limit=501"))[0], 400)
    })
  )
})
