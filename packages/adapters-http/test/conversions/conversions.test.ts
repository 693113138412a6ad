import { assert, describe, layer } from "@effect/vitest"
import { Access } from "@loopbox/core/access/Access"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { Administration } from "@loopbox/core/access/Administration"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { commentOf, joinBytes, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { call, codeOf, makeWorkspace, pathsOf, server, serverWith, services, uploadGif } from "../support.ts"

const path = "/v1/media/gif-conversions"

describe("POST /v1/media/gif-conversions (§4.3)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const submit = (key: string, json: unknown, headers: Record<string, string> = {}) =>
      call("POST", path, { key, json, headers })

    it.effect("queues a job and shows every key of it", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const gif_media_id = yield* uploadGif(key)
        const answer = yield* submit(key, { gif_media_id, background_color: "#a0b1c2" })
        assert.strictEqual(answer.status, 202)
        const { id, created_at, ...job } = { ...answer.body["data"] }
        assert.match(String(id), /^mpj_[0-9a-z]{26}$/)
        assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.deepEqual<unknown>(job, {
          kind: "gif_to_mp4",
          status: "queued",
          gif_media_id,
          background_color: "#A0B1C2",
          output_profile: "universal_mp4_v1",
          output_media_id: null,
          progress: null,
          attempts: 0,
          started_at: null,
          completed_at: null,
          error: null
        })
      })
    )
    it.effect("takes null as absent", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const gif_media_id = yield* uploadGif(key)
        const answer = yield* submit(key, { gif_media_id, background_color: null })
        assert.strictEqual(String(answer.body["data"]?.["background_color"]), "#FFFFFF")
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id: null })), "422 gif_media_required")
      })
    )
    it.effect("names everything that is wrong with body and key at once", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const bad = { gif_media_id: 5, background_color: [], mode: "fast" }
        const answer = yield* submit(key, bad, { "idempotency-key": "a b" })
        assert.strictEqual(codeOf(answer), "422 validation_error")
        assert.sameMembers([...pathsOf(answer)], ["gif_media_id", "background_color", "mode", "Idempotency-Key"])
        assert.include(answer.text, '{"path":"gif_media_id","message":"must be a string or null"}')
        assert.include(answer.text, '{"path":"mode","message":"is not known here"}')
      })
    )
    it.effect("answers 422 for a body that is no JSON object, and for a bad Idempotency-Key", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const json = { "content-type": "application/json" }
        const bodies = ["", "{bad", "[]", "null", "5", '"x"', new Uint8Array([0x7b, 0xff, 0x7d])]
        for (const body of bodies) {
          const answer = yield* call("POST", path, { key, body, headers: json })
          assert.strictEqual(codeOf(answer), "422 validation_error")
          assert.deepEqual(pathsOf(answer), ["body"])
        }
        for (const bad of ["", "a b", "x".repeat(256), "\u00e9"]) {
          const answer = yield* submit(key, { gif_media_id: "x" }, { "idempotency-key": bad })
          assert.deepEqual(pathsOf(answer), ["Idempotency-Key"], bad)
        }
      })
    )
    it.effect("takes JSON only, and an absent Content-Type as JSON", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "image/gif"]) {
          const answer = yield* call("POST", path, { key, body: "{}", headers: { "content-type": type } })
          assert.strictEqual(codeOf(answer), "415 UNSUPPORTED_MEDIA_TYPE", type)
        }
        const absent = yield* call("POST", path, { key, body: new TextEncoder().encode("{}") })
        assert.strictEqual(codeOf(absent), "422 gif_media_required")
        const charset = { "content-type": "Application/JSON; charset=utf-8" }
        assert.strictEqual(
          codeOf(yield* call("POST", path, { key, body: "{}", headers: charset })),
          "422 gif_media_required"
        )
      })
    )
    it.effect("refuses a JSON body over 1 MiB, said or streamed", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const body = JSON.stringify({ gif_media_id: "x".repeat(1024 * 1024) })
        const headers = { "content-type": "application/json" }
        assert.strictEqual(codeOf(yield* call("POST", path, { key, body, headers })), "413 PAYLOAD_TOO_LARGE")
        const stream = new Blob([body]).stream()
        const streamed = yield* call("POST", path, { key, body: stream, headers, duplex: "half" })
        assert.strictEqual(codeOf(streamed), "413 PAYLOAD_TOO_LARGE")
      })
    )
    it.effect("answers refusals in the order of api.md §6", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace("free")
        const unknown = "med_01k9j8kz7c5r3n1p9h7f5d3b1a"
        assert.strictEqual(codeOf(yield* submit("wrong", "{bad")), "401 UNAUTHORIZED")
        assert.strictEqual(
          codeOf(yield* submit(key, { gif_media_id: " ", background_color: "red" })),
          "422 gif_media_required"
        )
        assert.strictEqual(
          codeOf(yield* submit(key, { gif_media_id: unknown, background_color: "red" })),
          "422 invalid_background_color"
        )
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id: unknown })), "404 media_not_found")
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id: "x\u0000" })), "404 media_not_found")

        const reserved = yield* call("POST", "/v1/media", { key, json: { content_type: "image/gif" } })
        const pending = reserved.body["data"]?.["id"]
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id: pending })), "409 input_media_unavailable")
        const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(40))
        const picture = yield* call("POST", "/v1/media", { key, body: png, headers: { "content-type": "image/png" } })
        const pngId = picture.body["data"]?.["id"]
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id: pngId })), "422 gif_media_required")

        const gif_media_id = yield* uploadGif(key)
        const first = yield* submit(key, { gif_media_id }, { "idempotency-key": "k" })
        assert.strictEqual(first.status, 202)
        const full = yield* submit(key, { gif_media_id })
        assert.strictEqual(codeOf(full), "429 media_processing_capacity_exceeded")
        assert.match(full.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        const replay = yield* submit(key, { gif_media_id, background_color: "#ffffff" }, { "idempotency-key": "k" })
        assert.strictEqual(replay.status, 202)
        assert.strictEqual(replay.body["data"]?.["id"], first.body["data"]?.["id"])
        const other = yield* submit(key, { gif_media_id: pngId }, { "idempotency-key": "k" })
        assert.strictEqual(codeOf(other), "409 idempotency_conflict")
      })
    )
    it.effect("refuses a GIF over 50 MB", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const start = sampleGif({ width: 2, height: 2, images: [{}], trailer: new Uint8Array() })
        const bytes = joinBytes([start, commentOf(52_428_801 - start.length - 1), Uint8Array.of(0x3b)])
        const gif_media_id = yield* uploadGif(key, new Uint8Array(bytes))
        assert.strictEqual(codeOf(yield* submit(key, { gif_media_id })), "422 gif_size_exceeded")
      })
    )
  })

  layer(server)("the limit of 24 hours", (it) => {
    it.effect("is refused with the moment at which one more is admitted", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace("free")
        const gif_media_id = yield* uploadGif(key)
        for (let i = 0; i < 10; i++) {
          const { body } = yield* call("POST", path, { key, json: { gif_media_id } })
          yield* call("DELETE", `${path}/${String(body["data"]?.["id"])}`, { key })
          yield* TestClock.adjust("1 minute")
        }
        yield* TestClock.adjust("500 millis")
        const refused = yield* call("POST", path, { key, json: { gif_media_id } })
        assert.strictEqual(codeOf(refused), "429 gif_conversion_rate_limit_exceeded")
        assert.strictEqual(String(refused.body["error"]?.["details"]?.["reset_at"]), "1970-01-02T00:00:00.000Z")
        // 24 hours less ten minutes and a half second, rounded up.
        assert.strictEqual(refused.headers.get("retry-after"), String(24 * 3600 - 600))
      })
    )
  })
})

describe("GET and DELETE /v1/media/gif-conversions (§4.4)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const start = Effect.fnUntraced(function* (count: number) {
      const { key, workspace } = yield* makeWorkspace("team")
      const gif_media_id = yield* uploadGif(key)
      const ids: Array<string> = []
      for (let i = 0; i < count; i++) {
        const { body } = yield* call("POST", path, { key, json: { gif_media_id } })
        ids.unshift(String(body["data"]?.["id"]))
      }
      return { key, workspace, ids, gif_media_id }
    })
    const idsOf = (body: { readonly [member: string]: unknown }) => {
      const data = body["data"]
      return Array.isArray(data) ? data.map(({ id }) => String(id)) : []
    }

    it.effect("reads a job, and no job of another workspace", () =>
      Effect.gen(function* () {
        const { ids, key } = yield* start(1)
        const found = yield* call("GET", `${path}/${ids[0]}`, { key })
        assert.strictEqual(found.status, 200)
        const other = yield* makeWorkspace()
        for (const id of [ids[0], "mpj_x", "%00", "x".repeat(500)]) {
          assert.strictEqual(codeOf(yield* call("GET", `${path}/${id}`, { key: other.key })), "404 not_found")
        }
      })
    )
    it.effect("lists jobs newest first, in pages, by status", () =>
      Effect.gen(function* () {
        const { ids, key } = yield* start(5)
        yield* call("DELETE", `${path}/${ids[2]}`, { key })
        const all = yield* call("GET", path, { key })
        assert.deepEqual(idsOf(all.body), ids)
        assert.isNull(all.body["next_cursor"])
        const first = yield* call("GET", `${path}?limit=2`, { key })
        assert.deepEqual(idsOf(first.body), ids.slice(0, 2))
        const next = String(first.body["next_cursor"])
        const second = yield* call("GET", `${path}?limit=3&cursor=${next}`, { key })
        assert.deepEqual(idsOf(second.body), ids.slice(2, 5))
        const failed = yield* call("GET", `${path}?status=failed`, { key })
        assert.deepEqual(idsOf(failed.body), [ids[2] ?? ""])
      })
    )
    it.effect("refuses a cursor that was altered, or of another workspace, list or filter", () =>
      Effect.gen(function* () {
        const { key } = yield* start(3)
        const other = yield* start(0)
        const cursor = String((yield* call("GET", `${path}?limit=1`, { key })).body["next_cursor"])
        const swapped = cursor.slice(0, -1) + (cursor.endsWith("A") ? "B" : "A")
        const tries = [
          call("GET", `${path}?cursor=${swapped}`, { key }),
          call("GET", `${path}?cursor=${cursor.slice(0, 10)}`, { key }),
          call("GET", `${path}?cursor=`, { key }),
          call("GET", `${path}?cursor=${cursor}&status=queued`, { key }),
          call("GET", `${path}?cursor=${cursor}`, { key: other.key }),
          call("GET", `/v1/media?cursor=${cursor}`, { key })
        ]
        for (const answer of yield* Effect.all(tries)) {
          assert.strictEqual(codeOf(answer), "422 validation_error")
          assert.deepEqual(pathsOf(answer), ["cursor"])
        }
      })
    )
    it.effect("refuses by name what it does not know or cannot read in its query", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        for (const limit of ["0", "101", "-1", "+5", "1e2", "05", "5.0", " 5", "", "x", "1&limit=2"]) {
          const answer = yield* call("GET", `${path}?limit=${limit}`, { key })
          assert.strictEqual(codeOf(answer), "422 validation_error", limit)
          assert.deepEqual(pathsOf(answer), ["limit"], limit)
        }
        const all = yield* call("GET", `${path}?status=done&limt=5&limit=x&cursor=!`, { key })
        assert.sameMembers([...pathsOf(all)], ["status", "limt", "limit", "cursor"])
        assert.deepEqual(pathsOf(yield* call("GET", `${path}?status=`, { key })), ["status"])
        const twice = yield* call("GET", `${path}?status=failed&status=failed`, { key })
        assert.include(twice.text, '{"path":"status","message":"must be given once"}')
      })
    )
    it.effect("cancels a queued job, once", () =>
      Effect.gen(function* () {
        const { ids, key } = yield* start(1)
        const canceled = yield* call("DELETE", `${path}/${ids[0]}`, { key })
        assert.strictEqual(canceled.status, 200)
        const { completed_at, error, started_at, status } = { ...canceled.body["data"] }
        assert.strictEqual(String(status), "failed")
        assert.deepInclude<unknown>({ ...error }, { code: "canceled", retryable: false })
        assert.isNull(started_at)
        assert.isNotNull(completed_at)
        assert.strictEqual(codeOf(yield* call("DELETE", `${path}/${ids[0]}`, { key })), "409 job_already_ended")
        assert.strictEqual(codeOf(yield* call("DELETE", `${path}/mpj_none`, { key })), "404 not_found")
      })
    )
    it.effect("is over for a key whose workspace was erased", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* start(1)
        yield* (yield* Administration).eraseWorkspace(workspace.id)
        assert.strictEqual(codeOf(yield* call("GET", path, { key })), "401 UNAUTHORIZED")
      })
    )
  })
})

describe("a store that is down (api.md §6, row 13)", () => {
  const unavailable = Effect.fail(new StoreUnavailable({ operation: "test", committed: "no", cause: "down" }))
  const withAccess = (authenticate: Access["Service"]["authenticate"]) =>
    Layer.fresh(InboxAccess.layer).pipe(
      Layer.provideMerge(Layer.succeed(Access, Access.of({ authenticate }))),
      Layer.provide(services)
    )
  const accessDown = withAccess(() => unavailable)
  const broken = serverWith().pipe(Layer.provide(accessDown), Layer.provideMerge(services))

  layer(broken, { excludeTestServices: true })((it) => {
    it.effect("answers 503 with Retry-After: conversions with a code of their own, authentication included", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const conversion = yield* call("POST", path, { key, body: "{bad" })
        assert.strictEqual(codeOf(conversion), "503 media_processing_unavailable")
        assert.match(conversion.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        const media = yield* call("GET", "/v1/media", { key })
        assert.strictEqual(codeOf(media), "503 TEMPORARILY_UNAVAILABLE")
        assert.match(media.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        assert.strictEqual(codeOf(yield* call("GET", "/v1/media/x/content", { key })), "503 TEMPORARILY_UNAVAILABLE")
      })
    )
  })

  const bug = withAccess(() => Effect.die("secret of ours"))
  layer(serverWith().pipe(Layer.provide(bug), Layer.provideMerge(services)), { excludeTestServices: true })(
    "a bug",
    (it) => {
      it.effect("answers 500 without any detail of it", () =>
        Effect.gen(function* () {
          const answer = yield* call("GET", path, { key: "lbx_x" })
          assert.strictEqual(codeOf(answer), "500 INTERNAL_ERROR")
          assert.notInclude(answer.text, "secret")
        })
      )
    }
  )
})
