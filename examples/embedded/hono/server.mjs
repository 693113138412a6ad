// node hono/server.mjs [port]: Loopbox under /social of a Hono app in Node.
import { once } from "node:events"
import { serve } from "@hono/node-server"
import { createLoopbox } from "@loopbox/embedded"
import { Hono } from "hono"

const loopbox = await createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } })

const app = new Hono()
app.all("/social/*", loopbox.hono())
app.get("/", (context) => context.text("yours"))

const server = serve({ fetch: app.fetch, port: Number(process.argv[2] ?? 3000) }, ({ port }) =>
  console.log(`port ${port}`)
)
loopbox.sockets(server, { prefix: "/social" })

await once(process, "SIGTERM")
await loopbox.close()
server.close()
