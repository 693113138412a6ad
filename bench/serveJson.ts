import { createServer, type IncomingMessage } from "node:http"

export type JsonAnswer = readonly [status: number, body: object]

/** Serves on a free port of loopback, whose number goes to the process that started this one. */
export const serveJson = (answer: (request: IncomingMessage) => Promise<JsonAnswer>): void => {
  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => {
        const text = JSON.stringify(body)
        response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
        response.end(text)
      },
      (error: unknown) => {
        console.error(error)
        response.destroy()
      }
    )
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(typeof address === "object" ? address?.port : undefined)
  })
}
