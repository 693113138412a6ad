// node node/server.mjs [port]: Loopbox under /social of a server of node:http.
import { once } from "node:events"
import { createServer } from "node:http"
import { createLoopbox } from "@loopbox/embedded"

const loopbox = await createLoopbox({ networks: "sandbox", api: { adminToken: process.env.ADMIN_TOKEN } })

const social = loopbox.node({ prefix: "/social" })
const server = createServer((request, response) => {
  if (request.url.startsWith("/social/")) social(request, response)
  else response.end("yours")
})
server.on("upgrade", social.upgrade)
server.listen(Number(process.argv[2] ?? 3000), () => console.log(`port ${server.address().port}`))

await once(process, "SIGTERM")
await loopbox.close()
server.close()
