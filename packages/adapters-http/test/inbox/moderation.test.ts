import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { RateLimited, Rejected, Unavailable, type WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { codeOf, server } from "../support.ts"
import { inbox, scopes } from "./inboxSupport.ts"
import { makeItem } from "./replySupport.ts"

const { workspace } = scopes
const common = { network: "facebook", networkCode: Option.some("200"), detail: "as scripted" }

/** What the network makes of everything from now on; answers the list of what it was asked. */
const answering = Effect.fnUntraced(function* (failure?: WriteFailed) {
  const asked: Array<string> = []
  const networks = yield* FakeNetworks
  networks.script = {
    ...networks.script,
    act: (_access, _item, moderation) =>
      Effect.suspend(() => {
        asked.push(moderation)
        return failure === undefined ? Effect.void : Effect.fail(failure)
      })
  }
  return asked
})

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined

describe("moderating over HTTP (api-2.md §13)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("hides, shows, likes, and answers the item; what is so already needs no call", () =>
      Effect.gen(function* () {
        const asked = yield* answering()
        const { item, key } = yield* makeItem("fb_comment")
        const states: Array<unknown> = []
        for (const act of ["hide", "hide", "unhide", "like", "unlike"]) {
          const { body, status } = yield* inbox("POST", `/${item}/${act}`, workspace, { key })
          const { data } = body
          states.push([status, memberOf(data, "is_hidden"), memberOf(data, "is_liked")])
        }
        assert.deepStrictEqual(states, [
          [200, true, false],
          [200, true, false],
          [200, false, false],
          [200, false, true],
          [200, false, false]
        ])
        assert.deepStrictEqual(asked, ["hide", "unhide", "like", "unlike"])
      })
    )

    it.effect("deletes an item once; then it is not there", () =>
      Effect.gen(function* () {
        const asked = yield* answering()
        const { item, key } = yield* makeItem("fb_comment")
        const answers = [
          yield* inbox("DELETE", `/${item}`, workspace, { key }),
          yield* inbox("DELETE", `/${item}`, workspace, { key }),
          yield* inbox("GET", `/${item}`, workspace, { key })
        ]
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [204, 404, 404]
        )
        assert.deepStrictEqual(asked, ["delete"])
      })
    )

    it.effect("says why something is not available, without a call", () =>
      Effect.gen(function* () {
        const asked = yield* answering()
        const { item, key } = yield* makeItem("threads_reply")
        const answer = yield* inbox("POST", `/${item}/like`, workspace, { key })
        assert.deepStrictEqual([answer.status, codeOf(answer)], [409, "409 ACTION_NOT_AVAILABLE"])
        assert.deepEqual<unknown>(memberOf(answer.body["error"], "details"), { reason: "not_supported" })
        assert.deepStrictEqual(asked, [])
      })
    )

    it.effect("asks for the account to be connected again before anything else", () =>
      Effect.gen(function* () {
        yield* answering()
        const { account, id, item, key } = yield* makeItem("threads_reply")
        yield* (yield* SocialAccounts).requireReauth(account.workspaceId, account.id, DateTime.makeUnsafe("2999-01-01"))
        assert.strictEqual(account.workspaceId, id)
        const answer = yield* inbox("POST", `/${item}/like`, workspace, { key })
        assert.deepStrictEqual([answer.status, codeOf(answer)], [409, "409 X_RECONNECT_REQUIRED"])
        const found = yield* inbox("GET", `/${item}`, workspace, { key })
        assert.deepStrictEqual(memberOf(found.body["data"], "capabilities"), [])
      })
    )

    it.effect("tells apart what the network refuses, limits, and does not say", () =>
      Effect.gen(function* () {
        const { item, key } = yield* makeItem("fb_comment")
        const hide = inbox("POST", `/${item}/hide`, workspace, { key })
        yield* answering(new Rejected({ ...common, reason: "other" }))
        const refused = yield* hide
        assert.deepStrictEqual([refused.status, codeOf(refused)], [422, "422 PLATFORM_ERROR"])
        yield* answering(new RateLimited({ ...common, retryAt: Option.none() }))
        const limited = yield* hide
        assert.deepStrictEqual(
          [limited.status, codeOf(limited), limited.headers.get("retry-after")],
          [429, "429 PLATFORM_RATE_LIMITED", "60"]
        )
        yield* answering(new Unavailable({ ...common, reason: "circuit_open" }))
        const uncertain = yield* hide
        assert.deepStrictEqual([uncertain.status, codeOf(uncertain)], [502, "502 PLATFORM_ERROR"])
      })
    )

    it.effect("marks an item unread, and does batches in order", () =>
      Effect.gen(function* () {
        yield* answering()
        const { item, key } = yield* makeItem("fb_comment")
        yield* inbox("POST", `/${item}/read`, workspace, { key })
        assert.strictEqual((yield* inbox("POST", `/${item}/unread`, workspace, { key })).status, 204)
        const count = yield* inbox("GET", "/unread-count", workspace, { key })
        assert.deepEqual<unknown>(count.body["data"], { count: 1 })
        const batch = (action: string) =>
          inbox("POST", "/batch", workspace, { key, json: { ids: [item, "itm_x", item], action } })
        const done = { id: item, status: "done", code: null }
        const absent = { id: "itm_x", status: "not_found", code: "NOT_FOUND" }
        for (const action of ["read", "unread", "hide", "unhide"]) {
          assert.deepEqual<unknown>((yield* batch(action)).body["data"], { results: [done, absent, done] })
        }
      })
    )

    it.effect("lets nobody touch another user's item", () =>
      Effect.gen(function* () {
        const asked = yield* answering()
        const { item, key } = yield* makeItem("fb_comment")
        for (const [method, path] of [
          ["POST", "/hide"],
          ["DELETE", ""],
          ["POST", "/unread"]
        ] as const) {
          assert.strictEqual((yield* inbox(method, `/${item}${path}`, scopes.user("u2"), { key })).status, 404)
        }
        assert.deepStrictEqual(asked, [])
      })
    )
  })
})
