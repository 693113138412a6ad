import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { comment, connectAccount, inbox, issueKey, itemId, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { follow, seqsOf, typesOf } from "./socketSupport.ts"
import { call, codeOf, pathsOf, server } from "../support.ts"

const live = { excludeTestServices: true } as const
describe("GET /v1/inbox/ws (api.md §4)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("says hello first, and then what happens, in order", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* comment(account, ["a"])
        const all = yield* follow(scopes.workspace, { key })
        const theirs = yield* follow(scopes.user("u1"), { key })
        const others = yield* follow(scopes.user("u1"), { key: (yield* issueKey(id)).key })
        yield* all.until(1)
        assert.deepEqual<unknown>(all.frames[0], { type: "hello", seq: 1, heartbeat_seconds: 30 })
        yield* comment(account, ["b"])
        yield* inbox("POST", `/${yield* itemId(key, "a")}/read`, scopes.workspace, { key })
        yield* inbox("POST", `/${yield* itemId(key, "a")}/thread-state`, scopes.workspace, {
          key,
          json: { thread_status: "assigned", assigned_to: "kim" }
        })
        yield* inbox("POST", "/mark-all-read", scopes.workspace, { key })
        const types = ["hello", "inbox.new_item", "inbox.item_updated", "inbox.thread_updated", "inbox.items_read"]
        for (const follower of [all, theirs, others]) {
          assert.deepEqual(typesOf(yield* follower.until(5)), types)
          assert.deepEqual(seqsOf(follower.frames), [1, 2, 3, 4, 5])
        }
        assert.strictEqual(String(all.frames[1]?.["item"]?.["external_id"]), "b")
        assert.strictEqual(Number(all.frames[4]?.["marked"]), 1)
        assert.isNull(theirs.frames[4]?.["marked"])
        assert.strictEqual(String(theirs.frames[1]?.["external_user_id"]), "u1")
      }).pipe(Effect.scoped)
    )
    it.effect("gives frames of every length whole", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const follower = yield* follow(scopes.workspace, { key })
        // A frame's length is one byte, two or eight (RFC 6455 §5.2); hello's is one.
        const bodies = ["ü", "ü".repeat(1_000), "ü".repeat(40_000)]
        for (const [n, body] of bodies.entries()) yield* comment(account, [`c${n}`], { body })
        const frames = yield* follower.until(4)
        assert.deepEqual(
          frames.slice(1).map((frame) => String(frame["item"]?.["body"])),
          bodies
        )
      }).pipe(Effect.scoped)
    )
    it.effect("goes on behind a number, and says when it can't", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        yield* comment(account, ["a", "b", "c"])
        const resumed = yield* follow(`${scopes.workspace}&after=1`, { key })
        assert.deepEqual(seqsOf(yield* resumed.until(3)), [3, 2, 3])
        const begin = yield* follow(`${scopes.workspace}&after=0`, { key })
        assert.deepEqual(seqsOf(yield* begin.until(4)), [3, 1, 2, 3])
        for (const after of ["4", "99999999999999999999999"]) {
          const ahead = yield* follow(`${scopes.workspace}&after=${after}`, { key })
          assert.deepEqual(typesOf(yield* ahead.until(2)), ["hello", "resync_required"])
        }
      }).pipe(Effect.scoped)
    )
    it.effect("refuses by HTTP, in the order of its checks, and then asks for an upgrade", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const poor = yield* makeInbox("free")
        const path = "/v1/inbox/ws"
        const refusals: ReadonlyArray<readonly [query: string, key: string | undefined, code: string]> = [
          ["x=%ZZ&after=x", undefined, "401 UNAUTHORIZED"],
          [`${scopes.workspace}&token=x`, key, "401 UNAUTHORIZED"],
          [`${scopes.workspace}&token=${key}`, undefined, "401 UNAUTHORIZED"],
          [scopes.workspace, "eyJhbGciOiJFZERTQSJ9.e30.x", "401 UNAUTHORIZED"],
          ["x=%ZZ&after=x", key, "400 INBOX_SCOPE_INVALID"],
          ["after=x", key, "400 INBOX_SCOPE_REQUIRED"],
          [`${scopes.user("nobody")}&after=x`, key, "404 MANAGED_USER_NOT_FOUND"],
          [`${scopes.workspace}&after=x`, poor.key, "402 PLAN_FEATURE_NOT_AVAILABLE"],
          [`${scopes.workspace}&after=x`, key, "400 VALIDATION_ERROR"],
          [scopes.workspace, key, "426 UPGRADE_REQUIRED"]
        ]
        for (const [query, given, code] of refusals) {
          const answer = yield* call("GET", `${path}?${query}`, given === undefined ? {} : { key: given })
          assert.strictEqual(codeOf(answer), code, query)
          assert.strictEqual(answer.headers.get("x-request-id"), String(answer.body["request_id"]))
        }
        const faults = yield* call("GET", `${path}?${scopes.workspace}&after=1&after=&since=1`, { key })
        assert.sameMembers([...pathsOf(faults)], ["since", "after"])
        assert.strictEqual(codeOf(yield* call("POST", path, { key })), "405 METHOD_NOT_ALLOWED")
      })
    )
  })
})
