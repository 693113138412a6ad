import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it, layer } from "@effect/vitest"
import { DashboardIdentity } from "@loopbox/core/access/DashboardIdentity"
import { layerJwks, layerLocal } from "../../src/server/access/dashboardTokens.ts"
import { Context, DateTime, Effect, Exit, Layer, Redacted } from "effect"
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import { createServer } from "node:http"
import { addManagedUser, inbox, makeInbox, scopes, setRole } from "../inbox/inboxSupport.ts"
import { follow } from "../sockets/socketSupport.ts"
import { adminToken, call, codeOf, driving, server, serverWith } from "../support.ts"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"

const live = { excludeTestServices: true } as const
const issuer = "https://id.example"
const audience = "loopbox"

const makeKey = (alg: string, kid: string) =>
  Effect.promise(async () => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } }
  })
type Key = Effect.Success<ReturnType<typeof makeKey>>

interface Claims {
  readonly [claim: string]: unknown
}
const tokenBy = (key: Pick<Key, "alg" | "kid" | "privateKey">, claims: Claims = {}) =>
  Effect.gen(function* () {
    const now = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
    const all = { sub: "owner", iss: issuer, aud: audience, exp: now + 300, ...claims }
    return yield* Effect.promise(() =>
      new SignJWT(all)
        .setProtectedHeader({ alg: key.alg, ...(key.kid === "" ? {} : { kid: key.kid }) })
        .sign(key.privateKey)
    )
  })

/** An identity provider: what it publishes, and how often it was asked. */
const provider: { keys: ReadonlyArray<JWK>; asked: number; mode: "good" | "down" | "silent" | "nonsense" } = {
  keys: [],
  asked: 0,
  mode: "good"
}
const layerProvider = Layer.unwrap(
  Effect.gen(function* () {
    const jwks = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const made = createServer((_request, response) => {
          provider.asked += 1
          if (provider.mode === "silent") return
          response.writeHead(provider.mode === "down" ? 500 : 200, { "content-type": "application/json" })
          response.end(provider.mode === "nonsense" ? "<html>" : JSON.stringify({ keys: provider.keys }))
        })
        made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
      }),
      (made) =>
        Effect.sync(() => {
          made.closeAllConnections()
          made.close()
        })
    )
    const address = jwks.address()
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/jwks`
    return layerJwks({ url, issuer, audience, timeout: "200 millis", spacing: "50 millis" })
  })
)
const withProvider = () =>
  serverWith().pipe(
    Layer.provideMerge(Layer.fresh(driving)),
    Layer.provideMerge(Layer.fresh(MemoryAdapters.layer)),
    Layer.provideMerge(layerNetworks),
    Layer.provideMerge(Layer.fresh(layerProvider))
  )

const useKeys = (mode: (typeof provider)["mode"], ...keys: ReadonlyArray<Key>) => {
  provider.mode = mode
  provider.keys = keys.map(({ jwk }) => jwk)
}
const ask = (token: string, query = "", headers: Record<string, string> = {}) =>
  Effect.map(inbox("GET", "/unread-count", query, { key: token, headers }), codeOf)
const ok = "200 undefined"

describe("dashboard tokens of an identity provider (design §3)", () => {
  layer(
    withProvider(),
    live
  )((it) => {
    it.effect("are taken by their signature, issuer, audience and times, with a minute of skew", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const workspace_id: string = id
        const keys = yield* Effect.forEach(["RS256", "ES256", "EdDSA"], (alg) => makeKey(alg, alg))
        const [rsa] = keys
        const stranger = yield* makeKey("RS256", "RS256")
        if (rsa === undefined) return assert.fail("no key")
        useKeys("good", ...keys)
        for (const key of keys) assert.strictEqual(yield* ask(yield* tokenBy(key, { workspace_id })), ok, key.alg)
        // Without a kid every key of its algorithm is tried.
        const second = yield* makeKey("RS256", "second")
        useKeys("good", ...keys, second)
        yield* ask(yield* tokenBy(second, { workspace_id }))
        for (const key of [rsa, second])
          assert.strictEqual(yield* ask(yield* tokenBy({ ...key, kid: "" }, { workspace_id })), ok)
        const now = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
        // On a busy machine half a minute may pass until a token is judged.
        assert.strictEqual(yield* ask(yield* tokenBy(rsa, { workspace_id, exp: now - 30 })), ok)
        assert.strictEqual(yield* ask(yield* tokenBy(rsa, { workspace_id, nbf: now + 50 })), ok)
        const refused: ReadonlyArray<Claims> = [
          { exp: now - 70 },
          { exp: undefined },
          { nbf: now + 90 },
          { iss: "https://other.example" },
          { iss: undefined },
          { aud: "other" },
          { sub: undefined },
          { sub: "" },
          { workspace_id: 7 },
          { workspace_id: undefined }
        ]
        for (const claims of refused) {
          const token = yield* tokenBy(rsa, { workspace_id, ...claims })
          assert.strictEqual(yield* ask(token), "401 UNAUTHORIZED", JSON.stringify(claims))
        }
        assert.strictEqual(yield* ask(yield* tokenBy(stranger, { workspace_id })), "401 UNAUTHORIZED")
        const { privateKey } = { privateKey: new TextEncoder().encode("x".repeat(32)) }
        const symmetric = yield* Effect.promise(() =>
          new SignJWT({ workspace_id, sub: "owner", iss: issuer, aud: audience, exp: now + 300 })
            .setProtectedHeader({ alg: "HS256" })
            .sign(privateKey)
        )
        for (const token of [symmetric, "eyJhbGciOiJub25lIn0.e30.", "nonsense"])
          assert.strictEqual(yield* ask(token), "401 UNAUTHORIZED")
      })
    )
    it.effect("say what is missing where they are good and their workspace is not", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        yield* addManagedUser(id, "customer_1")
        const key = yield* makeKey("EdDSA", "says")
        useKeys("good", key)
        const says = Effect.fnUntraced(function* (path: string, token?: string, headers: Record<string, string> = {}) {
          const answer = yield* call("GET", path, { ...(token === undefined ? {} : { key: token }), headers })
          assert.strictEqual(codeOf(answer), "401 UNAUTHORIZED")
          return JSON.parse(answer.text).error.message
        })
        const plain = yield* tokenBy(key)
        const bound = yield* tokenBy(key, { external_user_id: "customer_1" })
        const claimed = yield* tokenBy(key, { workspace_id: id })
        const beside = { "x-workspace-id": id }
        for (const path of ["/v1/inbox", "/v1/accounts", "/v1/posts", "/v1/media", "/v1/usage"]) {
          assert.match(yield* says(path, plain), /names no workspace. Name it in X-Workspace-Id/, path)
          assert.match(yield* says(path, bound, beside), /One that is bound must name it itself/, path)
          assert.match(yield* says(path, claimed, { "x-workspace-id": "ws_other" }), /for another workspace/, path)
        }
        const socket = `/v1/inbox/ws?${scopes.workspace}&token=`
        assert.match(yield* says(socket + plain), /workspace_id on a WebSocket/)
        // What was not verified learns nothing of it.
        const unsigned = plain.slice(0, plain.lastIndexOf("."))
        for (const given of [undefined, "nonsense", `${unsigned}.`, "lbx_live_wrong"])
          assert.match(yield* says("/v1/inbox", given), /^Give a valid API key or dashboard token/)
      })
    )
    it.effect("name the workspace once, in the claim or beside it", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const key = yield* makeKey("EdDSA", "names")
        useKeys("good", key)
        const claimed = yield* tokenBy(key, { workspace_id: id })
        const plain = yield* tokenBy(key)
        const at = (workspace: string) => ({ "x-workspace-id": workspace })
        assert.strictEqual(yield* ask(claimed, "", at(id)), ok)
        assert.strictEqual(yield* ask(claimed, "", at("ws_other")), "401 UNAUTHORIZED")
        assert.strictEqual(yield* ask(plain), "401 UNAUTHORIZED")
        assert.strictEqual(yield* ask(plain, "", at(id)), ok)
        assert.strictEqual(yield* ask(plain, "", at("ws_other")), "403 INSUFFICIENT_ROLE")
        assert.strictEqual(yield* ask(claimed, "external_user_id=u"), "400 INBOX_SCOPE_INVALID")
        yield* addManagedUser(id, "u")
        assert.strictEqual(yield* ask(claimed, scopes.user("u")), ok)
        for (const role of ["editor", "viewer"] as const) {
          yield* setRole(id, "owner", role)
          assert.strictEqual(yield* ask(claimed, "inbox_scope=workspace&external_user_id=u"), "403 INSUFFICIENT_ROLE")
        }
        assert.strictEqual(yield* ask(claimed, "inbox_scope=nonsense"), "400 INBOX_SCOPE_INVALID")
        yield* setRole(id, "owner", "admin")
        const named = yield* follow(`${scopes.workspace}&token=${plain}&workspace_id=${id}`)
        yield* named.until(1)
        const ws = (query: string) => Effect.map(call("GET", `/v1/inbox/ws?${query}`), codeOf)
        assert.strictEqual(yield* ws(`${scopes.workspace}&token=${plain}`), "401 UNAUTHORIZED")
        assert.strictEqual(yield* ws(`${scopes.workspace}&token=${claimed}&token=${claimed}`), "401 UNAUTHORIZED")
        assert.strictEqual(yield* ws(`${scopes.workspace}&token=${claimed}&workspace_id=ws_x`), "401 UNAUTHORIZED")
        assert.strictEqual(yield* ws(`token=${claimed}`), "400 INBOX_SCOPE_REQUIRED")
        const media = yield* call("GET", "/v1/media", { key: claimed })
        assert.strictEqual(codeOf(media), "403 API_KEY_REQUIRED")
        for (const kind of ["gif-conversions", "audio-overlays"]) {
          const submitted = yield* call("POST", `/v1/media/${kind}`, { key: claimed, body: "{bad" })
          assert.strictEqual(codeOf(submitted), "403 API_KEY_REQUIRED")
        }
      }).pipe(Effect.scoped)
    )
    it.effect("follow their keys when these rotate, at once", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* makeInbox()
        const [old, young] = [yield* makeKey("ES256", "old"), yield* makeKey("ES256", "young")]
        useKeys("good", old)
        assert.strictEqual(yield* ask(yield* tokenBy(old, { workspace_id })), ok)
        useKeys("good", young)
        const before = provider.asked
        const token = yield* tokenBy(young, { workspace_id })
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => ask(token)),
          { concurrency: "unbounded" }
        )
        assert.deepEqual([...new Set(answers)], [ok])
        assert.strictEqual(provider.asked, before + 1)
        assert.strictEqual(yield* ask(yield* tokenBy(old, { workspace_id })), "401 UNAUTHORIZED")
        // Known keys are good while the provider is away; what needs it is a passing failure.
        useKeys("down")
        assert.strictEqual(yield* ask(token), ok)
        assert.strictEqual(yield* ask(yield* tokenBy(old, { workspace_id })), "500 INBOX_SCOPE_LOOKUP_FAILED")
      })
    )
  })
  layer(withProvider(), live)("a token that is bound", (it) => {
    it.effect("opens one managed user's inbox, accounts and posts, and nothing of the workspace", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const workspace_id: string = id
        yield* addManagedUser(workspace_id, "customer_1")
        yield* addManagedUser(workspace_id, "customer_2")
        const key = yield* makeKey("EdDSA", "bound")
        useKeys("good", key)
        const token = yield* tokenBy(key, { workspace_id, sub: "somebody", external_user_id: "customer_1" })
        const as = (path: string) => Effect.map(call("GET", path, { key: token }), codeOf)
        for (const path of ["/v1/inbox", "/v1/inbox/threads", "/v1/inbox/saved-replies"]) {
          assert.match(yield* as(path), /^200/, path)
          assert.match(yield* as(`${path}?${scopes.user("customer_1")}`), /^200/, path)
        }
        for (const path of ["/v1/inbox", "/v1/inbox/threads", "/v1/accounts", "/v1/posts"]) {
          assert.strictEqual(yield* as(`${path}?${scopes.user("customer_2")}`), "403 INSUFFICIENT_ROLE", path)
          assert.strictEqual(yield* as(`${path}?${scopes.workspace}`), "403 INSUFFICIENT_ROLE", path)
        }
        for (const path of ["/v1/usage", "/v1/audit-events", `/v1/webhook-endpoints?${scopes.workspace}`])
          assert.strictEqual(yield* as(path), "403 INSUFFICIENT_ROLE", path)
        assert.strictEqual(yield* as("/v1/media"), "403 API_KEY_REQUIRED")
        for (const external_user_id of ["", 7, "x".repeat(257), {}]) {
          const wrong = yield* tokenBy(key, { workspace_id, sub: "owner", external_user_id })
          assert.strictEqual(yield* ask(wrong), "401 UNAUTHORIZED", JSON.stringify(external_user_id))
        }
      })
    )
  })

  layer(withProvider(), live)("a provider that is away", (it) => {
    it.effect("is a passing failure, in time; media says it in its own words", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* makeInbox()
        const key = yield* makeKey("EdDSA", "away")
        const token = yield* tokenBy(key, { workspace_id })
        for (const mode of ["down", "nonsense", "silent"] as const) {
          useKeys(mode, key)
          assert.strictEqual(yield* ask(token, "q=%ZZ"), "500 INBOX_SCOPE_LOOKUP_FAILED", mode)
        }
        useKeys("down", key)
        const media = yield* call("GET", "/v1/media", { key: token })
        assert.strictEqual(codeOf(media), "503 TEMPORARILY_UNAVAILABLE")
        const before = provider.asked
        assert.strictEqual(yield* ask("nonsense"), "401 UNAUTHORIZED")
        assert.strictEqual(provider.asked, before)
        useKeys("good", key)
        assert.strictEqual(yield* ask(token), ok)
      })
    )
  })
})

describe("dashboard tokens of our own issuer (api.md §8)", () => {
  const local = layerLocal(Redacted.make(new Uint8Array(32).fill(9)))
  const withLocal = serverWith().pipe(
    Layer.provideMerge(Layer.fresh(driving)),
    Layer.provideMerge(Layer.fresh(MemoryAdapters.layer)),
    Layer.provideMerge(layerNetworks),
    Layer.provideMerge(local)
  )
  const issue = (id: string, json: object) =>
    call("POST", `/v1/admin/workspaces/${id}/dashboard-tokens`, { key: adminToken, json })

  layer(
    withLocal,
    live
  )((it) => {
    it.effect("are made for anyone, carry the workspace and expire", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        yield* addManagedUser(id, "customer_1")
        const bound = yield* issue(id, { user_id: "somebody", external_user_id: "customer_1" })
        const theirs = String(bound.body["data"]?.["token"])
        assert.strictEqual(yield* ask(theirs, scopes.user("customer_1")), ok)
        assert.strictEqual(yield* ask(theirs, scopes.workspace), "403 INSUFFICIENT_ROLE")
        assert.strictEqual(
          codeOf(yield* issue(id, { user_id: "owner", external_user_id: " " })),
          "400 VALIDATION_ERROR"
        )
        const made = yield* issue(id, { user_id: "owner", ttl_seconds: 60 })
        assert.strictEqual(made.status, 201)
        const token = String(made.body["data"]?.["token"])
        assert.strictEqual(yield* ask(token), ok)
        // The signature's first character: all of its bits count, which is not so of the last one.
        const altered = token.replace(/\.([^.])([^.]*)$/, (_, first, rest) => `.${first === "A" ? "B" : "A"}${rest}`)
        assert.strictEqual(yield* ask(altered), "401 UNAUTHORIZED")
        const stranger = String((yield* issue(id, { user_id: "stranger" })).body["data"]?.["token"])
        assert.strictEqual(yield* ask(stranger), "403 INSUFFICIENT_ROLE")
        const claims = JSON.parse(Buffer.from(stranger.split(".")[1] ?? "", "base64url").toString())
        assert.deepInclude<unknown>(claims, { sub: "stranger", workspace_id: id })
        // Both are whole seconds, read one after the other.
        assert.include([3599, 3600], claims.exp - claims.iat)
        const another = Context.get(
          yield* Layer.build(layerLocal(Redacted.make(new Uint8Array(32).fill(8)))),
          DashboardIdentity
        )
        const error = yield* Effect.flip(another.verify(Redacted.make(token)))
        assert.strictEqual(error._tag, "Unauthorized")
        assert.strictEqual(codeOf(yield* issue("ws_none", { user_id: "u" })), "404 NOT_FOUND")
        for (const json of [{}, { user_id: "" }, { user_id: "u", ttl_seconds: 0 }, { user_id: "u", ttl: 1 }])
          assert.strictEqual(codeOf(yield* issue(id, json)), "400 VALIDATION_ERROR")
      }).pipe(Effect.scoped)
    )
  })
  it.effect("is not asked for its keys over http, where others could change them (L5)", () =>
    Effect.gen(function* () {
      for (const url of ["http://id.example/keys", "http://127.0.0.1.example/keys", "http://10.0.0.1/keys"]) {
        const exit = yield* Effect.exit(Effect.scoped(Layer.build(layerJwks({ url, issuer, audience }))))
        assert.isTrue(Exit.isFailure(exit), url)
      }
      for (const url of ["https://id.example/keys", "http://localhost:1/keys", "http://[::1]:1/keys"]) {
        yield* Effect.scoped(Layer.build(layerJwks({ url, issuer, audience })))
      }
    })
  )
  layer(server, live)("without one", (it) => {
    it.effect("no token is known, and none is made", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        assert.strictEqual(codeOf(yield* issue(id, { user_id: "u" })), "404 NOT_FOUND")
        const key = yield* makeKey("EdDSA", "x")
        assert.strictEqual(yield* ask(yield* tokenBy(key, { workspace_id: id })), "401 UNAUTHORIZED")
      })
    )
  })
})
