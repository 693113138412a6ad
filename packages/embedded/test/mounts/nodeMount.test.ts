import { assert, describe, it } from "vitest"
import { createServer } from "node:http"
import { createLoopbox } from "../../src/createLoopbox.ts"

describe("loopbox.node()", () => {
  it("answers by the address that it was handed, where the server puts its own back, as koa-mount does", async () => {
    await using loopbox = await createLoopbox({})
    const handle = loopbox.node()
    const server = createServer((request, response) => {
      const { url = "" } = request
      request.url = url.replace("/social", "")
      handle(request, response)
      request.url = url
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}/social${path}`)).status
    // The API is built while the first waits.
    const first = await Promise.all([statusOf("/livez"), statusOf("/v1/inbox?inbox_scope=workspace")])
    assert.deepStrictEqual([...first, await statusOf("/livez")], [200, 401, 200])
    server.close()
  })
})
