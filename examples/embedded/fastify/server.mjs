// node fastify/server.mjs [port]: Loopbox under /social of a Fastify app.
import { once } from "node:events"
import { createLoopbox } from "@loopbox/embedded"
import fastify from "fastify"

const loopbox = await createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } })

const app = fastify()
app.register(loopbox.fastify(), { prefix: "/social" })
app.get("/", () => "yours")

await app.listen({ port: Number(process.argv[2] ?? 3000) })
console.log(`port ${app.server.address().port}`)

await once(process, "SIGTERM")
await loopbox.close()
await app.close()
