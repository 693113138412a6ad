import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { adminToken, type Answer, call, codeOf, pathsOf, server, serverWith, services } from "../support.ts"

const root = "/v1/admin"
const admin = (method: string, path: string, json?: unknown) =>
  call(method, `${root}${path}`, { key: adminToken, ...(json === undefined ? {} : { json }) })
const dataOf = ({ body }: Answer) => ({ ...body["data"] })
const makeWorkspace = (json: object = {}) =>
  Effect.map(admin("POST", "/workspaces", { name: "Acme", plan: "basic", ...json }), (answer) =>
    String(dataOf(answer)["id"])
  )

describe("the admin token (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("is asked for before anything else", () =>
      Effect.gen(function* () {
        for (const key of [undefined, "", "wrong", `${adminToken}x`, adminToken.slice(1)]) {
          const answer = yield* call("POST", `${root}/workspaces`, {
            body: "{bad",
            ...(key === undefined ? {} : { key })
          })
          assert.strictEqual(codeOf(answer), "401 UNAUTHORIZED")
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
          assert.strictEqual(
            String(answer.body["error"]?.["message"]),
            key === undefined || key === ""
              ? "Give the admin token: Authorization: Bearer …"
              : "This is not the admin token of this installation."
          )
          assert.isNull(answer.headers.get("ratelimit-limit"))
        }
        const scheme = yield* call("GET", `${root}/workspaces`, { headers: { authorization: `bEARER ${adminToken}` } })
        assert.strictEqual(scheme.status, 200)
        assert.strictEqual(codeOf(yield* admin("PUT", "/workspaces")), "405 METHOD_NOT_ALLOWED")
      })
    )
  })
  layer(serverWith({ adminToken: undefined }).pipe(Layer.provideMerge(services)), { excludeTestServices: true })(
    "without one",
    (it) => {
      it.effect("every admin route is 404", () =>
        Effect.gen(function* () {
          for (const path of ["/workspaces", "/workspaces/x/api-keys", "/test/clock"]) {
            assert.strictEqual(codeOf(yield* admin("GET", path)), "404 NOT_FOUND")
          }
        })
      )
    }
  )
})

describe("/v1/admin/workspaces (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("makes, reads, changes and erases a workspace", () =>
      Effect.gen(function* () {
        const made = yield* admin("POST", "/workspaces", {
          name: "Acme",
          plan: "enterprise",
          limits: { active_jobs: 9 }
        })
        assert.strictEqual(made.status, 201)
        const { created_at, id, ...rest } = dataOf(made)
        assert.isString(created_at)
        const limits = { active_jobs: 9, gif_conversions_per_24h: null }
        assert.deepEqual<unknown>(rest, { name: "Acme", plan: "enterprise", limits })
        const path = `/workspaces/${String(id)}`
        const merged = yield* admin("PATCH", path, { limits: { gif_conversions_per_24h: 5 }, name: "Acme 2" })
        assert.strictEqual(merged.status, 200)
        assert.deepInclude<unknown>(dataOf(merged), {
          name: "Acme 2",
          limits: { active_jobs: 9, gif_conversions_per_24h: 5 }
        })
        const cleared = yield* admin("PATCH", path, { limits: { active_jobs: null } })
        assert.deepEqual<unknown>(dataOf(cleared)["limits"], { active_jobs: null, gif_conversions_per_24h: 5 })
        const down = yield* admin("PATCH", path, { plan: "free" })
        assert.deepEqual<unknown>(dataOf(down)["limits"], { active_jobs: null, gif_conversions_per_24h: null })
        assert.deepEqual(dataOf(yield* admin("GET", path)), dataOf(down))
        const erased = yield* admin("DELETE", path)
        assert.strictEqual(erased.status, 204)
        assert.strictEqual(erased.text, "")
        assert.strictEqual(codeOf(yield* admin("DELETE", path)), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("GET", path)), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("PATCH", path, { name: "x" })), "404 NOT_FOUND")
      })
    )
    it.effect("lists workspaces in pages", () =>
      Effect.gen(function* () {
        const ids = [yield* makeWorkspace(), yield* makeWorkspace()].reverse()
        const first = yield* admin("GET", "/workspaces?limit=1")
        assert.strictEqual(String(first.body["data"]?.["0"]?.["id"]), ids[0])
        const second = yield* admin("GET", `/workspaces?limit=1&cursor=${String(first.body["next_cursor"])}`)
        assert.strictEqual(String(second.body["data"]?.["0"]?.["id"]), ids[1])
        assert.strictEqual(codeOf(yield* admin("GET", "/workspaces?plan=free&limit=x")), "400 VALIDATION_ERROR")
        assert.deepEqual(pathsOf(yield* admin("GET", "/workspaces?cursor=AAAA")), ["cursor"])
      })
    )
    it.effect("names every fault of a body", () =>
      Effect.gen(function* () {
        const bad: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
          [{}, ["name", "plan"]],
          [{ name: "", plan: "gold", extra: 1 }, ["name", "plan", "extra"]],
          [{ name: "x".repeat(201), plan: "free" }, ["name"]],
          [{ name: "a\u0000b", plan: "free" }, ["name"]],
          [{ name: "a\nb", plan: "free" }, ["name"]],
          [{ name: "\ud800", plan: "free" }, ["name"]],
          [{ name: "x", plan: "free", limits: { active_jobs: 1 } }, ["limits"]],
          [
            { name: "x", plan: "enterprise", limits: { active_jobs: -1, jobs: 1 } },
            ["limits.active_jobs", "limits.jobs"]
          ],
          [
            { name: "x", plan: "enterprise", limits: { gif_conversions_per_24h: 1.5 } },
            ["limits.gif_conversions_per_24h"]
          ],
          [[], ["body"]]
        ]
        for (const [json, paths] of bad) {
          const answer = yield* admin("POST", "/workspaces", json)
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
          assert.sameMembers([...pathsOf(answer)], [...paths])
        }
        const path = `/workspaces/${yield* makeWorkspace()}`
        const changes: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
          [{ limits: { active_jobs: 1 } }, ["limits"]],
          [{ name: "", limits: { active_jobs: 1 } }, ["name", "limits"]],
          [{ name: "", plan: null, limits: { gif_conversions_per_24h: 1 } }, ["name", "limits"]],
          [{ name: "", plan: "team", limits: { active_jobs: 1 } }, ["name", "limits"]],
          // Judged by a plan that is none, or by none.
          [{ plan: "gold", limits: { active_jobs: 1 } }, ["plan"]],
          [{ name: "", plan: "enterprise", limits: { active_jobs: 1 } }, ["name"]],
          [{ name: "", limits: { active_jobs: null } }, ["name"]]
        ]
        for (const [json, paths] of changes) {
          const answer = yield* admin("PATCH", path, json)
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
          assert.sameMembers([...pathsOf(answer)], [...paths], JSON.stringify(json))
        }
        const nowhere = yield* admin("PATCH", "/workspaces/ws_x", { name: "", limits: { active_jobs: 1 } })
        assert.deepEqual(pathsOf(nowhere), ["name"])
        const emoji = yield* admin("POST", "/workspaces", { name: "\u{1f600}".repeat(200), plan: "free" })
        assert.strictEqual(emoji.status, 201)
        const text = yield* call("POST", `${root}/workspaces`, {
          key: adminToken,
          body: "x",
          headers: { "content-type": "text/plain" }
        })
        assert.strictEqual(codeOf(text), "415 UNSUPPORTED_MEDIA_TYPE")
      })
    )
  })
})

describe("/v1/admin/workspaces/{id}/members (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("adds, changes and removes a member", () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace()
        const path = `/workspaces/${id}/members/${encodeURIComponent("auth0|a/b c")}`
        const added = yield* admin("PUT", path, { role: "editor" })
        assert.strictEqual(added.status, 201)
        assert.deepEqual<unknown>(dataOf(added), { workspace_id: id, user_id: "auth0|a/b c", role: "editor" })
        assert.strictEqual((yield* admin("PUT", path, { role: "admin" })).status, 200)
        assert.strictEqual((yield* admin("DELETE", path)).status, 204)
        assert.strictEqual(codeOf(yield* admin("DELETE", path)), "404 NOT_FOUND")
        assert.strictEqual(
          codeOf(yield* admin("PUT", "/workspaces/ws_x/members/u", { role: "admin" })),
          "404 NOT_FOUND"
        )
      })
    )
    it.effect("lists members by their user ids, page by page, and reads one", () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace()
        const path = `/workspaces/${id}/members`
        for (const user of ["kim", "auth0|a/b c", "bea.b"])
          yield* admin("PUT", `${path}/${encodeURIComponent(user)}`, { role: "viewer" })
        const seen: Array<string> = []
        for (let cursor = ""; cursor !== "null";) {
          const { body } = yield* admin("GET", `${path}?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)
          seen.push(...Object.values({ ...body["data"] }).map((member) => String(member["user_id"])))
          cursor = String(body["next_cursor"])
        }
        assert.deepEqual(seen, ["auth0|a/b c", "bea.b", "kim"])
        const one = yield* admin("GET", `${path}/kim`)
        assert.deepEqual<unknown>(dataOf(one), { workspace_id: id, user_id: "kim", role: "viewer" })
        for (const absent of [`${path}/bob`, "/workspaces/ws_x/members/kim", "/workspaces/ws_x/members"])
          assert.strictEqual(codeOf(yield* admin("GET", absent)), "404 NOT_FOUND")
        assert.deepEqual(pathsOf(yield* admin("GET", `${path}?role=viewer`)), ["role"])
      })
    )
    it.effect("refuses roles and users that cannot be", () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace()
        assert.deepEqual(pathsOf(yield* admin("PUT", `/workspaces/${id}/members/u`, { role: "boss" })), ["role"])
        for (const user of ["%00", "x".repeat(257), "a%0A"]) {
          const answer = yield* admin("PUT", `/workspaces/${id}/members/${user}`, { role: "admin" })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
          assert.deepEqual(pathsOf(answer), ["user_id"])
        }
        assert.strictEqual(
          (yield* admin("PUT", `/workspaces/${id}/members/${"x".repeat(256)}`, { role: "admin" })).status,
          201
        )
      })
    )
  })
})

describe("/v1/admin/workspaces/{id}/api-keys (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("makes a key that works until it is revoked, and shows it once", () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace()
        const path = `/workspaces/${id}/api-keys`
        const made = yield* admin("POST", path, { name: "production" })
        assert.strictEqual(made.status, 201)
        const key = String(dataOf(made)["key"])
        assert.match(key, /^lbx_test_/)
        assert.strictEqual((yield* call("GET", "/v1/media", { key })).status, 200)
        const listed = yield* admin("GET", path)
        assert.notInclude(listed.text, key)
        assert.deepInclude<unknown>(
          { ...listed.body["data"]?.["0"] },
          { name: "production", creator_user_id: null, expires_at: null }
        )
        const keyPath = `${path}/${String(dataOf(made)["id"])}`
        const found = yield* admin("GET", keyPath)
        assert.deepEqual<unknown>(dataOf(found), { ...listed.body["data"]?.["0"] })
        assert.notInclude(found.text, key)
        const elsewhere = `/workspaces/${yield* makeWorkspace()}/api-keys/${String(dataOf(made)["id"])}`
        for (const absent of [elsewhere, `${path}/key_x`])
          assert.strictEqual(codeOf(yield* admin("GET", absent)), "404 NOT_FOUND")
        assert.strictEqual((yield* admin("DELETE", keyPath)).status, 204)
        assert.strictEqual(codeOf(yield* call("GET", "/v1/media", { key })), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* admin("DELETE", keyPath)), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("GET", "/workspaces/ws_x/api-keys")), "404 NOT_FOUND")
      })
    )
    it.effect("needs a creator who is a member, and an expiry in the future", () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace()
        const path = `/workspaces/${id}/api-keys`
        assert.deepEqual(pathsOf(yield* admin("POST", path, { name: "x", creator_user_id: "u" })), ["creator_user_id"])
        yield* admin("PUT", `/workspaces/${id}/members/u`, { role: "viewer" })
        const expires_at = "2100-01-01T01:00:00+01:00"
        const made = yield* admin("POST", path, { name: "x", creator_user_id: "u", expires_at })
        assert.deepInclude<unknown>(dataOf(made), { creator_user_id: "u", expires_at: "2100-01-01T00:00:00.000Z" })
        for (const bad of ["2000-01-01T00:00:00Z", "tomorrow", "2100-01-01", "2100-13-01T00:00:00Z", "", 5]) {
          const answer = yield* admin("POST", path, { name: "x", expires_at: bad })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", String(bad))
          assert.deepEqual(pathsOf(answer), ["expires_at"])
        }
      })
    )
  })
})

describe("POST /v1/admin/test/clock (api.md §10)", () => {
  const start = DateTime.makeUnsafe("2026-11-21T07:00:00Z")
  const clock = serverWith({ advanceClock: (by: Duration.Duration) => Effect.succeed(DateTime.addDuration(start, by)) })
  layer(clock.pipe(Layer.provideMerge(services)), { excludeTestServices: true })((it) => {
    it.effect("moves the clock and answers the time", () =>
      Effect.gen(function* () {
        const answer = yield* admin("POST", "/test/clock", { advance: "25 hours" })
        assert.strictEqual(answer.status, 200)
        assert.deepEqual<unknown>(dataOf(answer), { now: "2026-11-22T08:00:00.000Z" })
        for (const advance of ["25", "-1 hours", "Infinity", "0 seconds", "4000 days", "", 5]) {
          assert.deepEqual(pathsOf(yield* admin("POST", "/test/clock", { advance })), ["advance"], String(advance))
        }
        assert.strictEqual(codeOf(yield* call("POST", `${root}/test/clock`)), "401 UNAUTHORIZED")
      })
    )
  })
  layer(server, { excludeTestServices: true })("without a test clock", (it) => {
    it.effect("is 404", () =>
      Effect.gen(function* () {
        assert.strictEqual(codeOf(yield* admin("POST", "/test/clock", { advance: "25 hours" })), "404 NOT_FOUND")
      })
    )
  })
})
