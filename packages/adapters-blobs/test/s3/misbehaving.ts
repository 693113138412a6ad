import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** A server that answers as told, on a port of its own. */
export const misbehaving = Effect.fnUntraced(function* (
  answer: (request: IncomingMessage, response: ServerResponse, count: number, body: Buffer) => void
) {
  const requests: Array<string> = []
  const bodies: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.range ?? ""}`.trim())
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      bodies.push(body.toString("latin1"))
      answer(request, response, requests.length, body)
    })
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { address: `http://127.0.0.1:${port}`, requests, bodies }
})

/** Refuses as S3 does. */
export const refuse = (response: ServerResponse, status: number, code: string) =>
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
