/** A network that answers what a test tells it to, on a socket of this machine. */
import { createServer } from "node:http"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { Deferred, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import type { SocialSettings } from "../src/calls/SocialSettings.ts"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"

export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** As it came. */
  readonly body: string
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is; anything else as JSON. */
  readonly body?: unknown
}

/** What one network answers: undefined never answers, `cut` ends the connection in the body, `reset` before it. */
export type Behaviour = (request: Received) => Answer | "cut" | "reset" | undefined

const send = (response: ServerResponse, { body = {}, headers = {}, status = 200 }: Answer): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

const behaveTo = (answer: ReturnType<Behaviour>, response: ServerResponse): void => {
  if (answer === "reset") response.socket?.resetAndDestroy()
  else if (answer === "cut") {
    response.writeHead(200, { "content-length": "1000" })
    response.write('{"id":', () => response.destroy())
  } else if (answer !== undefined) send(response, answer)
}

/** A running server and all that it was asked. */
export const serve = Effect.fnUntraced(function* (behave: Behaviour) {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://loopback")
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const asked = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      received.push(asked)
      behaveTo(behave(asked), response)
    })
  })
  const listening = yield* Deferred.make<void>()
  yield* Effect.acquireRelease(
    Effect.sync(() => server.listen(0, "127.0.0.1", () => Deferred.doneUnsafe(listening, Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  yield* Deferred.await(listening)
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { received, url: `http://127.0.0.1:${port}` }
})

/** The connectors of all networks, talking to one server under a path for each. */
export const connected = Effect.fnUntraced(function* (behave: Behaviour, settings: SocialSettings = {}) {
  const { received, url } = yield* serve(behave)
  const baseUrls = { instagram: `${url}/ig/`, facebook: `${url}/fb`, threads: `${url}/th`, x: `${url}/x` }
  const layer = SocialConnectors.layer({ baseUrls, ...settings }).pipe(Layer.provide(FetchHttpClient.layer))
  const context = yield* Layer.build(layer)
  return { received, url, connectors: yield* Effect.provideContext(Effect.service(Connectors), context) }
})
