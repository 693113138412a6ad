import { afterEach, assert, describe, it } from "vitest"
import { startExample, stopExamples } from "./exampleServer.ts"
import { bringGif, expectEnvelope, firstFrame, largeGif, makeKey, sendTo } from "./visitor.ts"

const gif = largeGif()

afterEach(stopExamples)

describe("the examples of mounts", () => {
  it.each(["express", "fastify", "hono", "node"])(
    "%s: JSON, an upload of 40 MB, the live socket, and the app's own routes",
    async (framework) => {
      const { port, stop } = await startExample(`${framework}/server.mjs`)
      const send = sendTo(port)
      assert.strictEqual(await (await send("/")).text(), "yours")
      await expectEnvelope(send)
      const key = await makeKey(send)
      await bringGif(send, key, `http://127.0.0.1:${port}`, gif)
      assert.match(await firstFrame(port, key), /"type":"hello"/)
      assert.strictEqual(await stop(), 0)
    }
  )

  it("do not outlive a test that fails before it ends its own", async () => {
    const { port } = await startExample("node/server.mjs")
    await stopExamples()
    assert.strictEqual(String(await sendTo(port)("/").catch((error: unknown) => error)), "TypeError: fetch failed")
  })
})
