import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { sendFile } from "../../src/calls/sendFile.ts"

const chunk = new Uint8Array(65_536)
/** More than the buffers of a connection take. */
const chunks = 400
const size_bytes = chunk.length * chunks

const file: Stream.Stream<Uint8Array> = Stream.fromIterable(Array.from({ length: chunks }, () => chunk))

/** Sends a file to a server that answers in this way, and which goes on for as long as `after` takes. */
const sendTo = Effect.fnUntraced(function* (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  bytes = file,
  after: Effect.Effect<void> = Effect.void
) {
  const server = createServer(answer)
  server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return yield* sendFile(`http://127.0.0.1:${port}/`, {}, { bytes, size_bytes }).pipe(
    Effect.tap(after),
    Effect.ensuring(
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
  )
})

describe("a file that is sent", () => {
  it.live("gives what the network answers by its headers, before the bytes are through", () =>
    Effect.gen(function* () {
      const answer = yield* sendTo((_, response) => {
        response.writeHead(401, { connection: "close" })
        response.end('{"error":{"code":190}}')
      })
      assert.deepStrictEqual([answer.status, new TextDecoder().decode(answer.body)], [401, '{"error":{"code":190}}'])
    })
  )

  it.live("is sent to its end where the network says before that it takes it", () =>
    Effect.gen(function* () {
      let received = 0
      const answer = yield* sendTo((request, response) => {
        response.writeHead(200).flushHeaders()
        request.on("data", (part: Buffer) => (received += part.length)).on("end", () => response.end("{}"))
      })
      assert.deepStrictEqual([answer.status, received], [200, size_bytes])
    })
  )

  it.live("is not sent on where the network has refused it, though it keeps the connection", () =>
    Effect.gen(function* () {
      let [isRead, isOpen] = [true, true]
      const bytes = Stream.ensuring(
        file,
        Effect.sync(() => (isRead = false))
      )
      const answer = yield* sendTo(
        (request, response) => {
          request.socket.on("close", () => (isOpen = false))
          response.writeHead(400).end("{}")
        },
        bytes,
        Effect.sleep("20 millis").pipe(
          Effect.repeat({ while: () => isRead || isOpen }),
          Effect.timeoutOption("5 seconds"),
          Effect.asVoid
        )
      )
      assert.deepStrictEqual([answer.status, isRead, isOpen], [400, false, false])
    })
  )

  it.live("is not sent where the connection breaks and nothing is answered", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(sendTo((request) => request.socket.destroy()))
      assert.strictEqual(error._tag, "NotSent")
    })
  )
})
