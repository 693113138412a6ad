import { Effect, Option } from "effect"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import type { AddressInfo, Server } from "node:net"
import type { Post } from "../../src/node/sending/post.ts"

/** Something that a receiver was asked. */
export interface Asked {
  readonly headers: IncomingMessage["headers"]
  readonly path: string
  readonly body: string
}

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address()
  return address === null || typeof address === "string" ? 0 : address.port
}

/** A server that is closed with the scope, its port, and how many connections it had. */
export const listening = <S extends Server>(server: S, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: S; readonly port: number; readonly connections: () => number }>((resume) => {
      let connections = 0
      server.on("connection", () => {
        connections += 1
      })
      server.listen(0, host, () =>
        resume(Effect.succeed({ server, port: portOf(server), connections: () => connections }))
      )
    }),
    () =>
      Effect.callback<void>((resume) => {
        if ("closeAllConnections" in server && typeof server.closeAllConnections === "function") {
          server.closeAllConnections()
        }
        server.close(() => resume(Effect.void))
      })
  )

/** A receiver of webhooks that notes what it is asked, and answers 204 or as it is told. */
export const receiving = (answer: RequestListener = (_, response) => void response.writeHead(204).end()) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        asked.push({ headers: request.headers, path: request.url ?? "", body: Buffer.concat(chunks).toString() })
        answer(request, response)
      })
    })
    return { ...(yield* listening(server)), asked }
  })

/** An attempt with nothing special. */
export const postTo = (url: string, lane = "whe_1"): Post => ({
  lane,
  url,
  headers: { "content-type": "application/json" },
  body: "{}"
})

/** What came of an attempt in one line. */
export const lineOf = (posted: {
  readonly status: Option.Option<number>
  readonly failure: Option.Option<string>
}): string => String(Option.getOrElse(posted.status, () => Option.getOrElse(posted.failure, () => "nothing")))
