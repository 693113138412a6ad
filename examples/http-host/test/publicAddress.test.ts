import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { createServer, type RequestListener } from "node:http"
import { afterEach, describe, it } from "vitest"
import { examineAnswer, examineFile, judgeAddress } from "../src/publicAddress.ts"

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Something at a public address; where it is. */
const standIn = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

const looked = async (answer: RequestListener) => Effect.runPromise(examineAnswer(await standIn(answer)))

const bytes = Buffer.from("GIF89a and so on, which is long enough for a part of it")

/** A host that serves a file, as `change` has it otherwise. */
const fetched = async (
  change: (method: string) => { readonly status?: number; readonly headers?: object } = () => ({})
) => {
  const url = await standIn((request, response) => {
    const isPart = request.headers.range !== undefined
    const body = isPart ? bytes.subarray(0, 16) : bytes
    const { headers = {}, status = isPart ? 206 : 200 } = change(request.method ?? "")
    response.writeHead(status, {
      "content-type": "image/gif",
      "content-length": body.length,
      ...(isPart ? { "content-range": `bytes 0-15/${bytes.length}` } : {}),
      ...headers
    })
    response.end(request.method === "HEAD" ? undefined : body)
  })
  const file = {
    url: `${url}/v1/media/med_1/content?sig=a-signature`,
    contentType: "image/gif",
    sizeBytes: bytes.length
  }
  return Effect.runPromise(examineFile(Option.some(file)))
}

describe("the public address", () => {
  it("is one that networks reach, by https", () => {
    assert.strictEqual(judgeAddress("https://inbox.example.com").status, "ok")
    for (const url of [
      "http://inbox.example.com",
      "https://localhost:8080",
      "https://127.0.0.1",
      "https://[::1]",
      "https://10.1.2.3",
      "https://172.20.0.1",
      "https://nas.local"
    ]) {
      assert.strictEqual(judgeAddress(url).status, "failed", url)
    }
  })

  it("answers as the host, and not as something before it", async () => {
    const well = await looked((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    )
    assert.strictEqual(well.status, "ok")
    const moved = await looked((_, response) => response.writeHead(302, { location: "https://www.example.com/" }).end())
    assert.match(moved.message, /redirects to https:\/\/www\.example\.com\//)
    const tunnel = await looked((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>You are about to visit…</h1>")
    )
    assert.match(tunnel.message, /a page of HTML comes instead/)
    const locked = await looked((_, response) => response.writeHead(401).end())
    assert.match(locked.message, /wants a login/)
    const other = await looked((_, response) => response.writeHead(404).end("not here"))
    assert.match(other.message, /answers 404/)
    for (const finding of [moved, tunnel, locked, other]) assert.strictEqual(finding.status, "failed")
    const url = await standIn(() => undefined)
    for (const close of closing.splice(0)) close()
    const nobody = await Effect.runPromise(examineAnswer(url))
    assert.deepStrictEqual([nobody.status, nobody.message], ["failed", `${url}: nobody listens there.`])
  })

  it("serves files whole and in parts, with their type", async () => {
    assert.strictEqual((await fetched()).status, "ok")
    const whole = await fetched((method) => (method === "GET" ? { status: 200 } : {}))
    assert.match(whole.message, /a range is answered 200 instead of 206/)
    const typeless = await fetched(() => ({ headers: { "content-type": "application/octet-stream" } }))
    assert.match(typeless.message, /HEAD has the type application\/octet-stream instead of image\/gif/)
    const moved = await fetched(() => ({ status: 301, headers: { location: "https://cdn.example" } }))
    assert.match(moved.message, /redirects/)
    const refused = await fetched((method) => (method === "HEAD" ? { status: 405 } : {}))
    assert.match(refused.message, /HEAD is answered 405/)
    for (const finding of [whole, typeless, moved, refused]) {
      assert.strictEqual(finding.status, "failed")
      // The link is a key to the file.
      assert.notInclude(finding.message, "a-signature")
    }
    assert.strictEqual((await Effect.runPromise(examineFile(Option.none()))).status, "unchecked")
  })
})
