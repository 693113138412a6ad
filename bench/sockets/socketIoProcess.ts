/** What others made for the same task: a server of Socket.IO, which sends the body of a POST to every socket. */
import { createServer } from "node:http"
import { loadPeer } from "../peers/loadPeer.ts"

const { Server } = await loadPeer("socket.io")

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    io.emit("event", Buffer.concat(chunks).toString())
    response.end()
  })
})
// Only what the others do, too: no long polling, and no ping while it is measured.
const io = new Server(server, { transports: ["websocket"], serveClient: false, pingInterval: 600_000 })
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 })
})
process.on("disconnect", () => process.exit())
