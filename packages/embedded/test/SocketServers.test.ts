import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { Duplex } from "node:stream"
import { afterEach, assert, describe, it } from "vitest"
import { SocketServers } from "../src/mounts/SocketServers.ts"

const opened: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A server on which a mount was asked for under so many prefixes, as clients typed them. */
const serverWith = async (prefixes: ReadonlyArray<string>) => {
  const upgraded: Array<string> = []
  const servers = new SocketServers({
    node: async () =>
      Object.assign(() => undefined, {
        upgrade: (asked: IncomingMessage, socket: Duplex) => {
          upgraded.push(asked.url ?? "")
          socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
      }),
    web: async () => async () => new Response()
  })
  const server = createServer((_, response) => response.end("theirs"))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  opened.push(() => {
    servers.leave()
    server.closeAllConnections()
    server.close()
  })
  for (const prefix of prefixes) servers.hear(server, prefix)
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const upgrade = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: "127.0.0.1", path, headers: { connection: "Upgrade", upgrade: "websocket" } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on("error", reject)
        .end()
    })
  return { server, servers, upgrade, upgraded }
}

describe("the servers whose upgrades a mount hears", () => {
  it("have one listener, however the prefix was spelt, and find each prefix that was asked for", async () => {
    const spelt = Array.from({ length: 500 }, (_, n) =>
      n % 2 === 0 ? `/tenant-${n}/social` : `/TENANT-${n - 1}/Social`
    )
    const { server, upgrade, upgraded } = await serverWith(spelt)
    assert.strictEqual(server.listenerCount("upgrade"), 1)
    assert.strictEqual(await upgrade("/Tenant-498/social/v1/inbox/ws?after=1"), 204)
    assert.deepStrictEqual(upgraded, ["/v1/inbox/ws?after=1"])
    // Another path, or a prefix that nobody asked for, is the application's.
    assert.strictEqual(await upgrade("/elsewhere"), 200)
    assert.strictEqual(await upgrade("/tenant-1/social/v1/inbox/ws"), 200)
    assert.lengthOf(upgraded, 1)
  })

  it("forget the prefix that was not asked for the longest, where a client makes up ever new ones", async () => {
    const { server, servers, upgrade } = await serverWith(["/kept", "/forgotten"])
    for (let n = 0; n < 9_999; n++) {
      servers.hear(server, `/made-up-${n}`)
      if (n % 1_000 === 0) servers.hear(server, "/kept")
    }
    assert.deepStrictEqual([await upgrade("/kept/v1/inbox/ws"), await upgrade("/forgotten/v1/inbox/ws")], [204, 200])
  })

  it("are heard no more once a mount is closed", async () => {
    const { server, servers } = await serverWith(["", "/social"])
    servers.leave()
    assert.strictEqual(server.listenerCount("upgrade"), 0)
  })
})
