import { assert, describe, it } from "@effect/vitest"
import { asCurl, RequestLog } from "../../src/console/shell/RequestLog.ts"
import { addressOf, pageIds, routeOf, ticketOf } from "../../src/console/shell/routes.ts"
import { readLocale } from "../../src/console/shell/settingsStore.ts"

describe("addresses of the console", () => {
  it("name a page, what it shows and how", () => {
    for (const page of pageIds) {
      const url = new URL(addressOf(page, "thr_1/ä", { view: "mine", query: "" }), "http://host")
      const route = routeOf(url.pathname, url.search)
      assert.strictEqual(route.page, page)
      assert.strictEqual(route.rest, "thr_1/ä")
      assert.deepStrictEqual(Array.from(route.query), [["view", "mine"]])
    }
  })

  it("that name no page are the inbox", () => {
    for (const path of ["/console", "/console/", "/console/none/x", "/console/%E0%A4%A", "/"]) {
      assert.strictEqual(routeOf(path, "").page, "inbox", path)
      assert.strictEqual(routeOf(path, "").rest, "")
    }
    assert.strictEqual(routeOf("/console/media/%E0%A4%A", "").rest, "")
  })

  it("bear a ticket behind their #, and nothing else there is one", () => {
    assert.strictEqual(ticketOf("#abcdefghijklmnopqrstuvwxyz_-0123"), "abcdefghijklmnopqrstuvwxyz_-0123")
    for (const hash of ["", "#", "#content", "#abcdefghijklmnopqrstuvwxyz<script>"]) assert.isUndefined(ticketOf(hash))
  })
})

const sent = {
  method: "GET",
  path: "/v1/inbox?inbox_scope=workspace",
  body: undefined,
  status: 200,
  requestId: "req_1"
}

describe("a request as curl", () => {
  it("has a placeholder for the key, and nothing that a shell would take for its own", () => {
    assert.strictEqual(
      asCurl(sent, "https://api.example"),
      `curl \\\n  'https://api.example/v1/inbox?inbox_scope=workspace' \\\n  -H "Authorization: Bearer $LOOPBOX_API_KEY"`
    )
    const body = JSON.stringify({ text: "it's $HOME `id`" })
    const text = asCurl({ ...sent, method: "POST", path: "/v1/x", body }, "https://api.example")
    assert.include(text, "-X POST")
    assert.include(text, `-d '{"text":"it'\\''s $HOME \`id\`"}'`)
    assert.include(asCurl({ ...sent, path: "/v1/admin/workspaces" }, ""), "$LOOPBOX_ADMIN_TOKEN")
  })

  it("goes where it went, with a key only where one is asked for", () => {
    const written = { ...sent, method: "POST", path: "/sandbox/comment", origin: "http://127.0.0.1:9", body: "{}" }
    assert.strictEqual(
      asCurl(written, "https://api.example"),
      `curl -X POST \\\n  'http://127.0.0.1:9/sandbox/comment' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'`
    )
    const picture = { ...sent, method: "POST", path: "/v1/media", file: "a.png", fileType: "image/png" }
    assert.include(asCurl(picture, ""), "-H 'Content-Type: image/png'")
  })

  it("leaves what is looked at again and again below what was done", () => {
    const log = new RequestLog(() => undefined)
    log.addLook({ ...sent, path: "/sandbox/items" })
    log.add({ ...sent, method: "POST", path: "/sandbox/comment" })
    log.addLook({ ...sent, path: "/sandbox/items", requestId: "req_2" })
    assert.deepStrictEqual(
      log.all.map(({ path }) => path),
      ["/sandbox/comment", "/sandbox/items"]
    )
  })

  it("names the file that it sends", () => {
    const text = asCurl({ ...sent, method: "POST", path: "/v1/media", file: "a cat's.gif" }, "https://api.example")
    assert.include(text, `--data-binary '@a cat'\\''s.gif'`)
    assert.include(text, "-H 'Content-Type: image/gif'")
    assert.include(text, `-H 'X-Filename: a%20cat'\\''s.gif'`)
  })

  it("stands there once, however often it was asked, the newest first, thirty at most", () => {
    let changes = 0
    const log = new RequestLog(() => changes++)
    for (let i = 0; i < 40; i++) log.add({ ...sent, path: `/v1/${i}` })
    log.add({ ...sent, path: "/v1/30", status: 500 })
    assert.strictEqual(log.all.length, 30)
    assert.deepStrictEqual(log.all[0], { ...sent, path: "/v1/30", status: 500 })
    assert.strictEqual(log.all.filter(({ path }) => path === "/v1/30").length, 1)
    log.clear()
    assert.strictEqual(log.all.length, 0)
    assert.strictEqual(changes, 42)
  })
})

describe("the language of the console", () => {
  it("is the browser's, with its country, as far as its words are built in", () => {
    assert.strictEqual(readLocale(["en-GB", "de-AT"]), "en-GB")
    assert.strictEqual(readLocale(["fr-FR", "de-AT", "en"]), "de-AT")
    assert.strictEqual(readLocale(["fr"]), "en")
  })
})
