import * as Client from "@loopbox/adapters-http/client/Client"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer } from "node:http"
import { asking } from "../src/cli/workspaceClient.ts"

/** A site that answers everything with a status and a JSON of its own. */
const site = (status: number, body: unknown) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((_, response) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const listed = Effect.fnUntraced(function* (url: string, query: { readonly limit?: number } = {}) {
  const client = yield* Client.make({ baseUrl: url, apiKey: "lbx_test_1", retries: 0 })
  const call = client.inbox.list({ headers: {}, query: { inbox_scope: "workspace", ...query } })
  return yield* Effect.flip(asking(url)(call))
}, Effect.provide(FetchHttpClient.layer))

describe("an address whose JSON is none of ours", () => {
  it.live.each([
    [200, { hello: "world" }],
    [200, []],
    [200, { data: [{ id: 1 }], next_cursor: null }],
    [404, { message: "no such thing" }],
    [500, { error: "broken" }]
  ] as const)("is told of as such: $0 $1", ([status, body]) =>
    Effect.gen(function* () {
      const { url } = yield* site(status, body)
      const { message } = yield* listed(url)
      assert.strictEqual(message, `${url} answered ${status}, but not as Loopbox does. Is this the address of a host?`)
    })
  )

  it.live("is not blamed for a request that was never sent", () =>
    Effect.gen(function* () {
      const { url } = yield* site(200, { hello: "world" })
      const { message } = yield* listed(url, { limit: 0 })
      assert.include(message, "The request is not valid")
    })
  )
})
