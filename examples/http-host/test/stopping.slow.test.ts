import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { customer } from "./support/apiClient.ts"
import { startHost, startHostGroup, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { openSocket } from "./support/inboxClient.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places
const demoKey = () => readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()

describe("a signal to the whole process group (Ctrl-C, KillMode=control-group)", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`stops the host in order, though ${signal} comes twice within milliseconds`, async () => {
      const host = await startHostGroup(folder)
      const socket = await openSocket(host.url, demoKey())
      const ended = await host.stop(signal)
      assert.strictEqual(ended.code, 0, ended.output)
      assert.strictEqual(ended.output.match(/"message":"stopped"/g)?.length, 1)
      await until("the close of the socket", () => (socket.closedWith() === 0 ? undefined : true))
      assert.strictEqual(socket.closedWith(), 1012)
    })
  }
})

describe("a host that has ended", () => {
  it("leaves no folder of its own in the scratch folder", async () => {
    const host = await startHost(folder)
    const calls = customer(host.url, demoKey())
    const gif = await calls.upload(Uint8Array.from(animatedGif([10, 20])))
    const { id } = await calls.submit(gif)
    assert.strictEqual((await calls.settled(id)).status, "succeeded")
    assert.strictEqual((await host.stop()).code, 0)
    const scratch = join(folder, ".loopbox", "scratch")
    assert.deepStrictEqual(existsSync(scratch) ? readdirSync(scratch) : [], [])
  })
})
