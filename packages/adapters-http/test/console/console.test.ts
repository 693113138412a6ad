import { assert, describe, layer } from "@effect/vitest"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { ConsoleSessions } from "@loopbox/core/access/ConsoleSessions"
import { OperationsPort } from "@loopbox/adapters-http/node/operationsPort"
import { Effect, Option, Redacted } from "effect"
import { followAt } from "../sockets/socketSupport.ts"
import { comment, connectAccount, makeInbox } from "../inbox/inboxSupport.ts"
import { adminToken, call, codeOf, gif, makeWorkspace, pathsOf, portOf, sendRaw, server } from "../support.ts"
import { ask, consoleServer, consoleServerWith, ofOurPage, sandboxCalls, signIn } from "./consoleSupport.ts"

describe("signing in (console.md §3)", () => {
  layer(consoleServer, { excludeTestServices: true })((it) => {
    it.effect("takes the admin token, and gives a cookie that no script can read", () =>
      Effect.gen(function* () {
        const { answer, cookie } = yield* signIn()
        assert.strictEqual(answer.status, 204)
        const line = answer.headers.get("set-cookie") ?? ""
        for (const part of ["Path=/console", "HttpOnly", "SameSite=Strict", "Max-Age=43200"]) assert.include(line, part)
        assert.notInclude(line, "Secure")
        const { workspace } = yield* makeWorkspace()
        const told = yield* ask("GET", "/console/session", { cookie })
        assert.strictEqual(told.status, 200)
        assert.isTrue(told.body["data"]?.["sandbox"])
        assert.include(told.text, `"id":"${workspace.id}"`)
        assert.notInclude(told.text, adminToken)
        assert.strictEqual(told.headers.get("cache-control"), "no-store")
      })
    )

    it.effect("takes a link's ticket once, whoever was signed in before", () =>
      Effect.gen(function* () {
        const ticket = Redacted.value(yield* (yield* ConsoleSessions).issueTicket)
        const planted = (yield* signIn()).cookie
        const give = () => ask("POST", "/console/session", { cookie: planted, json: { ticket } })
        const answers = yield* Effect.all([give(), give(), give()], { concurrency: "unbounded" })
        assert.deepStrictEqual(
          answers.map(({ status }) => status).sort((a, b) => a - b),
          [204, 401, 401]
        )
        const refused = answers.find(({ status }) => status === 401)
        assert.deepEqual<unknown>(refused?.body["error"]?.["details"]?.["reason"], "ticket_unknown")
        // Nothing is left of the session that was there before.
        assert.strictEqual(codeOf(yield* ask("GET", "/console/session", { cookie: planted })), "401 UNAUTHORIZED")
      })
    )

    it.effect("ends by signing out, at once and for its sockets", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        assert.strictEqual((yield* ask("DELETE", "/console/session", { cookie })).status, 204)
        const after = yield* ask("GET", "/console/session", { cookie })
        assert.strictEqual(codeOf(after), "401 UNAUTHORIZED")
        assert.deepEqual<unknown>(after.body["error"]?.["details"]?.["reason"], "signed_out")
      })
    )

    it.effect("ends its sockets where it is ended, at once", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const other = (yield* signIn()).cookie
        const { id } = yield* makeInbox()
        const port = yield* portOf
        const open = (by: string) =>
          followAt(`inbox_scope=workspace&workspace_id=${id}`, {
            port,
            below: "/console",
            headers: { cookie: by, origin: `http://127.0.0.1:${port}` }
          })
        const mine = yield* open(cookie)
        const theirs = yield* open(other)
        yield* mine.until(1)
        yield* theirs.until(1)
        yield* ask("DELETE", "/console/session", { cookie })
        assert.strictEqual(yield* mine.closed, 4401)
        assert.strictEqual(theirs.socket.readyState, 1)
      })
    )

    it.effect("is by https where the browser says that it is", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const from = (scheme: string) =>
          call("POST", "/console/session", {
            json: { admin_token: adminToken },
            headers: { origin: `${scheme}://127.0.0.1:${port}` }
          })
        assert.include((yield* from("https")).headers.get("set-cookie") ?? "", "; Secure")
        assert.notInclude((yield* from("http")).headers.get("set-cookie") ?? "", "; Secure")
      })
    )

    it.effect("takes the ticket that the admin token asks for, and nobody else gets one", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const issued = yield* call("POST", "/console/tickets", { key: adminToken })
        assert.strictEqual(issued.status, 201)
        const url = String(issued.body["data"]?.["url"])
        const ticket = String(issued.body["data"]?.["ticket"])
        assert.strictEqual(url, `http://127.0.0.1:${yield* portOf}/console#${ticket}`)
        assert.isAtLeast(ticket.length, 43)
        const { key } = yield* makeWorkspace()
        for (const given of [{ key }, { key: `${adminToken}x` }, { headers: { ...ofOurPage, cookie } }, {}]) {
          assert.strictEqual(codeOf(yield* call("POST", "/console/tickets", given)), "401 UNAUTHORIZED")
        }
        const opened = yield* call("POST", "/console/session", { headers: ofOurPage, json: { ticket } })
        assert.strictEqual(opened.status, 204)
      })
    )

    it.effect("is refused to other pages' scripts, and to nobody's", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { workspace } = yield* makeWorkspace()
        const ours = `http://127.0.0.1:${yield* portOf}`
        for (const headers of [
          {},
          { origin: ours, "sec-fetch-site": "cross-site" },
          { origin: ours, "sec-fetch-site": "same-site" },
          { origin: "https://evil.example" },
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "null", "sec-fetch-site": "same-origin" }
        ]) {
          const given = new Headers({ ...headers, cookie, "loopbox-workspace": workspace.id })
          const says = JSON.stringify(headers)
          for (const path of ["/console/session", "/console/v1/media", "/console/activity"]) {
            assert.strictEqual(codeOf(yield* call("GET", path, { headers: given })), "403 FORBIDDEN", `${path} ${says}`)
          }
          const tried = yield* call("POST", "/console/session", { headers: given, json: { admin_token: adminToken } })
          assert.strictEqual(codeOf(tried), "403 FORBIDDEN", says)
          assert.isNull(tried.headers.get("set-cookie"))
          // A browser that says nothing is told what it can do.
          const reason: unknown = tried.body["error"]?.["details"]?.["reason"]
          assert.strictEqual(reason, Object.keys(headers).length === 0 ? "origin_unknown" : undefined)
        }
      })
    )

    it.effect("names the member that is wrong", () =>
      Effect.gen(function* () {
        const answer = yield* call("POST", "/console/session", { headers: ofOurPage, json: { admin_token: 7 } })
        assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
        assert.deepStrictEqual(pathsOf(answer), ["admin_token"])
      })
    )
  })

  layer(consoleServer, { excludeTestServices: true })("guessing", (it) => {
    it.effect("is stopped after ten wrong ones a minute from an address, right ones too", () =>
      Effect.gen(function* () {
        const guess = (json: object) => call("POST", "/console/session", { headers: ofOurPage, json })
        const together = yield* Effect.all(
          Array.from({ length: 6 }, (_, i) => guess({ admin_token: `together ${i}` })),
          { concurrency: "unbounded" }
        )
        assert.isTrue(together.every(({ status }) => status === 401))
        for (let i = 0; i < 4; i++) {
          const answer = yield* guess(i % 2 === 0 ? { admin_token: `wrong ${i}` } : { ticket: `guess${i}` })
          assert.strictEqual(codeOf(answer), "401 UNAUTHORIZED")
        }
        // As many at once as one likes: each is counted before the next is judged.
        const more = yield* Effect.all(
          Array.from({ length: 20 }, (_, i) => guess({ admin_token: `wrong ${i}` })),
          { concurrency: "unbounded" }
        )
        assert.isTrue(more.every(({ status }) => status === 429))
        const stopped = yield* guess({ admin_token: adminToken })
        assert.strictEqual(codeOf(stopped), "429 RATE_LIMITED")
        assert.isAbove(Number(stopped.headers.get("retry-after")), 0)
      })
    )
  })
})

describe("/console/v1 (console.md §3)", () => {
  layer(consoleServer, { excludeTestServices: true })((it) => {
    it.effect("is the API for the operator of the workspace that the page names", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { id, workspace } = yield* makeInbox()
        const account = yield* connectAccount(id)
        yield* comment(account, ["one", "two"])
        const page = { cookie, workspace: workspace.id }
        const listed = yield* ask("GET", "/console/v1/inbox?inbox_scope=workspace", page)
        assert.strictEqual(listed.status, 200)
        assert.strictEqual(Object.values({ ...listed.body["data"] }).length, 2)
        const threads = yield* ask("GET", `/console/v1/inbox/threads?workspace_id=${workspace.id}`, { cookie })
        assert.strictEqual(threads.status, 200)
        const uploaded = yield* ask("POST", "/console/v1/media", {
          ...page,
          body: new Uint8Array(gif),
          headers: { "content-type": "image/gif" }
        })
        assert.strictEqual(uploaded.status, 201)
        const media = String(uploaded.body["data"]?.["id"])
        const bytes = yield* ask("GET", `/console/v1/media/${media}/content?workspace_id=${workspace.id}`, {
          cookie,
          headers: { range: "bytes=0-5" }
        })
        assert.strictEqual(bytes.status, 206)
        assert.strictEqual(bytes.headers.get("cache-control"), "no-store")
        const submitted = yield* ask("POST", "/console/v1/media/gif-conversions", {
          ...page,
          json: { gif_media_id: media }
        })
        assert.strictEqual(submitted.status, 202)
        const made = yield* ask("POST", "/console/v1/webhook-endpoints?inbox_scope=workspace", {
          ...page,
          json: { url: "https://app.example/hook", events: ["inbox.*"] }
        })
        assert.strictEqual(made.status, 201)
        const audited = yield* (yield* AuditStore).list(
          workspace.id,
          { actorId: Option.none(), action: Option.none(), targetId: Option.none() },
          { limit: 10, after: Option.none() }
        )
        assert.isTrue(audited.items.some(({ actor }) => actor.type === "operator"))
      })
    )

    it.effect("administers the installation, too", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const listed = yield* ask("GET", "/console/v1/admin/workspaces", { cookie })
        assert.strictEqual(listed.status, 200)
      })
    )

    it.effect("tells what happens over its own socket, without a token", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { id } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const port = yield* portOf
        const { until } = yield* followAt(`inbox_scope=workspace&workspace_id=${id}`, {
          port,
          below: "/console",
          headers: { cookie, origin: `http://127.0.0.1:${port}` }
        })
        yield* until(1)
        yield* comment(account, ["one"])
        const frames = yield* until(2)
        assert.include(
          frames.map(({ type }) => String(type)),
          "inbox.new_item"
        )
      })
    )

    it.effect("opens no socket for another page", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { id } = yield* makeInbox()
        const port = yield* portOf
        const answer = yield* sendRaw(
          port,
          [
            `GET /console/v1/inbox/ws?inbox_scope=workspace&workspace_id=${id} HTTP/1.1`,
            `Host: 127.0.0.1:${port}`,
            "Origin: https://evil.example",
            `Cookie: ${cookie}`,
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "\r\n"
          ].join("\r\n")
        )
        assert.include(answer, " 403 ")
      })
    )

    it.effect("wants a workspace that there is, named one way", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { workspace } = yield* makeWorkspace()
        const unnamed = yield* ask("GET", "/console/v1/media", { cookie })
        assert.strictEqual(codeOf(unnamed), "400 VALIDATION_ERROR")
        assert.deepStrictEqual(pathsOf(unnamed), ["Loopbox-Workspace"])
        const two = yield* ask("GET", `/console/v1/media?workspace_id=${workspace.id}x`, {
          cookie,
          workspace: workspace.id
        })
        assert.strictEqual(codeOf(two), "400 VALIDATION_ERROR")
        const unknown = yield* ask("GET", "/console/v1/media", { cookie, workspace: "ws_00000000000000000000000000" })
        assert.strictEqual(codeOf(unknown), "404 NOT_FOUND")
      })
    )

    it.effect("takes no key, and the API takes no cookie", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const { key, workspace } = yield* makeWorkspace()
        const byKey = { key, headers: { ...ofOurPage, "loopbox-workspace": workspace.id } }
        assert.strictEqual(codeOf(yield* call("GET", "/console/v1/media", byKey)), "401 UNAUTHORIZED")
        const byAdmin = { key: adminToken, headers: ofOurPage }
        assert.strictEqual(codeOf(yield* call("GET", "/console/v1/admin/workspaces", byAdmin)), "401 UNAUTHORIZED")
        assert.strictEqual(
          codeOf(yield* ask("GET", "/v1/media", { cookie, workspace: workspace.id })),
          "401 UNAUTHORIZED"
        )
        assert.strictEqual(codeOf(yield* ask("GET", "/v1/admin/workspaces", { cookie })), "401 UNAUTHORIZED")
        const token = cookie.slice(cookie.indexOf("=") + 1)
        assert.strictEqual(
          codeOf(yield* call("GET", "/v1/inbox?inbox_scope=workspace", { key: token })),
          "401 UNAUTHORIZED"
        )
        assert.strictEqual((yield* ask("GET", "/console/v1/media", { cookie, workspace: workspace.id })).status, 200)
        const webhook = yield* ask("POST", "/console/v1/webhooks/meta", { cookie, workspace: workspace.id, json: {} })
        assert.strictEqual(codeOf(webhook), "404 NOT_FOUND")
      })
    )

    it.effect("answers 401 and keeps nothing where nobody is signed in", () =>
      Effect.gen(function* () {
        for (const cookie of ["", "loopbox_console=", "loopbox_console=abcdefghijklmnopqrstuvwxyz0123456789"]) {
          const answer = yield* ask("GET", "/console/v1/media", { cookie, workspace: "ws_1" })
          assert.strictEqual(codeOf(answer), "401 UNAUTHORIZED")
          assert.strictEqual(answer.headers.get("cache-control"), "no-store")
          assert.isNull(answer.headers.get("www-authenticate"))
        }
        const { cookie } = yield* signIn()
        const twice = yield* ask("GET", "/console/session", { cookie: `${cookie}; loopbox_console=planted` })
        assert.strictEqual(codeOf(twice), "401 UNAUTHORIZED")
      })
    )
  })
})

describe("the console's files", () => {
  layer(consoleServer, { excludeTestServices: true })((it) => {
    it.effect("are a page for every path, that nobody frames and nothing runs in but its own", () =>
      Effect.gen(function* () {
        for (const path of ["/console", "/console/", "/console/inbox/thr_1"]) {
          const page = yield* call("GET", path)
          assert.strictEqual(page.status, 200)
          assert.include(page.text, "<title>console</title>")
          assert.strictEqual(page.headers.get("cache-control"), "no-cache")
          assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
          const policy = page.headers.get("content-security-policy") ?? ""
          for (const part of ["default-src 'self'", "frame-ancestors 'none'", "connect-src 'self'", "base-uri 'none'"])
            assert.include(policy, part)
          assert.notInclude(policy, "unsafe")
        }
        assert.strictEqual((yield* call("HEAD", "/console")).status, 200)
        // What a browser opens, where a page of ours asks for something else.
        for (const path of ["/console/activity", "/console/sandbox", "/console/sandbox/items"]) {
          const opened = yield* call("GET", path, { headers: { "sec-fetch-dest": "document" } })
          assert.include(opened.text, "<title>console</title>", path)
        }
      })
    )

    it.effect("are kept by their names, compressed for whoever takes that, and nothing else is there", () =>
      Effect.gen(function* () {
        const path = "/console/assets/console-abc.js"
        const plain = yield* call("GET", path, { headers: { "accept-encoding": "identity" } })
        assert.strictEqual(plain.text, "customElements")
        assert.include(plain.headers.get("cache-control") ?? "", "immutable")
        const again = yield* call("GET", path, {
          headers: { "accept-encoding": "identity", "if-none-match": plain.headers.get("etag") ?? "" }
        })
        assert.strictEqual(again.status, 304)
        const port = yield* portOf
        const packed = yield* sendRaw(
          port,
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br;q=0, gzip\r\nConnection: close\r\n\r\n`
        )
        assert.include(packed.toLowerCase(), "content-encoding: gzip")
        assert.include(packed, "compressed")
        for (const other of ["assets/", "assets/../index.html", "assets/%2e%2e/secret", "assets/none.js"]) {
          const answer = yield* sendRaw(port, `GET /console/${other} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
          assert.include(answer, " 404 ", other)
        }
      })
    )

    it.effect("come with what the host does, and with the sandbox's controls, for the operator only", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn()
        const day = yield* ask("GET", "/console/activity?range=day", { cookie })
        assert.deepEqual<unknown>(day.body["data"]?.["step_seconds"], 60)
        assert.strictEqual(
          codeOf(yield* ask("GET", "/console/activity?range=year", { cookie })),
          "400 VALIDATION_ERROR"
        )
        const written = yield* ask("POST", "/console/sandbox/comment", { cookie, json: { network: "x", text: "hi" } })
        assert.strictEqual(written.status, 201)
        assert.deepEqual<unknown>(written.body["data"], { id: "1" })
        assert.match(String(written.body["request_id"]), /^req_/)
        assert.strictEqual((yield* ask("GET", "/console/sandbox/items?network=x", { cookie })).status, 201)
        const refused = yield* ask("GET", "/console/sandbox/none", { cookie })
        assert.strictEqual(codeOf(refused), "409 ACTION_NOT_AVAILABLE")
        assert.deepEqual<unknown>(refused.body["error"]?.["message"], "No.")
        assert.deepStrictEqual(sandboxCalls, [
          'POST comment {"network":"x","text":"hi"}',
          "GET items?network=x undefined",
          "GET none undefined"
        ])
        const stranger = yield* call("GET", "/console/sandbox/items", { headers: ofOurPage })
        assert.strictEqual(codeOf(stranger), "401 UNAUTHORIZED")
      })
    )
  })

  layer(server, { excludeTestServices: true })("without a console", (it) => {
    it.effect("nothing is there", () =>
      Effect.gen(function* () {
        for (const path of [
          "/console",
          "/console/session",
          "/console/activity",
          "/console/v1/media",
          "/console/assets/x.js"
        ])
          assert.strictEqual(codeOf(yield* call("GET", path, { headers: ofOurPage })), "404 NOT_FOUND", path)
      })
    )
  })

  layer(consoleServerWith({ rateLimit: { burst: 2, perSecond: 0.01 } }), { excludeTestServices: true })(
    "in a hurry",
    (it) => {
      it.effect("is told to slow down, each session for itself", () =>
        Effect.gen(function* () {
          const { workspace } = yield* makeWorkspace()
          const page = { cookie: (yield* signIn()).cookie, workspace: workspace.id }
          const statuses = yield* Effect.forEach([1, 2, 3], () => ask("GET", "/console/v1/media", page))
          assert.deepStrictEqual(
            statuses.map(({ status }) => status),
            [200, 200, 429]
          )
          assert.strictEqual(statuses[2]?.headers.get("ratelimit-limit"), "2")
          const other = { cookie: (yield* signIn()).cookie, workspace: workspace.id }
          assert.strictEqual((yield* ask("GET", "/console/v1/media", other)).status, 200)
        })
      )
    }
  )

  layer(consoleServerWith({}, "01997a5e-0000-7000-8000-00000000abcd"), { excludeTestServices: true })(
    "of an installation that says who it is",
    (it) => {
      it.effect("has a cookie of its own, beside that of another one on the machine", () =>
        Effect.gen(function* () {
          const { answer, cookie } = yield* signIn()
          assert.match(cookie, /^loopbox_console_01997a5e00007000800000000000abcd=/)
          const token = cookie.slice(cookie.indexOf("=") + 1)
          const read = (sent: string) => Effect.map(ask("GET", "/console/session", { cookie: sent }), codeOf)
          assert.strictEqual(yield* read(`loopbox_console_another=${token.toLowerCase()}; ${cookie}`), "200 undefined")
          assert.strictEqual(yield* read(`loopbox_console=${token}`), "401 UNAUTHORIZED")
          assert.strictEqual(yield* read(`loopbox_console_another=${token}`), "401 UNAUTHORIZED")
          const ended = yield* ask("DELETE", "/console/session", { cookie })
          assert.match(ended.headers.get("set-cookie") ?? "", /^loopbox_console_01997a5e00007000800000000000abcd=;/)
          assert.strictEqual(answer.status, 204)
        })
      )
    }
  )

  layer(consoleServerWith({ operationsPort: 0 }), { excludeTestServices: true })("with a port of operations", (it) => {
    it.effect("is there alone, its socket too, for it administers", () =>
      Effect.gen(function* () {
        const { address } = yield* OperationsPort
        const port = Option.isSome(address) ? address.value.port : 0
        const there = `http://127.0.0.1:${port}`
        for (const path of ["/console", "/console/assets/console-abc.js", "/console/session", "/console/v1/media"]) {
          assert.strictEqual(codeOf(yield* call("GET", path, { headers: ofOurPage })), "404 NOT_FOUND", path)
        }
        assert.strictEqual((yield* call("GET", `${there}/console/inbox`)).status, 200)
        const signedIn = yield* call("POST", `${there}/console/session`, {
          headers: ofOurPage,
          json: { admin_token: adminToken }
        })
        const cookie = signedIn.headers.get("set-cookie")?.split(";", 1)[0] ?? ""
        const listed = yield* ask("GET", `${there}/console/v1/admin/workspaces`, { cookie })
        assert.strictEqual(listed.status, 200)
        const { id } = yield* makeInbox()
        const { until } = yield* followAt(`inbox_scope=workspace&workspace_id=${id}`, {
          port,
          below: "/console",
          headers: { cookie, origin: there }
        })
        yield* until(1)
      })
    )
  })
})
