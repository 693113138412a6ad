import { RateLimited } from "@loopbox/core/networks/ConnectorErrors"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { addManagedUser, connectAccount, inbox, issueKey, makeInbox, scopes } from "./inboxSupport.ts"
import { connectX, scriptX } from "./syncSupport.ts"
import { call, codeOf, services, serverWith } from "../support.ts"

/** The server with a worker over scripted networks, which polls only when it is asked. */
const world = serverWith().pipe(
  Layer.provideMerge(SyncWorker.layer({ every: Option.none() })),
  Layer.provideMerge(Ingest.layer),
  Layer.provideMerge(AccountTokens.layer),
  Layer.provideMerge(FakeConnector.layer),
  Layer.provideMerge(services)
)

const sync = (key: string, options: Parameters<typeof inbox>[3] = {}, query: string = scopes.workspace) =>
  inbox("POST", "/sync", query, { key, ...options })
const backfill = (key: string, x_backfill: object, query?: string) => sync(key, { json: { x_backfill } }, query)

describe("POST /v1/inbox/sync (api.md §3)", () => {
  layer(world, { excludeTestServices: true })((it) => {
    it.effect("polls every account of the scope, and shows the sync by its id in that scope", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* addManagedUser(id, "u2")
        const networks = yield* FakeConnector.FakeNetworks
        const retryAt = DateTime.makeUnsafe("2099-01-01T00:00:00.000Z")
        networks.script = {
          listFeeds: () =>
            Effect.fail(
              new RateLimited({
                network: "instagram",
                networkCode: Option.none(),
                detail: "",
                retryAt: Option.some(retryAt)
              })
            )
        }
        for (const options of [{}, { body: "" }, { json: {} }, { json: { x_backfill: null } }]) {
          const { body, status } = yield* sync(key, options, scopes.user("u1"))
          assert.strictEqual(status, 200)
          const data: unknown = { ...body["data"], id: "" }
          assert.deepStrictEqual(data, {
            id: "",
            status: "completed",
            new_items: 0,
            accounts_checked: 1,
            errors: [
              {
                social_account_id: account.id,
                network: "instagram",
                step: "comments",
                code: "RATE_LIMITED",
                message: "The network limits how often this account is asked.",
                retry_at: "2099-01-01T00:00:00.000Z"
              }
            ],
            details: [
              { social_account_id: account.id, network: "instagram", read: 0, new_items: 0, next_poll_at: null }
            ]
          })
          const path = `/sync/${String(body["data"]?.["id"])}`
          const found = yield* inbox("GET", path, scopes.user("u1"), { key })
          assert.deepEqual<unknown>(found.body["data"], body["data"])
          assert.strictEqual((yield* inbox("GET", path, scopes.workspace, { key })).status, 200)
          assert.strictEqual(codeOf(yield* inbox("GET", path, scopes.user("u2"), { key })), "404 NOT_FOUND")
        }
      })
    )

    it.effect("judges access, then the body, and names every fault", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const plain = (yield* issueKey(id)).key
        assert.strictEqual(codeOf(yield* sync("nobody", { body: "{" })), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* sync(plain, { body: "{" })), "403 API_KEY_CREATOR_REQUIRED")
        assert.strictEqual(codeOf(yield* sync(key, {}, "")), "400 INBOX_SCOPE_REQUIRED")
        const poor = yield* makeInbox("free")
        assert.strictEqual(codeOf(yield* sync(poor.key, { body: "{" })), "402 PLAN_FEATURE_NOT_AVAILABLE")
        assert.strictEqual(
          codeOf(yield* sync(key, { body: "{", headers: { "content-type": "application/json" } })),
          "400 VALIDATION_ERROR"
        )
        assert.strictEqual(
          codeOf(yield* sync(key, { body: "x=1", headers: { "content-type": "text/plain" } })),
          "415 UNSUPPORTED_MEDIA_TYPE"
        )
        const wrong = { x_backfill: { lookback_days: 8, max_items: 0, more: 1 }, other: 1 }
        const { body, status } = yield* sync(key, { json: wrong })
        assert.strictEqual(status, 400)
        const issues = Object.values({ ...body["error"]?.["details"]?.["issues"] }).map((issue) =>
          String(issue["path"])
        )
        assert.sameMembers(issues, ["other", "x_backfill.lookback_days", "x_backfill.max_items", "x_backfill.more"])
        const absent = yield* inbox("GET", "/sync/syn_NOT", scopes.workspace, { key })
        assert.strictEqual(codeOf(absent), "404 NOT_FOUND")
        const method = yield* inbox("GET", "/sync", scopes.workspace, { key })
        assert.strictEqual(codeOf(method), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual((yield* call("OPTIONS", "/v1/inbox/sync")).headers.get("allow"), method.headers.get("allow"))
      })
    )

    it.effect("reads a small past of X at once, within its bounds, and counts what became of it", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectX(id, "us", "u1")
        yield* connectAccount(id, "u1")
        const read = yield* scriptX(30)
        const first = yield* backfill(key, { max_items: 7 })
        const data = first.body["data"]
        assert.deepEqual<unknown>(
          { ...data, id: "" },
          {
            id: "",
            status: "completed",
            new_items: 7,
            accounts_checked: 1,
            errors: [],
            details: [
              {
                social_account_id: account.id,
                network: "x",
                read: 7,
                new_items: 7,
                next_poll_at: null,
                stop_reason: "max_items"
              }
            ],
            accepted: 7,
            duplicates: 0,
            suppressed: 0
          }
        )
        const again = yield* backfill(key, { social_account_id: account.id }, scopes.user("u1"))
        const counts = again.body["data"]
        assert.deepEqual<unknown>([counts?.["accepted"], counts?.["duplicates"]], [13, 7])
        assert.deepStrictEqual(read, [7, 20])
        const { body } = yield* inbox("GET", `/sync/${String(data?.["id"])}`, scopes.workspace, { key })
        assert.deepEqual<unknown>(body["data"], data)
      })
    )

    it.effect("asks first where it may cost much, and takes the token once, for this scope and input", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* connectX(id, "one", "u1")
        yield* connectX(id, "two", "u1")
        const read = yield* scriptX(20)
        const asked = yield* backfill(key, { max_items: 60 })
        const offer = asked.body["data"]
        assert.deepEqual<unknown>(
          [asked.status, offer?.["confirmation_required"], offer?.["estimated_reads"]],
          [200, true, 120]
        )
        assert.match(String(offer?.["confirmation_expires_at"]), /Z$/)
        assert.deepStrictEqual(read, [])
        const confirmation_token = String(offer?.["confirmation_token"])
        const token = { confirmation_token }
        const refused: ReadonlyArray<readonly [object, string | undefined, string]> = [
          [{ max_items: 60, confirmation_token: "wrong" }, undefined, "400 VALIDATION_ERROR"],
          [{ max_items: 60, ...token }, scopes.user("u1"), "400 VALIDATION_ERROR"],
          [{ max_items: 61, ...token }, undefined, "409 VALIDATION_ERROR"],
          [{ max_items: 60, lookback_days: 6, ...token }, undefined, "409 VALIDATION_ERROR"]
        ]
        for (const [input, query, code] of refused) {
          assert.strictEqual(codeOf(yield* backfill(key, input, query)), code)
        }
        assert.deepStrictEqual(read, [])
        // Its defaults filled in it is the same input.
        const input = { max_items: 60, lookback_days: 7, social_account_id: null, ...token }
        const both = yield* Effect.all([backfill(key, input), backfill(key, input)], { concurrency: 2 })
        const [one, two] = both.map(({ body }) => body["data"])
        assert.deepEqual<unknown>(one, two)
        assert.deepEqual<unknown>([one?.["accepted"], one?.["status"]], [40, "completed"])
        assert.deepEqual<unknown>((yield* backfill(key, input)).body["data"], one)
        assert.strictEqual(read.length, 2)
      })
    )

    it.effect("answers 404 where there is no such X account in the scope", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const instagram = yield* connectAccount(id, "u1")
        const theirs = yield* connectX(id, "us", "u2")
        yield* addManagedUser(id, "u1")
        for (const [input, query] of [
          [{}, scopes.user("u1")],
          [{ social_account_id: instagram.id }, scopes.workspace],
          [{ social_account_id: theirs.id }, scopes.user("u1")],
          [{ social_account_id: "acc_NOT" }, scopes.workspace]
        ] as const) {
          assert.strictEqual(codeOf(yield* backfill(key, input, query)), "404 NOT_FOUND")
        }
      })
    )
  })
})
