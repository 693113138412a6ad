/** The baseline: a server of nothing but `ws`, which sends the body of a POST to every socket. */
import { WebSocketServer } from "@effect/platform-node/NodeWS"
import { createServer } from "node:http"

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const frame = Buffer.concat(chunks)
    for (const client of sockets.clients) client.send(frame, { binary: false })
    response.end()
  })
})
const sockets = new WebSocketServer({ server })
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 })
})
process.on("disconnect", () => process.exit())
