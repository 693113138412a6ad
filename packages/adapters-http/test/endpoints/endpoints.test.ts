import { assert, describe, layer } from "@effect/vitest"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { eventTypes } from "@loopbox/core/outgoing/eventPatterns"
import { Effect, Layer, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { EventBody } from "../../src/api/inbox/EventBody.ts"
import { JobBody } from "../../src/api/media/JobBody.ts"
import { OverlayBody } from "../../src/api/media/OverlayBody.ts"
import {
  addManagedUser,
  comment,
  connectAccount,
  entriesOf,
  issueKey,
  makeInbox,
  scopes
} from "../inbox/inboxSupport.ts"
import { receiving } from "../sending/receiver.ts"
import { call, type Call, codeOf, pathsOf, server, services, serverWith, uploadGif } from "../support.ts"

const { workspace } = scopes

/** One request under `/v1/webhook-endpoints`. */
const endpoints = (method: string, path: string, options: Call, query: string = workspace) =>
  call(method, `/v1/webhook-endpoints${path}?${query}`, options)

const live = { excludeTestServices: true } as const

/** Reads until something holds: deliveries are made by workers. */
const until = <A, E, R>(read: Effect.Effect<A, E, R>, isThere: (value: A) => boolean) =>
  read.pipe(Effect.delay("20 millis"), Effect.repeat({ until: isThere }))

describe("/v1/webhook-endpoints (api-2.md §15)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("are made, shown, changed and deleted; the secret is in the first answer only", () =>
      Effect.gen(function* () {
        const { id: workspaceId, key } = yield* makeInbox()
        yield* addManagedUser(workspaceId, "u1")
        const json = {
          url: "https://app.example/hook",
          events: ["inbox.*", "post.failed"],
          external_user_id: "u1",
          description: "ours",
          is_ordered: true
        }
        const created = yield* endpoints("POST", "", { key, json })
        assert.strictEqual(created.status, 201)
        const { secret, ...shown } = { ...created.body["data"] }
        assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.deepInclude<unknown>(shown, {
          ...json,
          status: "enabled",
          status_reason: null,
          last_success_at: null,
          last_failure_at: null
        })
        const path = `/${String(shown["id"])}`
        assert.match(path, /^\/whe_/)
        assert.deepEqual<unknown>((yield* endpoints("GET", path, { key })).body["data"], shown)
        const bare = yield* endpoints("POST", "", { key, json: { url: "http://127.0.0.1:9/" } })
        assert.deepInclude<unknown>(bare.body["data"], { events: null, external_user_id: null, is_ordered: false })
        const list = yield* endpoints("GET", "", { key }, `${workspace}&limit=1`)
        assert.strictEqual(String(entriesOf(list.body)[0]?.["url"]), "http://127.0.0.1:9/")
        const next = yield* endpoints("GET", "", { key }, `${workspace}&cursor=${String(list.body["next_cursor"])}`)
        assert.deepEqual<unknown>([entriesOf(next.body), next.body["next_cursor"]], [[shown], null])

        const change = { status: "disabled", events: null, external_user_id: null }
        const changed = yield* endpoints("PATCH", path, { key, json: change })
        assert.deepInclude<unknown>(changed.body["data"], { ...change, status_reason: "requested", url: json.url })
        const enabled = yield* endpoints("PATCH", path, { key, json: { status: "enabled" } })
        assert.deepInclude<unknown>(enabled.body["data"], { status: "enabled", status_reason: null })
        const back = JSON.stringify(
          (yield* endpoints("PATCH", path, { key, json: { ...shown, status: "failing" } })).body
        )
        assert.include(back, "created_at is told by answers only: leave it out")
        assert.include(back, "is told by answers only: leave it out")
        assert.include(
          back,
          String.raw`status must be \"enabled\" or \"disabled\"; \"failing\" is told by answers only`
        )
        assert.strictEqual((yield* endpoints("DELETE", path, { key })).status, 204)
        assert.strictEqual(codeOf(yield* endpoints("DELETE", path, { key })), "404 NOT_FOUND")
      })
    )
    it.effect("name everything that is wrong, and keep nothing", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const url = "https://app.example/hook"
        const cases: ReadonlyArray<readonly [json: unknown, paths: ReadonlyArray<string>]> = [
          [{}, ["url"]],
          [{ url: "ftp://app.example" }, ["url"]],
          [{ url: "https://me:secret@app.example" }, ["url"]],
          [{ url: "https://app.example/#part" }, ["url"]],
          [{ url: "https://app.example:0/" }, ["url"]],
          [{ url: "https://app..example/" }, ["url"]],
          [{ url: `https://app.example/${"x".repeat(2_030)}` }, ["url"]],
          [{ url, events: [] }, ["events"]],
          [{ url, events: ["inbox.new_item", "inbox.nothing", "*"] }, ["events[1]", "events[2]"]],
          [{ url: 1, events: "inbox.*", colour: 1 }, ["url", "events", "colour"]],
          // Rules are told beside wrong types and unknown members.
          [
            { url: "x", events: [], description: "d".repeat(501), is_ordered: 1, colour: 1 },
            ["url", "events", "description", "is_ordered", "colour"]
          ]
        ]
        for (const [json, paths] of cases) {
          const answer = yield* endpoints("POST", "", { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", JSON.stringify(json))
          assert.sameMembers([...pathsOf(answer)], [...paths], JSON.stringify(json))
        }
        const stranger = yield* endpoints("POST", "", { key, json: { url, external_user_id: "nobody" } })
        assert.strictEqual(codeOf(stranger), "404 MANAGED_USER_NOT_FOUND")
        assert.deepEqual(entriesOf((yield* endpoints("GET", "", { key })).body), [])
      })
    )
    it.effect("take null as absent, and a change of nothing changes nothing", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const none = { events: null, external_user_id: null, description: null, is_ordered: null }
        const created = yield* endpoints("POST", "", { key, json: { url: "http://127.0.0.1:9/", ...none } })
        assert.strictEqual(created.status, 201)
        assert.deepInclude<unknown>(created.body["data"], { ...none, is_ordered: false })
        const { secret: _, ...shown } = { ...created.body["data"] }
        const path = `/${String(shown["id"])}`
        const ordered = yield* endpoints("PATCH", path, { key, json: { is_ordered: true } })
        assert.deepEqual<unknown>(ordered.body["data"], { ...shown, is_ordered: true })
        assert.deepEqual<unknown>(
          (yield* endpoints("PATCH", path, { key, json: { is_ordered: null } })).body["data"],
          shown
        )
        for (const json of [{}, { url: "http://127.0.0.1:9/", is_ordered: false, description: null }]) {
          assert.deepEqual<unknown>((yield* endpoints("PATCH", path, { key, json })).body["data"], shown)
        }
        const audited = yield* call("GET", `/v1/audit-events?target=${String(shown["id"])}`, { key })
        assert.deepEqual<unknown>(
          entriesOf(audited.body).map(({ action }) => action),
          ["webhook_endpoint.updated", "webhook_endpoint.updated", "webhook_endpoint.created"]
        )
        assert.strictEqual((yield* endpoints("POST", `${path}/test`, { key, json: { type: null } })).status, 200)
      })
    )
    it.effect("are the workspace's: no managed user's scope, no key of nobody, no other workspace's", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const json = { url: "https://app.example/hook" }
        const created = yield* endpoints("POST", "", { key, json })
        const path = `/${String(created.body["data"]?.["id"])}`
        const user = yield* endpoints("GET", "", { key }, scopes.user("u1"))
        assert.strictEqual(codeOf(user), "400 INBOX_SCOPE_INVALID")
        assert.strictEqual(String(user.body["error"]?.["details"]?.["reason"]), "workspace_required")
        assert.strictEqual(codeOf(yield* call("GET", "/v1/webhook-endpoints", { key })), "400 INBOX_SCOPE_REQUIRED")
        const { key: ofNobody } = yield* issueKey(id)
        assert.strictEqual(codeOf(yield* endpoints("GET", "", { key: ofNobody })), "403 API_KEY_CREATOR_REQUIRED")
        const other = yield* makeInbox()
        const all: ReadonlyArray<readonly [method: string, path: string, json?: unknown]> = [
          ["GET", ""],
          ["PATCH", "", { nonsense: 1 }],
          ["DELETE", ""],
          ["POST", "/rotate-secret"],
          ["POST", "/test", { nonsense: 1 }],
          ["POST", "/replay", { nonsense: 1 }],
          ["GET", "/deliveries"],
          ["GET", "/deliveries/whd_1"],
          ["POST", "/deliveries/whd_1/redeliver"]
        ]
        for (const [method, below, body] of all) {
          const options = { key: other.key, ...(body === undefined ? {} : { json: body }) }
          const answer = yield* endpoints(method, `${path}${below}`, options)
          assert.strictEqual(codeOf(answer), "404 NOT_FOUND", `${method} ${below}`)
        }
        assert.strictEqual((yield* endpoints("GET", path, { key })).status, 200)
        // Before what is asked of it is looked at.
        for (const query of ["limit=0", "status=x", "cursor=x", "colour=red"]) {
          const wrong = `${workspace}&${query}`
          const stranger = yield* endpoints("GET", `${path}/deliveries`, { key: other.key }, wrong)
          assert.strictEqual(codeOf(stranger), "404 NOT_FOUND", query)
          assert.strictEqual(codeOf(yield* endpoints("GET", "/whe_1/deliveries", { key }, wrong)), "404 NOT_FOUND")
          assert.strictEqual(
            codeOf(yield* endpoints("GET", `${path}/deliveries`, { key }, wrong)),
            "400 VALIDATION_ERROR",
            query
          )
        }
      })
    )
  })

  layer(
    DeliveryWorker.layer({ pollEvery: "50 millis" }).pipe(
      Layer.provideMerge(serverWith()),
      Layer.provideMerge(services)
    ),
    live
  )("what is sent", (it) => {
    it.effect("is what the socket shows, signed as the public library verifies it, and kept with its attempts", () =>
      Effect.gen(function* () {
        const { asked, port } = yield* receiving()
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        const url = `http://127.0.0.1:${port}/hook`
        const created = yield* endpoints("POST", "", { key, json: { url, events: ["inbox.new_item"] } })
        const { id: endpointId, secret } = { ...created.body["data"] }
        const path = `/${String(endpointId)}`
        yield* comment(account, ["a"])
        yield* until(
          Effect.sync(() => asked.length),
          (count) => count === 1
        )
        const [first] = asked
        if (first === undefined) return assert.fail("nothing came")
        const signed = Object.fromEntries(Object.entries(first.headers).map(([name, value]) => [name, String(value)]))
        const verified = new Webhook(String(secret)).verify(first.body, signed)
        assert.deepInclude<unknown>(verified, { type: "inbox.new_item" })
        assert.strictEqual(signed["user-agent"], "Loopbox")
        assert.include(first.body, '"external_id":"a"')

        const read = Effect.map(endpoints("GET", `${path}/deliveries`, { key }), ({ body }) => entriesOf(body))
        const [delivery] = yield* until(read, ([one]) => String(one?.["status"]) === "delivered")
        assert.deepInclude<unknown>(delivery, { endpoint_id: endpointId, event_type: "inbox.new_item", attempts: 1 })
        const detail = yield* endpoints("GET", `${path}/deliveries/${String(delivery?.["id"])}`, { key })
        const { attempt_log, request } = { ...detail.body["data"] }
        assert.strictEqual(String(request?.["body"]), first.body)
        assert.strictEqual(String(request?.["headers"]?.["webhook-id"]), signed["webhook-id"])
        assert.notProperty(request?.["headers"], "webhook-signature")
        assert.deepInclude<unknown>(Object.values({ ...attempt_log })[0], { status: 204, error: null, response: "" })
        const none = yield* endpoints("GET", `${path}/deliveries`, { key }, `${workspace}&status=failed`)
        assert.deepEqual(entriesOf(none.body), [])

        // Again, by both secrets: the receiver may have either.
        const rotated = yield* endpoints("POST", `${path}/rotate-secret`, { key })
        const again = yield* endpoints("POST", `${path}/deliveries/${String(delivery?.["id"])}/redeliver`, { key })
        assert.deepInclude<unknown>(again.body["data"], { status: "pending" })
        yield* until(
          Effect.sync(() => asked.length),
          (count) => count === 2
        )
        const repeated = asked[1]
        assert.strictEqual(repeated?.headers["webhook-id"], signed["webhook-id"])
        const headers = Object.fromEntries(
          Object.entries({ ...repeated?.headers }).map(([name, v]) => [name, String(v)])
        )
        for (const known of [secret, rotated.body["data"]?.["secret"]]) {
          new Webhook(String(known)).verify(repeated?.body ?? "", headers)
        }

        const replayed = yield* endpoints("POST", `${path}/replay`, { key, json: { after_seq: 0 } })
        assert.deepEqual<unknown>(replayed.body["data"], { queued: 1 })
        yield* until(
          Effect.sync(() => asked.length),
          (count) => count === 3
        )
        for (const after_seq of [-1, 1.5, -1.5, 2 ** 53, -(2 ** 53)]) {
          const odd = yield* endpoints("POST", `${path}/replay`, { key, json: { after_seq } })
          assert.strictEqual(codeOf(odd), "400 VALIDATION_ERROR")
          const [issue, ...more] = Object.values({ ...odd.body["error"]?.["details"]?.["issues"] })
          assert.deepEqual<unknown>(
            [issue, more],
            [{ path: "after_seq", message: "must be an integer from 0 to 9007199254740991" }, []],
            String(after_seq)
          )
        }
        yield* endpoints("PATCH", path, { key, json: { status: "disabled" } })
        const late = yield* endpoints("POST", `${path}/replay`, { key, json: { after_seq: 0 } })
        assert.strictEqual(codeOf(late), "409 ENDPOINT_DISABLED")
      }).pipe(Effect.scoped)
    )
    it.effect("of a media job that has ended is the job as the API shows it, to who names the type", () =>
      Effect.gen(function* () {
        const { asked, port } = yield* receiving()
        const { id, key } = yield* makeInbox()
        const json = { url: `http://127.0.0.1:${port}/`, events: ["media.gif_conversion_ended"] }
        yield* endpoints("POST", "", { key, json: { url: json.url } })
        yield* endpoints("POST", "", { key, json })
        const jobs = "/v1/media/gif-conversions"
        const made = yield* call("POST", jobs, { key, json: { gif_media_id: yield* uploadGif(key) } })
        const path = `${jobs}/${String(made.body["data"]?.["id"])}`
        assert.strictEqual((yield* call("DELETE", path, { key })).status, 200)
        const [first] = yield* until(
          Effect.sync(() => asked),
          (all) => all.length > 0
        )
        const { data, type } = JSON.parse(first?.body ?? "{}")
        const job = (yield* call("GET", path, { key })).body["data"]
        assert.strictEqual(type, "media.gif_conversion_ended")
        assert.deepEqual<unknown>(data, { seq: 1, workspace_id: id, external_user_id: null, job })
        assert.strictEqual(asked.length, 1)
      }).pipe(Effect.scoped)
    )
    it.effect("as an example has the form of every type, and is judged at once", () =>
      Effect.gen(function* () {
        const { asked, port } = yield* receiving()
        const { id, key } = yield* makeInbox()
        const url = `http://127.0.0.1:${port}/`
        const created = yield* endpoints("POST", "", { key, json: { url } })
        const path = `/${String(created.body["data"]?.["id"])}/test`
        const isEvent = Schema.is(EventBody)
        const isJob = Schema.is(Schema.Union([JobBody, OverlayBody]))
        for (const [n, type] of eventTypes.entries()) {
          const answer = yield* endpoints("POST", path, { key, json: { type } })
          assert.deepInclude<unknown>(answer.body["data"], { status: "delivered", event_type: type, event_seq: null })
          const { data, timestamp, type: sent } = JSON.parse(asked[n]?.body ?? "{}")
          assert.deepInclude(data, { example: true, seq: null, workspace_id: id })
          assert.strictEqual(sent, type)
          const { example: _, ...members } = data
          if (type.startsWith("media.")) assert.isTrue(isJob(members.job), type)
          else assert.isTrue(isEvent({ ...members, seq: 1, type, at: timestamp }), type)
        }
        const odd = yield* endpoints("POST", path, { key, json: { type: "inbox.nothing" } })
        assert.deepEqual([codeOf(odd), ...pathsOf(odd)], ["400 VALIDATION_ERROR", "type"])
        const odder = yield* endpoints("POST", path, { key, json: { type: "inbox.nothing", colour: 1 } })
        assert.sameMembers([...pathsOf(odder)], ["type", "colour"])
        const usual = yield* endpoints("POST", path, { key })
        assert.deepInclude<unknown>(usual.body["data"], { event_type: "inbox.new_item" })
      }).pipe(Effect.scoped)
    )
  })
})
