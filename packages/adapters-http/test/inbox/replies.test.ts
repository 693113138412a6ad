import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { AuthExpired, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { Reply } from "@loopbox/core/networks/Reply"
import * as outbound from "@loopbox/core/outbound/OutboundOperation"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { connectAccount, inbox, itemId, makeInbox, scopes } from "./inboxSupport.ts"
import { codeOf, pathsOf } from "../support.ts"
import {
  about,
  behave,
  detailsOf,
  given,
  makeItem,
  operationIdOf,
  send,
  server,
  takeAll,
  takes
} from "./replySupport.ts"

const { workspace } = scopes

describe("POST /v1/inbox/{id}/reply (api.md §3)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("answers the sent item with its operation, and the same again for its key", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        const sent = yield* takeAll(world)
        const first = yield* send(world, " Yes ", "k1")
        assert.strictEqual(first.status, 200)
        const { data } = first.body
        assert.deepEqual<unknown>(
          [data?.["body"], data?.["is_own"], data?.["is_read"], data?.["parent_external_id"], data?.["source"]],
          ["Yes", true, true, "c1", "ig_comment"]
        )
        // Null is as absent.
        const nulls = yield* inbox("POST", `/${world.item}/reply`, workspace, {
          key: world.key,
          json: { text: "Yes", media_ids: null, tag: null },
          headers: { "idempotency-key": "k1" }
        })
        assert.deepEqual([nulls.status, operationIdOf(nulls)], [200, operationIdOf(first)])
        const id = operationIdOf(first)
        assert.match(id, /^op_/)
        const again = yield* send(world, "Yes", "k1")
        assert.deepEqual([again.status, operationIdOf(again)], [200, id])
        assert.deepEqual<unknown>(again.body["data"], data)
        assert.deepEqual(sent, ["Yes"])
        for (const path of [`/outbound-operations/${id}`, `/x-outbound-operations/${id}`]) {
          const found = yield* inbox("GET", path, scopes.user("u1"), { key: world.key })
          assert.strictEqual(found.status, 200)
          const operation = { ...found.body["data"] }
          assert.deepEqual<unknown>(
            { ...operation, created_at: "", updated_at: "", reconciliation_deadline: "" },
            {
              id,
              item_id: world.item,
              source: "ig_comment",
              status: "completed",
              attempts: 1,
              response_item_id: data?.["id"],
              error: null,
              reconciliation_deadline: "",
              reconciliation_required: false,
              created_at: "",
              updated_at: ""
            }
          )
        }
        const conflict = yield* send(world, "No", "k1")
        assert.strictEqual(codeOf(conflict), "409 IDEMPOTENCY_KEY_CONFLICT")
        assert.deepEqual<unknown>([operationIdOf(conflict), detailsOf(conflict)], [id, { operation_id: id }])
        assert.strictEqual((yield* send(world, "Yes", "k2")).status, 200)
        assert.deepEqual(sent, ["Yes", "Yes"])
      })
    )

    it.effect("posts once for fifty requests at once with one key, also when sockets break off", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        let posts = 0
        yield* behave(world, (reply) =>
          Effect.suspend(() => {
            posts += 1
            return Effect.delay(takes(reply, world.page), "200 millis")
          })
        )
        const gone = yield* Effect.forkChild(send(world, "Yes", "k1"))
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ while: () => posts === 0 }))
        yield* Fiber.interrupt(gone)
        const all = yield* Effect.all(
          Array.from({ length: 50 }, () => send(world, "Yes", "k1")),
          { concurrency: "unbounded" }
        )
        assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
        assert.strictEqual(new Set(all.map(operationIdOf)).size, 1)
        assert.strictEqual(posts, 1)
      })
    )

    it.effect("says what the network said, and sends again only what it surely did not post", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        const retryAt = Option.some(DateTime.add(yield* DateTime.now, { seconds: 90 }))
        const cases = [
          {
            error: (reply: Reply) => new Rejected({ ...about(reply), reason: "blocked" }),
            code: "422 PLATFORM_ERROR",
            details: { network_code: "17", reason: "blocked" },
            isFinal: true
          },
          {
            error: (reply: Reply) => new RateLimited({ ...about(reply), retryAt }),
            code: "429 PLATFORM_RATE_LIMITED",
            details: { network_code: "17" },
            isFinal: false
          },
          {
            error: (reply: Reply) => new Unavailable({ ...about(reply), reason: "upstream" }),
            code: "502 PLATFORM_ERROR",
            details: { network_code: "17", reason: "upstream" },
            isFinal: false
          },
          {
            error: (reply: Reply) =>
              new AuthExpired({ ...about(reply), reason: "permission", missingScopes: ["instagram_manage_comments"] }),
            code: "409 X_RECONNECT_REQUIRED",
            details: { missing_scopes: ["instagram_manage_comments"] },
            isFinal: false
          }
        ]
        for (const { code, details, error, isFinal } of cases) {
          yield* behave(world, (reply) => Effect.fail(error(reply)))
          const keyless = yield* send(world, "Yes")
          assert.strictEqual(codeOf(keyless), code)
          const rejected = yield* inbox("GET", `/outbound-operations/${operationIdOf(keyless)}`, workspace, {
            key: world.key
          })
          assert.strictEqual(String(rejected.body["data"]?.["status"]), "rejected", code)
          const first = yield* send(world, "Yes", code.replace(" ", "-"))
          assert.strictEqual(codeOf(first), code)
          const id = operationIdOf(first)
          assert.deepEqual<unknown>(detailsOf(first), { operation_id: id, ...details })
          if (code.startsWith("429")) assert.closeTo(Number(first.headers.get("retry-after")), 90, 30)
          const found = yield* inbox("GET", `/outbound-operations/${id}`, workspace, { key: world.key })
          const { data } = found.body
          assert.strictEqual(String(data?.["status"]), isFinal ? "rejected" : "pending", code)
          assert.strictEqual(`${code.slice(0, 3)} ${String(data?.["error"]?.["code"])}`, code)
          const sent = yield* takeAll(world)
          const again = yield* send(world, "Yes", code.replace(" ", "-"))
          assert.strictEqual(isFinal ? codeOf(again) : String(again.status), isFinal ? code : "200")
          assert.deepEqual([operationIdOf(again), sent.length], [id, isFinal ? 0 : 1])
        }
      })
    )

    it.effect("says that the outcome is open, that a person must look, or that the item will follow", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        const ago = (now: DateTime.Utc, minutes: number) => DateTime.subtract(now, { minutes })
        const unknown = yield* given(world, "unknown", (now) => {
          const attempt = { attemptedAt: ago(now, 2), preparation: Option.none(), isHastened: false }
          return new outbound.OutcomeUnknown({ ...attempt, lookedAt: Option.some(ago(now, 1)) })
        })
        const pending = yield* send(world, "Yes", "unknown")
        assert.deepEqual([codeOf(pending), operationIdOf(pending)], ["409 X_WRITE_OUTCOME_PENDING", unknown.id])
        const found = yield* inbox("GET", `/x-outbound-operations/${unknown.id}`, workspace, { key: world.key })
        assert.strictEqual(String(found.body["data"]?.["status"]), "outcome_unknown")
        yield* given(world, "lost", (now) => {
          return new outbound.NeedsReconciliation({ attemptedAt: ago(now, 31), endedAt: ago(now, 1) })
        })
        const lost = yield* send(world, "Yes", "lost")
        assert.strictEqual(codeOf(lost), "409 X_WRITE_NEEDS_RECONCILIATION")
        const person = yield* inbox("GET", `/outbound-operations/${operationIdOf(lost)}`, workspace, { key: world.key })
        assert.strictEqual<unknown>(person.body["data"]?.["reconciliation_required"], true)
        yield* given(world, "taken", (now) => {
          const ended = { attemptedAt: now, endedAt: now, responseExternalId: "r0" }
          return new outbound.Completed({ ...ended, responseItemId: Option.none() })
        })
        const taken = yield* send(world, "Yes", "taken")
        assert.strictEqual(codeOf(taken), "202 X_REMOTE_ACCEPTED_RECONCILING")
        assert.deepEqual<unknown>(detailsOf(taken), { operation_id: operationIdOf(taken) })
        yield* given(world, "late", (now) => new outbound.Waiting({ since: ago(now, 1) }))
        const late = yield* send(world, "Yes", "late")
        assert.strictEqual(codeOf(late), "422 PLATFORM_ERROR")
        assert.deepEqual<unknown>(detailsOf(late), {
          operation_id: operationIdOf(late),
          network_code: null,
          reason: "expired"
        })
      })
    )

    it.effect("judges scope, plan, object, body and rules in this order", () =>
      Effect.gen(function* () {
        const world = yield* makeItem("x_reply")
        const sent = yield* takeAll(world)
        assert.strictEqual(codeOf(yield* send({ ...world, key: "lbx" }, "")), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* send(world, "", "", "inbox_scope=x")), "400 INBOX_SCOPE_INVALID")
        assert.strictEqual(codeOf(yield* send({ ...world, item: "itm_x" }, "")), "404 NOT_FOUND")
        const other = yield* makeItem("x_reply")
        assert.strictEqual(codeOf(yield* send({ ...world, item: other.item }, 1, "\u00e9")), "404 NOT_FOUND")
        const faults: ReadonlyArray<readonly [text: unknown, key: string | undefined, path: string]> = [
          [1, "k", "text"],
          [undefined, "k", "text"],
          [null, "k", "text"],
          ["a\0b", "k", "text"],
          ["  ", "k", "text"],
          ["x".repeat(21), "k", "text"],
          ["Yes", undefined, "Idempotency-Key"],
          ["Yes", "two words", "Idempotency-Key"]
        ]
        for (const [text, key, path] of faults) {
          const answer = yield* send(world, text, key)
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", path)
          assert.deepEqual([...pathsOf(answer)], [path])
          assert.strictEqual(operationIdOf(answer), "")
        }
        const more = yield* inbox("POST", `/${world.item}/reply`, workspace, {
          key: world.key,
          json: { text: 1, more: true },
          headers: { "idempotency-key": "two words" }
        })
        assert.sameMembers([...pathsOf(more)], ["text", "more", "Idempotency-Key"])
        for (const text of ["", "x".repeat(21), 1]) {
          const keyless = yield* inbox("POST", `/${world.item}/reply`, workspace, {
            key: world.key,
            json: { text, more: 1 }
          })
          assert.sameMembers([...pathsOf(keyless)], ["text", "more", "Idempotency-Key"])
        }
        // What the credential may not do comes before the key, and after the text.
        yield* (yield* AccountAdministration).updateAccount(world.id, world.account.id, { permissions: ["tweet.read"] })
        assert.deepEqual([...pathsOf(yield* send(world, ""))], ["text"])
        assert.strictEqual(codeOf(yield* send(world, "Yes")), "409 X_RECONNECT_REQUIRED")
        assert.deepEqual(sent, [])
      })
    )

    it.effect("refuses own items, missing permissions and a closed window, without an operation", () =>
      Effect.gen(function* () {
        const receivedAt = DateTime.subtract(yield* DateTime.now, { hours: 25 })
        const world = yield* makeItem("ig_dm", { threadKey: "ann", receivedAt })
        const sent = yield* takeAll(world)
        const closed = yield* send(world, "Yes", "k1")
        assert.strictEqual(codeOf(closed), "422 PLATFORM_ERROR")
        assert.deepEqual<unknown>(detailsOf(closed), { network_code: null, reason: "window_closed" })
        yield* ingest(world.account, [posted({ account: world.page, externalId: "own", isOwn: true })])
        const own = yield* send({ ...world, item: yield* itemId(world.key, "own") }, "Yes")
        assert.strictEqual(codeOf(own), "400 VALIDATION_ERROR")
        const administration = yield* AccountAdministration
        yield* administration.updateAccount(world.id, world.account.id, { permissions: ["instagram_business_basic"] })
        const poor = yield* send(world, "Yes", "k1")
        assert.strictEqual(codeOf(poor), "409 X_RECONNECT_REQUIRED")
        assert.deepEqual<unknown>(detailsOf(poor), { missing_scopes: ["instagram_business_manage_messages"] })
        for (const answer of [closed, own, poor]) assert.strictEqual(operationIdOf(answer), "")
        assert.deepEqual(sent, [])
      })
    )
  })
})

describe("GET /v1/inbox/outbound-operations/{id} (api.md §3)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("is absent outside of its scope", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        yield* takeAll(world)
        const id = operationIdOf(yield* send(world, "Yes"))
        yield* connectAccount(world.id, "u2", "another")
        const other = yield* makeInbox()
        const read = (name: string, key: string, query: string) =>
          Effect.map(inbox("GET", `/outbound-operations/${name}`, query, { key }), codeOf)
        assert.strictEqual(yield* read(id, world.key, scopes.user("u2")), "404 NOT_FOUND")
        assert.strictEqual(yield* read(id, other.key, workspace), "404 NOT_FOUND")
        assert.strictEqual(yield* read("op_x", world.key, workspace), "404 NOT_FOUND")
        assert.strictEqual(yield* read(id, world.key, "inbox_scope=x"), "400 INBOX_SCOPE_INVALID")
      })
    )
  })
})
