import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { sandboxControls } from "../../src/console/sandboxControls.ts"

/** A simulator that says what it was asked. */
const simulator = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        response.writeHead(request.url === "/sandbox/post" ? 409 : 201, { "content-type": "application/json" })
        response.end(JSON.stringify({ asked: `${request.method} ${request.url} ${body}` }))
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("the sandbox's controls for the console", () => {
  it.live("are those of the simulator", () =>
    Effect.gen(function* () {
      const controls = sandboxControls(yield* simulator)
      assert.deepStrictEqual(yield* controls("GET", "items?network=x&limit=5", undefined), {
        status: 201,
        body: { asked: "GET /sandbox/items?network=x&limit=5 " }
      })
      assert.deepStrictEqual(yield* controls("POST", "faults/clear", { network: "x" }), {
        status: 201,
        body: { asked: 'POST /sandbox/faults/clear {"network":"x"}' }
      })
      assert.strictEqual((yield* controls("POST", "post", undefined)).status, 409)
    })
  )

  it.live("show no token, and nothing of the networks themselves", () =>
    Effect.gen(function* () {
      const controls = sandboxControls(yield* simulator)
      for (const path of ["tokens", "../x/2/users/me", "items/../tokens", "%2e%2e/x", "", "nothing"]) {
        assert.strictEqual((yield* controls("GET", path, undefined)).status, 404, path)
      }
      assert.strictEqual((yield* controls("DELETE", "items", undefined)).status, 404)
      assert.strictEqual((yield* controls("POST", "items", {})).status, 404)
    })
  )

  it.live("say so where the simulator is gone", () =>
    Effect.gen(function* () {
      const controls = sandboxControls({ url: "http://127.0.0.1:1" })
      assert.strictEqual((yield* controls("GET", "items", undefined)).status, 503)
    })
  )
})
