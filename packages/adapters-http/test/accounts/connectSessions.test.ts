import { assert, describe, layer } from "@effect/vitest"
import { ManagedUserNotFound, ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { AccountNotFound } from "@loopbox/core/accounts/AccountErrors"
import {
  AccountOfOtherNetwork,
  ConnectSessionNotFound,
  NetworkNotConfigured,
  OwnerMismatch,
  ReturnUrlInvalid
} from "@loopbox/core/connecting/ConnectErrors"
import type { ConnectSessions, NewConnectSession } from "@loopbox/core/connecting/ConnectSessions"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { DateTime, Effect, Layer, Option } from "effect"
import {
  accountId,
  failed,
  linkToken,
  Script,
  sessionId,
  sessionWith,
  workspaceId
} from "../connect/scriptedConnecting.ts"
import { addManagedUser, makeInbox } from "../inbox/inboxSupport.ts"
import { call, codeOf, pathsOf, serverWith, services } from "../support.ts"
import { accountView } from "./accountFixtures.ts"

const live = serverWith({ publicUrl: "https://loopbox.example/base/" }).pipe(Layer.provideMerge(services))
const path = "/v1/connect/sessions"
const url = "https://loopbox.example/base/connect/link-of-mine"

type CreateFailure = Effect.Error<ReturnType<ConnectSessions["Service"]["create"]>>

/** Answers every new session by one that is pending, and notes what was asked. */
const notingCreate = (asked: Array<{ readonly scope: InboxScope; readonly request: NewConnectSession }>) => ({
  create: (scope: InboxScope, request: NewConnectSession) => {
    asked.push({ scope, request })
    return Effect.succeed({ session: sessionWith("pending"), linkToken })
  }
})

describe("/v1/connect/sessions (api-2.md §11)", () => {
  layer(live, { excludeTestServices: true })((it) => {
    it.effect("makes a session for all features and the workspace unless said otherwise", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox("free")
        yield* addManagedUser(id, "u1")
        const script = yield* Script
        const asked: Array<{ readonly scope: InboxScope; readonly request: NewConnectSession }> = []
        script.sessions = notingCreate(asked)
        const made = yield* call("POST", path, { key, json: { network: "facebook", return_url: null } })
        assert.strictEqual(made.status, 201)
        assert.deepEqual<unknown>(
          { ...made.body["data"] },
          {
            id: sessionId,
            network: "facebook",
            external_user_id: null,
            status: "pending",
            url,
            return_url: null,
            features: ["inbox", "publish"],
            social_account_id: null,
            accounts: [],
            error: null,
            created_at: "2026-11-21T07:00:00.000Z",
            expires_at: "2100-01-01T00:00:00.000Z",
            completed_at: null
          }
        )
        const json = {
          network: "x",
          external_user_id: "u1",
          return_url: "http://localhost:3000/done?x=1",
          features: ["inbox", "inbox"],
          social_account_id: accountId
        }
        yield* call("POST", `${path}?inbox_scope=managed_user&external_user_id=u1`, { key, json })
        const nothing = Option.none()
        assert.deepEqual(
          asked.map(({ request }) => request),
          [
            {
              network: "facebook",
              externalUserId: nothing,
              returnUrl: nothing,
              features: ["inbox", "publish", "moderate"],
              socialAccountId: nothing
            },
            {
              network: "x",
              externalUserId: Option.some("u1"),
              returnUrl: Option.some("http://localhost:3000/done?x=1"),
              features: ["inbox"],
              socialAccountId: Option.some(accountId)
            }
          ]
        )
        assert.deepEqual(
          asked.map(({ scope }) => scope._tag),
          ["WorkspaceScope", "ManagedUserScope"]
        )
      })
    )
    it.effect("shows a finished session with its accounts, as far as the scope has them", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const script = yield* Script
        const gone = "acc_01k9j8m2x4v6q8s0t2w4y6z8ac"
        const session = sessionWith("completed", {
          accountIds: [accountId],
          failure: failed("missing_scopes"),
          completedAt: Option.some(DateTime.makeUnsafe("2026-11-21T07:01:00.000Z"))
        })
        script.sessions = { find: () => Effect.succeed({ session, linkToken }) }
        script.accounts = { find: () => Effect.succeed(accountView()) }
        const found = yield* call("GET", `${path}/${sessionId}`, { key })
        assert.strictEqual(found.status, 200)
        const data = { ...found.body["data"] }
        assert.strictEqual(String(data["status"]), "completed")
        assert.strictEqual(String(data["error"]?.["code"]), "missing_scopes")
        assert.match(String(data["error"]?.["message"]), /not all permissions were granted/)
        assert.notInclude(found.text, "detail-of-mine")
        assert.strictEqual(String(data["accounts"]?.["0"]?.["id"]), accountId)
        script.accounts = { find: () => Effect.fail(new AccountNotFound({ workspaceId, accountId: gone })) }
        const moved = yield* call("GET", `${path}/${sessionId}`, { key })
        assert.deepEqual<unknown>(Object.values({ ...moved.body["data"]?.["accounts"] }), [])
        script.sessions = { find: (_, id) => Effect.fail(new ConnectSessionNotFound({ sessionId: id })) }
        assert.strictEqual(codeOf(yield* call("GET", `${path}/con_x`, { key })), "404 NOT_FOUND")
      })
    )
    it.effect("names every fault of a request", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        ;(yield* Script).sessions = {}
        const faults: ReadonlyArray<readonly [json: object, paths: ReadonlyArray<string>]> = [
          [{}, ["network"]],
          [
            { network: "myspace", external_user_id: " ", return_url: "ftp://x", features: ["all"], more: 1 },
            ["network", "external_user_id", "return_url", "features[0]", "more"]
          ],
          [{ network: "x", features: [] }, ["features"]],
          [{ network: "x", external_user_id: "x".repeat(257) }, ["external_user_id"]],
          ...[
            "http://app.example/",
            "https://user@app.example/",
            "https://app.example/#x",
            "https://localhost.evil.example\\@x/",
            "http://localhost.evil.example/",
            "/relative",
            "",
            `https://app.example/${"x".repeat(2_048)}`,
            "https://app.example/\nx"
          ].map((return_url) => [{ network: "x", return_url }, ["return_url"]] as const)
        ]
        for (const [json, paths] of faults) {
          const answer = yield* call("POST", path, { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", JSON.stringify(json))
          assert.sameMembers([...pathsOf(answer)], [...paths], JSON.stringify(json))
        }
      })
    )
    it.effect("says which settings a host lacks, and what core refuses", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const script = yield* Script
        const settings = ["LOOPBOX_META_APP_ID", "LOOPBOX_META_APP_SECRETS"]
        const refusals: ReadonlyArray<readonly [CreateFailure, code: string, paths: ReadonlyArray<string>]> = [
          [new NetworkNotConfigured({ network: "facebook", settings }), "409 NETWORK_NOT_CONFIGURED", []],
          [new AccountNotFound({ workspaceId, accountId }), "404 NOT_FOUND", []],
          [new AccountOfOtherNetwork({ accountId, network: "x" }), "400 VALIDATION_ERROR", ["social_account_id"]],
          [new ManagedUserNotFound({ externalUserId: "u1" }), "404 MANAGED_USER_NOT_FOUND", []],
          [new OwnerMismatch(), "400 VALIDATION_ERROR", ["external_user_id"]],
          [new ReturnUrlInvalid({ reason: "scheme" }), "400 VALIDATION_ERROR", ["return_url"]],
          [new ScopeInvalid({ reason: "external_user_id_invalid" }), "400 VALIDATION_ERROR", ["external_user_id"]],
          [new StoreUnavailable({ operation: "test", committed: "no", cause: "x" }), "503 TEMPORARILY_UNAVAILABLE", []]
        ]
        for (const [failure, code, paths] of refusals) {
          script.sessions = { create: () => Effect.fail(failure) }
          const answer = yield* call("POST", path, { key, json: { network: "facebook" } })
          assert.strictEqual(codeOf(answer), code)
          assert.deepEqual([...pathsOf(answer)], [...paths])
          if (code.startsWith("409")) {
            assert.deepEqual<unknown>({ ...answer.body["error"]?.["details"] }, { settings })
            assert.match(String(answer.body["error"]?.["message"]), /Facebook: it lacks LOOPBOX_META_APP_ID/)
          }
        }
      })
    )
  })
})
