// node honoNodeServer1.mjs [port]: the Hono example on an older @hono/node-server. A process of its own, for that puts classes of
// its own in place of Request and Response.
import { once } from "node:events"
import { createLoopbox } from "@loopbox/embedded"
import { Hono } from "hono"
import { serve } from "hono-node-server1"

const loopbox = await createLoopbox({ api: { adminToken: process.env.ADMIN_TOKEN } })

const app = new Hono()
app.all("/social/*", loopbox.hono())

const server = serve({ fetch: app.fetch, port: Number(process.argv[2] ?? 3000) }, ({ port }) =>
  console.log(`port ${port}`)
)
loopbox.sockets(server, { prefix: "/social" })

await once(process, "SIGTERM")
await loopbox.close()
server.close()
