import { assert, describe, layer } from "@effect/vitest"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { AccountCheckFailed } from "@loopbox/core/accounts/AccountErrors"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Script } from "../connect/scriptedConnecting.ts"
import { comment, connectAccount, inbox, itemId, listedBy, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { adminToken, type Answer, call, codeOf, pathsOf, server, serverWith, services } from "../support.ts"

const admin = (method: string, id: string, path: string, json?: unknown) =>
  call(method, `/v1/admin/workspaces/${id}${path}`, { key: adminToken, ...(json === undefined ? {} : { json }) })
const dataOf = ({ body }: Answer) => ({ ...body["data"] })

const page = { network: "instagram", network_account_id: "17841", name: "Acme", access_token: "token-of-mine" }

describe("managed users (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("are made once, listed, read and erased, by ids taken exactly as given", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const names = ["a/b c.d", "A/B c.d", "Ünal 😀", " lead", "x".repeat(256), "..dots.."]
        for (const name of names) {
          const path = `/managed-users/${encodeURIComponent(name)}`
          const made = yield* admin("PUT", id, path, {})
          assert.strictEqual(made.status, 201, name)
          assert.strictEqual(String(dataOf(made)["external_user_id"]), name)
          for (const json of [undefined, {}]) assert.strictEqual((yield* admin("PUT", id, path, json)).status, 200)
          assert.deepEqual([...pathsOf(yield* admin("PUT", id, path, { more: 1 }))], ["more"])
          assert.deepEqual(dataOf(yield* admin("GET", id, path)), dataOf(made))
          assert.strictEqual((yield* inbox("GET", "/unread-count", scopes.user(name), { key })).status, 200)
        }
        const seen: Array<string> = []
        for (let cursor = ""; cursor !== "null";) {
          const query = `?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`
          const { body } = yield* admin("GET", id, `/managed-users${query}`)
          seen.push(...Object.values({ ...body["data"] }).map((user) => String(user["external_user_id"])))
          cursor = String(body["next_cursor"])
        }
        assert.sameMembers(seen, names)
        const blank = yield* admin("PUT", id, "/managed-users/%20", {})
        assert.deepEqual([codeOf(blank), ...pathsOf(blank)], ["400 VALIDATION_ERROR", "external_user_id"])
        for (const wrong of ["x".repeat(257), "a\0b"]) {
          const refused = yield* admin("PUT", id, `/managed-users/${encodeURIComponent(wrong)}`, {})
          assert.strictEqual(codeOf(refused), "400 VALIDATION_ERROR")
        }
        assert.strictEqual(codeOf(yield* admin("PUT", "ws_none", "/managed-users/u", {})), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("GET", id, "/managed-users/none")), "404 NOT_FOUND")
      })
    )
    it.effect("are erased with their accounts and all their data", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* comment(yield* connectAccount(id, "u1", "p1"), ["mine"])
        yield* comment(yield* connectAccount(id, "u2", "p2"), ["theirs"])
        const item = yield* itemId(key, "mine")
        const erased = yield* admin("DELETE", id, "/managed-users/u1")
        assert.strictEqual(erased.status, 204)
        assert.strictEqual(erased.text, "")
        assert.strictEqual(codeOf(yield* admin("DELETE", id, "/managed-users/u1")), "404 NOT_FOUND")
        assert.deepEqual(yield* listedBy(key, scopes.workspace), ["theirs"])
        assert.strictEqual(codeOf(yield* inbox("GET", `/${item}`, scopes.workspace, { key })), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* inbox("GET", "", scopes.user("u1"), { key })), "404 MANAGED_USER_NOT_FOUND")
      })
    )
  })
})

describe("social accounts (api.md §8)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("are connected with sealed tokens, once per workspace", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const made = yield* admin("POST", id, "/social-accounts", {
          ...page,
          external_user_id: "u1",
          username: "@acme",
          avatar_url: null,
          refresh_token: "refresh-of-mine",
          token_expires_at: "2027-01-01T00:00:00+01:00",
          scopes: ["instagram_business_basic"]
        })
        assert.strictEqual(made.status, 201)
        const { created_at, id: accountId, ...rest } = dataOf(made)
        assert.isString(created_at)
        assert.deepEqual<unknown>(rest, {
          workspace_id: id,
          network: "instagram",
          network_account_id: "17841",
          name: "Acme",
          username: "acme",
          avatar_url: null,
          external_user_id: "u1",
          status: "connected",
          token_expires_at: "2026-12-31T23:00:00.000Z",
          scopes: ["instagram_business_basic"]
        })
        assert.notInclude(made.text, "of-mine")
        const owner = { workspaceId: WorkspaceId.make(id), accountId: SocialAccountId.make(String(accountId)) }
        const sealed = yield* (yield* AccountCredentials).findSealed(owner.workspaceId, owner.accountId)
        const opened = yield* (yield* CredentialVault).open(owner, Option.getOrThrow(sealed))
        assert.strictEqual(Redacted.value(opened.accessToken), "token-of-mine")
        assert.strictEqual((yield* admin("GET", id, "/managed-users/u1")).status, 200)
        assert.strictEqual(codeOf(yield* admin("POST", id, "/social-accounts", page)), "409 ALREADY_EXISTS")
        const other = yield* makeInbox()
        assert.strictEqual((yield* admin("POST", other.id, "/social-accounts", page)).status, 201)
        const list = yield* admin("GET", id, "/social-accounts")
        assert.deepEqual<unknown>(Object.values({ ...list.body["data"] }), [dataOf(made)])
        assert.notInclude(list.text, "of-mine")
        const path = `/social-accounts/${String(accountId)}`
        assert.deepEqual(dataOf(yield* admin("GET", id, path)), dataOf(made))
        for (const [workspace, absent] of [
          [other.id, path],
          [id, "/social-accounts/acc_x"],
          ["ws_none", path]
        ] as const)
          assert.strictEqual(codeOf(yield* admin("GET", workspace, absent)), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("POST", "ws_none", "/social-accounts", page)), "404 NOT_FOUND")
      })
    )
    it.effect("are refused with every fault by name", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const faults: ReadonlyArray<readonly [json: object, paths: ReadonlyArray<string>]> = [
          [{}, ["network", "network_account_id", "name", "access_token"]],
          [{ ...page, network: "myspace", more: 1 }, ["network", "more"]],
          [{ ...page, network: "x" }, ["username"]],
          [{ ...page, network: "threads", username: null }, ["username"]],
          [{ ...page, external_user_id: " " }, ["external_user_id"]],
          [{ ...page, avatar_url: "javascript:alert(1)" }, ["avatar_url"]],
          [{ ...page, token_expires_at: "soon", access_token: "" }, ["token_expires_at", "access_token"]],
          [{ ...page, network_account_id: "a b" }, ["network_account_id"]]
        ]
        for (const [json, paths] of faults) {
          const answer = yield* admin("POST", id, "/social-accounts", json)
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", JSON.stringify(json))
          assert.sameMembers([...pathsOf(answer)], [...paths])
        }
      })
    )
    it.effect("move to another user with their items, at once", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* comment(account, ["a"])
        const path = `/social-accounts/${account.id}`
        const moved = yield* admin("PATCH", id, path, { external_user_id: "u2" })
        assert.strictEqual(moved.status, 200)
        assert.strictEqual(String(dataOf(moved)["external_user_id"]), "u2")
        assert.deepEqual(yield* listedBy(key, scopes.user("u1")), [])
        assert.deepEqual(yield* listedBy(key, scopes.user("u2")), ["a"])
        yield* admin("PATCH", id, path, { name: null, access_token: null, external_user_id: null })
        assert.deepEqual(yield* listedBy(key, scopes.user("u2")), [])
        assert.deepEqual(yield* listedBy(key, scopes.workspace), ["a"])
        yield* (yield* SocialAccounts).requireReauth(
          account.workspaceId,
          account.id,
          DateTime.add(account.createdAt, { seconds: 1 })
        )
        const renewed = yield* admin("PATCH", id, path, { access_token: "new", name: "New" })
        assert.deepInclude<unknown>(dataOf(renewed), { status: "connected", name: "New", external_user_id: null })
        const lone = yield* admin("PATCH", id, path, { refresh_token: "x" })
        assert.deepEqual([codeOf(lone), ...pathsOf(lone)], ["400 VALIDATION_ERROR", "access_token"])
        const fixed = yield* admin("PATCH", id, path, { network: "x" })
        assert.deepEqual([codeOf(fixed), ...pathsOf(fixed)], ["400 VALIDATION_ERROR", "network"])
        const other = yield* makeInbox()
        assert.strictEqual(codeOf(yield* admin("PATCH", other.id, path, { name: "x" })), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* admin("DELETE", other.id, path)), "404 NOT_FOUND")
      })
    )
    it.effect("are disconnected at the network and here with their items, and revived with both", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const made = yield* admin("POST", id, "/social-accounts", { ...page, network_account_id: "page" })
        const accountId = String(dataOf(made)["id"])
        const account = yield* (yield* SocialAccounts).find(WorkspaceId.make(id), SocialAccountId.make(accountId))
        yield* comment(Option.getOrThrow(account), ["a"])
        const accounts = yield* SocialAccounts
        const takenBack: Array<string> = []
        ;(yield* Script).accounts = {
          disconnect: (scope, taken) => {
            takenBack.push(`${scope._tag} ${taken}`)
            return Effect.flatMap(DateTime.now, (at) =>
              Effect.asVoid(accounts.disconnect(scope.workspaceId, SocialAccountId.make(taken), at))
            )
          }
        }
        assert.strictEqual((yield* admin("DELETE", id, `/social-accounts/${accountId}`)).status, 204)
        assert.deepEqual(takenBack, [`WorkspaceScope ${accountId}`])
        assert.strictEqual(codeOf(yield* admin("DELETE", id, `/social-accounts/${accountId}`)), "404 NOT_FOUND")
        assert.deepEqual(yield* listedBy(key, scopes.workspace), [])
        const listed = yield* admin("GET", id, "/social-accounts")
        assert.strictEqual(String(listed.body["data"]?.["0"]?.["status"]), "disconnected")
        const found = yield* admin("GET", id, `/social-accounts/${accountId}`)
        assert.deepEqual([found.status, dataOf(found)["status"]], [200, "disconnected"])
        const again = yield* admin("POST", id, "/social-accounts", { ...page, network_account_id: "page" })
        assert.strictEqual(again.status, 201)
        assert.strictEqual(String(dataOf(again)["id"]), accountId)
        assert.deepEqual(yield* listedBy(key, scopes.workspace), ["a"])
      })
    )
    it.effect("are the administrator's alone", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        for (const path of ["/social-accounts", "/managed-users", "/dashboard-tokens"]) {
          const answer = yield* call("POST", `/v1/admin/workspaces/${id}${path}`, { key, body: "{bad" })
          assert.strictEqual(codeOf(answer), path === "/managed-users" ? "405 METHOD_NOT_ALLOWED" : "401 UNAUTHORIZED")
        }
      })
    )
  })
})

describe("the token of an account (api-2.md §11)", () => {
  const asked: Array<unknown> = []
  const reasons = ["token_invalid", "other_account", "network_unavailable"] as const
  /** An administration whose networks refuse every token, for one reason after the other. */
  const refusing = Layer.effect(
    AccountAdministration,
    Effect.map(AccountAdministration, (administration) => {
      const refuse = Effect.suspend(() => {
        const reason = reasons[(asked.length - 1) % reasons.length] ?? "token_invalid"
        return Effect.fail(new AccountCheckFailed({ network: "instagram", reason }))
      })
      return AccountAdministration.of({
        ...administration,
        connect: (_, { check }) =>
          Effect.andThen(
            Effect.sync(() => asked.push(check)),
            refuse
          ),
        updateAccount: (_, __, { check }) =>
          Effect.andThen(
            Effect.sync(() => asked.push(check)),
            refuse
          )
      })
    })
  )
  layer(serverWith().pipe(Layer.provideMerge(refusing), Layer.provideMerge(services)), { excludeTestServices: true })(
    (it) => {
      it.effect("is tried unless that is not wanted, and its refusal says why", () =>
        Effect.gen(function* () {
          const { id } = yield* makeInbox()
          const answers = [
            yield* admin("POST", id, "/social-accounts", page),
            yield* admin("POST", id, "/social-accounts", { ...page, check: false }),
            yield* admin("PATCH", id, "/social-accounts/acc_x", { access_token: "token-of-mine", check: null })
          ]
          assert.deepEqual(asked, [true, false, true])
          for (const [index, answer] of answers.entries()) {
            assert.strictEqual(codeOf(answer), "422 ACCOUNT_CHECK_FAILED")
            assert.strictEqual(String(answer.body["error"]?.["details"]?.["reason"]), reasons[index])
            assert.notInclude(answer.text, "of-mine")
          }
          assert.strictEqual(new Set(answers.map(({ body }) => String(body["error"]?.["message"]))).size, 3)
        })
      )
    }
  )
})
