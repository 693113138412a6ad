import { assert, describe, it } from "vitest"
import { Loopbox } from "../src/index.ts"

/** A client and the last request that it made. */
const recorded = () => {
  const last: { url: string; method: string; headers: Headers; body: string } = {
    url: "",
    method: "",
    headers: new Headers(),
    body: ""
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(String(input), init)
    Object.assign(last, {
      url: request.url,
      method: request.method,
      headers: request.headers,
      body: await request.text()
    })
    return Response.json({ data: [], next_cursor: null, request_id: "req_1" })
  }
  return { last, loopbox: new Loopbox({ baseUrl: "https://app.example/social/", apiKey: "k", fetch }) }
}

describe("requests", () => {
  it("have the prefix of the host, and a query without what is undefined or null", async () => {
    const { last, loopbox } = recorded()
    await loopbox.inbox.list({ inbox_scope: "workspace", is_read: false, limit: 5, source: undefined })
    assert.strictEqual(last.url, "https://app.example/social/v1/inbox?inbox_scope=workspace&is_read=false&limit=5")
    assert.strictEqual(last.headers.get("authorization"), "Bearer k")
  })

  it("carry the scope in the query and the rest in the body", async () => {
    const { last, loopbox } = recorded()
    const scope = { inbox_scope: "managed_user", external_user_id: "u&1" } as const
    await loopbox.outbound.reply("itm 1/2", { ...scope, text: "hi" }, { idempotencyKey: "k1", headers: { "x-a": "b" } })
    assert.strictEqual(
      last.url,
      "https://app.example/social/v1/inbox/itm%201%2F2/reply?inbox_scope=managed_user&external_user_id=u%261"
    )
    assert.deepStrictEqual(JSON.parse(last.body), { text: "hi" })
    assert.deepStrictEqual(
      ["content-type", "idempotency-key", "x-a"].map((name) => last.headers.get(name)),
      ["application/json", "k1", "b"]
    )
  })

  it("name a managed user in the body, and as the scope only where that is the scope", async () => {
    const { last, loopbox } = recorded()
    await loopbox.connect.createSession({ network: "x", external_user_id: "u1" })
    assert.strictEqual(new URL(last.url).search, "")
    assert.deepStrictEqual(JSON.parse(last.body), { network: "x", external_user_id: "u1" })
    await loopbox.connect.createSession({ network: "x", inbox_scope: "managed_user", external_user_id: "u1" })
    assert.strictEqual(new URL(last.url).search, "?inbox_scope=managed_user&external_user_id=u1")
    assert.deepStrictEqual(JSON.parse(last.body), { network: "x", external_user_id: "u1" })
  })

  it("have a file whose type nobody said in a form, where the host looks at the bytes", async () => {
    const { last, loopbox } = recorded()
    const gif = new TextEncoder().encode("GIF89a")
    for (const [file, name] of [
      [gif, "file"],
      [gif.buffer, "file"],
      [new Blob([gif]), "file"],
      [new File([gif], "cat.gif"), "cat.gif"]
    ] as const) {
      await loopbox.media.upload(file)
      assert.match(last.headers.get("content-type") ?? "", /^multipart\/form-data; boundary=/)
      assert.include(last.body, `name="file"; filename="${name}"`)
      assert.include(last.body, "\r\n\r\nGIF89a\r\n")
    }
    await loopbox.media.upload(gif, { filename: "ü.gif" })
    assert.include(last.body, 'filename="ü.gif"')
    assert.isNull(last.headers.get("x-filename"))
  })

  it("have the bytes alone where their type is known, or was when they were announced", async () => {
    const { last, loopbox } = recorded()
    const gif = new TextEncoder().encode("GIF89a")
    for (const upload of [
      () => loopbox.media.upload(new Blob([gif], { type: "image/gif" })),
      () => loopbox.media.upload(gif, { contentType: "image/gif" }),
      () => loopbox.media.upload(gif, { headers: { "Content-Type": "image/gif" } })
    ]) {
      await upload()
      assert.deepStrictEqual([last.headers.get("content-type"), last.body], ["image/gif", "GIF89a"])
    }
    await loopbox.media.upload(gif, { contentType: "image/gif", filename: "ü.gif" })
    assert.strictEqual(last.headers.get("x-filename"), "%C3%BC.gif")
    await loopbox.media.finish("med_1", gif, { filename: "ü.gif" })
    assert.deepStrictEqual(
      ["content-type", "x-filename"].map((name) => last.headers.get(name)),
      [null, null]
    )
    assert.deepStrictEqual([last.method, last.body], ["PUT", "GIF89a"])
  })

  it("refuse a stream whose type nobody said before anything is sent", async () => {
    const { last, loopbox } = recorded()
    const error: unknown = await loopbox.media.upload(new Blob(["GIF89a"]).stream()).catch((error: unknown) => error)
    assert.instanceOf(error, TypeError)
    assert.include(String(error), "give contentType")
    assert.strictEqual(last.url, "")
  })

  it("keep null in a body, where it clears", async () => {
    const { last, loopbox } = recorded()
    await loopbox.posts.edit("pst_1", { scheduled_at: null })
    assert.deepStrictEqual(JSON.parse(last.body), { scheduled_at: null })
  })

  it("are not made with options in the place of members, of which a query would have no more than a name", async () => {
    const { last, loopbox } = recorded()
    const { signal } = new AbortController()
    // As plain JavaScript may give it.
    const members = JSON.parse('{"inbox_scope":"workspace"}')
    for (const call of [
      () => loopbox.connectedAccounts.list(Object.assign(members, { signal })),
      () => loopbox.inbox.countUnread(Object.assign(members, { signal }))
    ]) {
      const failure: unknown = await call().then(undefined, (error: unknown) => error)
      assert.strictEqual(String(failure), "TypeError: signal can't be in a query: options come last")
    }
    await loopbox.connectedAccounts.list({ network: undefined, cursor: "c1" }, { signal })
    assert.strictEqual(last.url, "https://app.example/social/v1/accounts?cursor=c1")
  })

  it("are not made without the ids of their path", async () => {
    const { last, loopbox } = recorded()
    const failure = await loopbox.posts.find("").catch((error: unknown) => error)
    assert.strictEqual(String(failure), "TypeError: /v1/posts/{id}: id must be an id")
    assert.strictEqual(last.url, "")
  })

  it("are not made with an id that would make another path of it", async () => {
    const { last, loopbox } = recorded()
    for (const call of [
      () => loopbox.admin.revokeKey("ws_1", ".."),
      () =>
        loopbox.request("DELETE", "/v1/admin/workspaces/{id}/api-keys/{key_id}", {
          params: { path: { id: "ws_1", key_id: ".." } }
        })
    ]) {
      const failure: unknown = await (async () => call())().catch((error: unknown) => error)
      assert.match(String(failure), /^TypeError: \/v1\/admin\/.*key_id must be an id$/)
    }
    assert.strictEqual(last.url, "")
  })

  it("can be of any path, with types where it is known", async () => {
    const { last, loopbox } = recorded()
    const { requestId } = await loopbox.request("POST", "/v1/not/yet/{id}", {
      params: { path: { id: "a b" }, query: { q: 1 }, header: { "x-workspace-id": "ws_1" } },
      body: { a: 1 }
    })
    assert.strictEqual(requestId, "req_1")
    assert.strictEqual(last.url, "https://app.example/social/v1/not/yet/a%20b?q=1")
    assert.deepStrictEqual([last.body, last.headers.get("x-workspace-id")], ['{"a":1}', "ws_1"])
  })

  it("are made of a key or of tokens, not of both", () => {
    assert.throws(() => new Loopbox({ baseUrl: "https://x.example", apiKey: "k", getToken: () => "t" }), "not both")
  })

  it("are not made before a list is awaited or iterated", async () => {
    const { last, loopbox } = recorded()
    const list = loopbox.posts.list()
    await Promise.resolve()
    assert.strictEqual(last.url, "")
    for await (const post of list) assert.fail(post.id)
    assert.strictEqual(last.method, "GET")
  })
})

describe("types", () => {
  const { loopbox } = recorded()
  /** Never called: what is wrong here must not compile. */
  const wrong = () => [
    // @ts-expect-error: no such member
    loopbox.inbox.list({ is_raed: false }),
    // @ts-expect-error: not a truth value
    loopbox.inbox.list({ is_read: "no" }),
    // @ts-expect-error: not a scope
    loopbox.inbox.list({ inbox_scope: "mine" }),
    // @ts-expect-error: the id is missing
    loopbox.inbox.find(),
    // @ts-expect-error: what is posted is missing
    loopbox.admin.createWorkspace(),
    // @ts-expect-error: one of two ids is missing
    loopbox.posts.retryTarget("pst_1"),
    // @ts-expect-error: not a parameter of this path
    loopbox.request("GET", "/v1/inbox/{id}", { params: { path: { ix: "x" } } }),
    // @ts-expect-error: this path is not put
    loopbox.request("PUT", "/v1/inbox"),
    // @ts-expect-error: a scope is named
    loopbox.inbox.events({})
  ]
  const right = async () => {
    const job = await loopbox.conversions.create({ gif_media_id: "x" })
    const page = await loopbox.inbox.list()
    const file: Response = await loopbox.media.content("x")
    const nothing: undefined = await loopbox.inbox.markRead("x")
    for await (const event of loopbox.inbox.events({ inbox_scope: "workspace" })) {
      if (event.type === "inbox.new_item") return event.item.author_name.length + event.seq
    }
    return [job.progress?.toFixed(), page.data[0]?.author_name.length, file.ok, nothing]
  }

  it("refuse a member that is not there and know what is answered", () => {
    assert.isFunction(wrong)
    assert.isFunction(right)
  })
})
