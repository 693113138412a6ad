import { Api } from "@loopbox/adapters-http"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { comment, connectAccount, inbox, itemId, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import {
  adminToken,
  type Answer,
  call,
  type Call,
  codeOf,
  pathsOf,
  portOf,
  sendRaw,
  serverWith,
  services
} from "../support.ts"

interface World {
  readonly key: string
  readonly id: string
  readonly item: string
  readonly thread: string
  readonly endpoint: string
}

/** What is sent, wrong in as many ways as the endpoint knows, and what its refusal must name. */
interface Wrong extends Call {
  readonly query?: string
  /** Values of the path's parameters. */
  readonly at?: Readonly<Record<string, string>>
  readonly status: 400 | 422
  readonly paths: ReadonlyArray<string>
}

/** It has the shape of a cursor, and nobody here signed it. */
const forged = btoa(`${"A".repeat(22)}.1795244400000.itm_x`).replaceAll("=", "")
const list = `limit=0&limt=1&cursor=${forged}`
const listPaths = ["limit", "limt", "cursor"]
const controlled = "a%00b"

const adminLists = { query: list, status: 400, paths: listPaths } as const

/** Nothing of these can be wrong: they take no body, and ignore what they don't know in a query (api.md §1). */
const nothing = "nothing"
/** A link or a signature that is wrong is 401 or 403, and the rest is bytes. */
const signed = "signed"

const wrong: Readonly<Record<string, typeof nothing | typeof signed | Wrong | ReadonlyArray<Wrong>>> = {
  "GET /v1/inbox": [
    {
      query: `${scopes.workspace}&${list}&is_read=x&received_after=x&thread_key=`,
      status: 400,
      paths: [...listPaths.slice(0, 2), "is_read", "received_after", "thread_key"]
    },
    { query: `${scopes.workspace}&${list}&source=ig_comment`, status: 400, paths: listPaths },
    {
      query: `${scopes.workspace}&limit=0&is_own=x&cursor=abc`,
      status: 400,
      paths: ["limit", "is_own", "cursor"]
    }
  ],
  "GET /v1/inbox/threads": [
    {
      query: `${scopes.workspace}&${list}&is_unread=x&thread_status=gone&q=x`,
      status: 400,
      paths: [...listPaths.slice(0, 2), "is_unread", "thread_status", "q"]
    },
    { query: `${scopes.workspace}&${list}`, status: 400, paths: listPaths }
  ],
  "GET /v1/inbox/threads/{id}": nothing,
  "GET /v1/inbox/threads/{id}/items": {
    query: `${scopes.workspace}&${list}&order=best`,
    status: 400,
    paths: [...listPaths.slice(0, 2), "order"]
  },
  "POST /v1/inbox/threads/{id}/read": nothing,
  // Its body is judged for a thread that is there: see the tests of threads.
  "POST /v1/inbox/threads/{id}/state": nothing,
  "PUT /v1/inbox/threads/{id}/labels": nothing,
  "GET /v1/inbox/labels": nothing,
  "GET /v1/inbox/threads/{id}/notes": { query: `${scopes.workspace}&${list}`, status: 400, paths: listPaths },
  "POST /v1/inbox/threads/{id}/notes": nothing,
  "DELETE /v1/inbox/threads/{id}/notes/{note_id}": nothing,
  "GET /v1/webhook-endpoints": { query: `${scopes.workspace}&${list}`, status: 400, paths: listPaths },
  "POST /v1/webhook-endpoints": {
    query: scopes.workspace,
    json: { url: 1, events: "x", is_ordered: 1, colour: 1 },
    status: 400,
    paths: ["url", "events", "is_ordered", "colour"]
  },
  "GET /v1/webhook-endpoints/{id}": nothing,
  // Their bodies are judged for an endpoint that is there: see the tests of endpoints.
  "PATCH /v1/webhook-endpoints/{id}": nothing,
  "DELETE /v1/webhook-endpoints/{id}": nothing,
  "POST /v1/webhook-endpoints/{id}/rotate-secret": nothing,
  "POST /v1/webhook-endpoints/{id}/test": nothing,
  "POST /v1/webhook-endpoints/{id}/replay": nothing,
  "GET /v1/webhook-endpoints/{id}/deliveries": {
    query: `${scopes.workspace}&${list}&status=gone`,
    status: 400,
    paths: [...listPaths.slice(0, 2), "status"]
  },
  "GET /v1/webhook-endpoints/{id}/deliveries/{delivery_id}": nothing,
  "POST /v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver": nothing,
  "GET /v1/audit-events": [
    { query: list, status: 400, paths: listPaths },
    { query: "limit=0&limt=1&action=x", status: 400, paths: ["limit", "limt", "action"] }
  ],
  "GET /v1/inbox/unread-count": nothing,
  "POST /v1/inbox/mark-all-read": nothing,
  "GET /v1/inbox/{id}": nothing,
  "POST /v1/inbox/{id}/read": nothing,
  "POST /v1/posts": { json: { targets: 1, txt: "x" }, status: 400, paths: ["targets", "txt"] },
  "POST /v1/posts/validate": { json: { targets: 1, txt: "x" }, status: 400, paths: ["targets", "txt"] },
  "GET /v1/posts": { query: list, status: 400, paths: listPaths },
  "GET /v1/posts/{id}": nothing,
  "GET /v1/usage": nothing,
  // Its body is judged for a post that is there: see the tests of posts.
  "PATCH /v1/posts/{id}": nothing,
  "DELETE /v1/posts/{id}": nothing,
  "POST /v1/posts/{id}/publish": nothing,
  "POST /v1/posts/{id}/cancel": nothing,
  "POST /v1/posts/{id}/targets/{targetID}/retry": nothing,
  "DELETE /v1/posts/{id}/targets/{targetID}": nothing,
  "POST /v1/inbox/{id}/unread": nothing,
  "GET /v1/inbox/saved-replies": {
    query: `${scopes.workspace}&${list}`,
    status: 400,
    paths: listPaths
  },
  "POST /v1/inbox/saved-replies": {
    query: scopes.workspace,
    json: { name: " ", text: 1, colour: 1 },
    status: 400,
    paths: ["name", "text", "colour"]
  },
  // Its body is judged for one that is there: see the tests of saved replies.
  "PATCH /v1/inbox/saved-replies/{id}": nothing,
  "DELETE /v1/inbox/saved-replies/{id}": nothing,
  "POST /v1/inbox/{id}/hide": nothing,
  "POST /v1/inbox/{id}/unhide": nothing,
  "POST /v1/inbox/{id}/like": nothing,
  "POST /v1/inbox/{id}/unlike": nothing,
  "DELETE /v1/inbox/{id}": nothing,
  "POST /v1/inbox/batch": [
    {
      query: scopes.workspace,
      json: { ids: [], action: "like", idz: 1 },
      status: 400,
      paths: ["ids", "action", "idz"]
    }
  ],
  "POST /v1/inbox/{id}/thread-state": [
    {
      query: scopes.workspace,
      json: { thread_status: "open", assigned_to: "kim", colour: 1 },
      status: 400,
      paths: ["assigned_to", "colour"]
    },
    {
      query: scopes.workspace,
      json: { thread_status: "closed", assigned_to: "a\0", colour: 1 },
      status: 400,
      paths: ["thread_status", "assigned_to", "colour"]
    }
  ],
  "POST /v1/inbox/{id}/reply": [
    {
      query: scopes.workspace,
      headers: { "idempotency-key": "a b" },
      json: { text: "  ", colour: 1 },
      status: 400,
      paths: ["text", "colour", "Idempotency-Key"]
    },
    {
      query: scopes.workspace,
      headers: { "idempotency-key": "a b" },
      json: { text: "x".repeat(2201) },
      status: 400,
      paths: ["text", "Idempotency-Key"]
    }
  ],
  "POST /v1/inbox/{id}/private-reply": {
    query: scopes.workspace,
    headers: { "idempotency-key": "a b" },
    json: { text: "  ", colour: 1 },
    status: 400,
    paths: ["text", "colour", "Idempotency-Key"]
  },
  "GET /v1/inbox/{id}/media-context": nothing,
  "GET /v1/inbox/outbound-operations/{id}": nothing,
  "GET /v1/inbox/x-outbound-operations/{requestID}": nothing,
  "POST /v1/inbox/sync": {
    query: scopes.workspace,
    json: { colour: 1, x_backfill: { lookback_days: 8, max_items: 0, social_account_id: 1, colour: 1 } },
    status: 400,
    paths: [
      "colour",
      "x_backfill.lookback_days",
      "x_backfill.max_items",
      "x_backfill.social_account_id",
      "x_backfill.colour"
    ]
  },
  "GET /v1/inbox/sync/{id}": nothing,
  "GET /v1/inbox/ws": {
    query: `${scopes.workspace}&after=x&colour=1&workspace_id=a&workspace_id=b`,
    status: 400,
    paths: ["after", "colour", "workspace_id"]
  },
  "POST /v1/connect/sessions": {
    json: { network: "myspace", external_user_id: " ", return_url: "x", features: [], social_account_id: 1, colour: 1 },
    status: 400,
    paths: ["network", "external_user_id", "return_url", "features", "social_account_id", "colour"]
  },
  "GET /v1/connect/sessions/{id}": nothing,
  "GET /v1/accounts": {
    query: `${list}&network=x&network=x&status=x`,
    status: 400,
    paths: [...listPaths.slice(0, 2), "network", "status"]
  },
  "GET /v1/accounts/{id}": nothing,
  "POST /v1/accounts/{id}/check": nothing,
  // Its account comes first (test/accounts).
  "POST /v1/accounts/{id}/reconnect": nothing,
  "DELETE /v1/accounts/{id}": nothing,
  "POST /v1/media/gif-conversions": [
    {
      headers: { "idempotency-key": "a b" },
      json: { gif_media_id: " ", background_color: "red", colour: 1 },
      status: 422,
      paths: ["gif_media_id", "background_color", "colour", "Idempotency-Key"]
    },
    {
      headers: { "idempotency-key": "a b" },
      json: {},
      status: 422,
      paths: ["gif_media_id", "Idempotency-Key"]
    }
  ],
  "GET /v1/media/gif-conversions": [
    { query: list, status: 422, paths: listPaths },
    { query: "limit=0&status=x&cursor=abc", status: 422, paths: ["limit", "status", "cursor"] }
  ],
  "GET /v1/media/gif-conversions/{id}": nothing,
  "DELETE /v1/media/gif-conversions/{id}": nothing,
  "POST /v1/media/audio-overlays": [
    {
      headers: { "idempotency-key": "a b" },
      json: { video_media_id: " ", mode: "loud", video_volume: 101, audio_start_ms: -1, colour: 1 },
      status: 422,
      paths: ["video_media_id", "audio_media_id", "mode", "video_volume", "audio_start_ms", "colour", "Idempotency-Key"]
    }
  ],
  "GET /v1/media/audio-overlays": [
    { query: list, status: 422, paths: listPaths },
    { query: "limit=0&status=x&cursor=abc", status: 422, paths: ["limit", "status", "cursor"] }
  ],
  "GET /v1/media/audio-overlays/{id}": nothing,
  "DELETE /v1/media/audio-overlays/{id}": nothing,
  "POST /v1/media": [
    {
      json: { content_type: 1, size_bytes: -1, filename: "a\0b", colour: 1 },
      status: 422,
      paths: ["content_type", "size_bytes", "filename", "colour"]
    },
    {
      headers: { "content-type": "image/gif", "x-filename": controlled },
      body: new Uint8Array(0),
      status: 422,
      paths: ["X-Filename", "body"]
    },
    { body: formOf({ colour: "red", size: "big" }), status: 422, paths: ["colour", "size", "file"] }
  ],
  "GET /v1/media": { query: list, status: 422, paths: listPaths },
  "GET /v1/media/{id}": nothing,
  "DELETE /v1/media/{id}": nothing,
  "PUT /v1/media/{id}/content": signed,
  "GET /v1/media/{id}/content": signed,
  "POST /v1/admin/workspaces": {
    json: { name: " ", plan: "free", limits: { active_jobs: -1, gif_conversions_per_24h: 1 }, colour: 1 },
    status: 400,
    paths: ["name", "limits", "limits.active_jobs", "colour"]
  },
  "GET /v1/admin/workspaces": adminLists,
  "GET /v1/admin/workspaces/{id}": nothing,
  "PATCH /v1/admin/workspaces/{id}": {
    json: { name: "", plan: "basic", limits: { active_jobs: 1 }, colour: 1 },
    status: 400,
    paths: ["name", "limits", "colour"]
  },
  "DELETE /v1/admin/workspaces/{id}": nothing,
  "GET /v1/admin/workspaces/{id}/members": adminLists,
  "GET /v1/admin/workspaces/{id}/members/{user_id}": nothing,
  "PUT /v1/admin/workspaces/{id}/members/{user_id}": {
    at: { user_id: controlled },
    json: { role: "boss", colour: 1 },
    status: 400,
    paths: ["user_id", "role", "colour"]
  },
  "DELETE /v1/admin/workspaces/{id}/members/{user_id}": {
    at: { user_id: controlled },
    status: 400,
    paths: ["user_id"]
  },
  "POST /v1/admin/workspaces/{id}/api-keys": [
    {
      json: { name: "", creator_user_id: "", expires_at: "2020-01-01T00:00:00Z", colour: 1 },
      status: 400,
      paths: ["name", "creator_user_id", "expires_at", "colour"]
    },
    {
      json: { name: "", expires_at: "2036-02-30T00:00:00Z", colour: 1 },
      status: 400,
      paths: ["name", "expires_at", "colour"]
    }
  ],
  "GET /v1/admin/workspaces/{id}/api-keys": adminLists,
  "GET /v1/admin/workspaces/{id}/api-keys/{key_id}": nothing,
  "DELETE /v1/admin/workspaces/{id}/api-keys/{key_id}": nothing,
  "POST /v1/admin/test/clock": { json: { advance: "soon", colour: 1 }, status: 400, paths: ["advance", "colour"] },
  "GET /v1/admin/workspaces/{id}/managed-users": adminLists,
  "PUT /v1/admin/workspaces/{id}/managed-users/{external_user_id}": [
    {
      at: { external_user_id: controlled },
      json: { colour: 1 },
      status: 400,
      paths: ["external_user_id", "colour"]
    },
    {
      at: { external_user_id: "x".repeat(257) },
      json: { colour: 1 },
      status: 400,
      paths: ["external_user_id", "colour"]
    }
  ],
  "GET /v1/admin/workspaces/{id}/managed-users/{external_user_id}": nothing,
  "GET /v1/admin/workspaces/{id}/managed-users/{external_user_id}/export": nothing,
  "DELETE /v1/admin/workspaces/{id}/managed-users/{external_user_id}": nothing,
  "POST /v1/admin/workspaces/{id}/social-accounts": [
    {
      json: {
        network: "x",
        network_account_id: "a b",
        name: "",
        access_token: "",
        external_user_id: " ",
        check: 1,
        colour: 1
      },
      status: 400,
      paths: ["check", "username", "network_account_id", "name", "access_token", "external_user_id", "colour"]
    },
    {
      json: { network: "myspace", username: "a b", external_user_id: "x".repeat(257) },
      status: 400,
      paths: ["network", "network_account_id", "name", "username", "access_token", "external_user_id"]
    }
  ],
  "GET /v1/admin/workspaces/{id}/social-accounts": adminLists,
  "PATCH /v1/admin/workspaces/{id}/social-accounts/{account_id}": {
    json: { name: "", refresh_token: "a b", token_expires_at: "soon", external_user_id: " ", scopes: [""], colour: 1 },
    status: 400,
    paths: ["name", "access_token", "refresh_token", "token_expires_at", "external_user_id", "scopes[0]", "colour"]
  },
  "GET /v1/admin/workspaces/{id}/social-accounts/{account_id}": nothing,
  "DELETE /v1/admin/workspaces/{id}/social-accounts/{account_id}": nothing,
  "POST /v1/admin/workspaces/{id}/dashboard-tokens": {
    json: { user_id: "", ttl_seconds: 0, colour: 1 },
    status: 400,
    paths: ["user_id", "ttl_seconds", "colour"]
  },
  "GET /v1/webhooks/meta": signed,
  "POST /v1/webhooks/meta": signed,
  "GET /v1/webhooks/threads": signed,
  "POST /v1/webhooks/threads": signed,
  "GET /v1/webhooks/x": signed,
  "POST /v1/webhooks/x": signed,
  "GET /livez": nothing,
  "GET /readyz": nothing,
  "GET /metrics": nothing
}

const server = serverWith({ advanceClock: () => DateTime.now }).pipe(Layer.provideMerge(services))

function formOf(fields: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const send = (name: string, world: World, { at = {}, paths: _, query, status: __, ...init }: Wrong) => {
  const [method = "", pattern = ""] = name.split(" ")
  const isAdmin = pattern.startsWith("/v1/admin/")
  // What is absent is told before a query is judged.
  const id = isAdmin
    ? world.id
    : pattern.startsWith("/v1/inbox/threads/")
      ? world.thread
      : pattern.startsWith("/v1/webhook-endpoints/")
        ? world.endpoint
        : world.item
  const values: Readonly<Record<string, string>> = { id, ...at }
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? "none")
  const key = isAdmin ? adminToken : world.key
  return call(method, query === undefined ? path : `${path}?${query}`, { key, ...init })
}

const judge = (name: string, answer: Answer, { paths, status }: Wrong) => {
  const code = status === 400 ? "400 VALIDATION_ERROR" : "422 validation_error"
  assert.strictEqual(codeOf(answer), code, `${name}: ${answer.text}`)
  assert.sameMembers([...pathsOf(answer)], [...paths], name)
}

describe("a request that is wrong in several ways (api.md §1)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const makeWorld = Effect.gen(function* () {
      const { id, key } = yield* makeInbox()
      yield* comment(yield* connectAccount(id), ["a"])
      const item = yield* itemId(key, "a")
      const found = yield* inbox("GET", `/${item}`, scopes.workspace, { key })
      const made = yield* call("POST", `/v1/webhook-endpoints?${scopes.workspace}`, {
        key,
        json: { url: "https://app.example/hook" }
      })
      return {
        id,
        key,
        item,
        thread: String(found.body["data"]?.["thread_id"]),
        endpoint: String(made.body["data"]?.["id"])
      }
    })

    it("stands here for every endpoint", () => {
      const all: Array<string> = ["GET /v1/inbox/ws"]
      for (const endpoint of ["meta", "threads", "x"]) {
        all.push(`GET /v1/webhooks/${endpoint}`, `POST /v1/webhooks/${endpoint}`)
      }
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ endpoint: { method, path } }) => {
          all.push(`${method} ${path.replace(/(?<=.)\/$/, "").replaceAll(/:(\w+)/g, "{$1}")}`)
        }
      })
      assert.sameMembers(Object.keys(wrong), all)
    })
    for (const [name, given] of Object.entries(wrong)) {
      if (typeof given === "string") continue
      it.effect(`is told all of them at ${name}`, () =>
        Effect.gen(function* () {
          const world = yield* makeWorld
          for (const one of [given].flat()) judge(name, yield* send(name, world, one), one)
        })
      )
    }
    it.effect("is told those of a WebSocket's query and of its headers", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorld
        const answer = yield* sendRaw(
          yield* portOf,
          `GET /v1/inbox/ws?${scopes.workspace}&after=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n"
        )
        assert.match(answer, /^HTTP\/1\.1 400 /)
        assert.match(answer, /"path":"after".*"path":"Sec-WebSocket-Key"/)
      })
    )
    it.effect("is not told that a cursor is wrong which is not", () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorld
        yield* call("POST", "/v1/admin/workspaces", { key: adminToken, json: { name: "B", plan: "free" } })
        const keys = `/v1/admin/workspaces/${id}/api-keys`
        yield* call("POST", keys, { key: adminToken, json: { name: "B" } })
        for (const path of ["/v1/admin/workspaces", keys]) {
          const page = yield* call("GET", `${path}?limit=1`, { key: adminToken })
          const cursor = String(page.body["next_cursor"])
          const answer = yield* call("GET", `${path}?limit=0&cursor=${cursor}`, { key: adminToken })
          assert.deepEqual([codeOf(answer), ...pathsOf(answer)], ["400 VALIDATION_ERROR", "limit"])
        }
      })
    )
  })
})
