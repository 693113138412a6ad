// node express/server.mjs [port]: Loopbox under /social of an Express app, for version 5 and 4.
import { once } from "node:events"
import { createLoopbox } from "@loopbox/embedded"
import express from "express"

const loopbox = await createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } })

const app = express()
app.use(express.json())
app.use("/social", loopbox.express())
app.get("/", (_request, response) => response.send("yours"))

const server = app.listen(Number(process.argv[2] ?? 3000), () => console.log(`port ${server.address().port}`))
loopbox.sockets(server, { prefix: "/social" })

await once(process, "SIGTERM")
await loopbox.close()
server.close()
