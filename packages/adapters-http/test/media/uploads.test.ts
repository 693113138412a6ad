import { assert, describe, layer } from "@effect/vitest"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Deferred, Effect, Layer, Option, Stream } from "effect"
import { connect, type Socket } from "node:net"
import { driving, gif, makeWorkspace, portOf, sendRaw, serverWith } from "../support.ts"

/** What became of the last write, and how many bytes it has taken. */
const seen: { taken: number; outcome: Deferred.Deferred<"stored" | "dropped"> } = {
  taken: 0,
  outcome: Deferred.makeUnsafe()
}
/** Opened, the store takes what comes. */
const gate: { opened: Deferred.Deferred<void> | undefined } = { opened: undefined }

/** Memory's store, but it tells what it does, and can be made to take nothing after the first bytes. */
const watchedBlobs = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (blobs) =>
    BlobStore.of({
      ...blobs,
      write: (key, bytes) =>
        blobs
          .write(
            key,
            bytes.pipe(
              Stream.tap((chunk) => {
                seen.taken += chunk.length
                return gate.opened === undefined ? Effect.void : Deferred.await(gate.opened)
              }),
              // The file itself is of no interest, and large.
              Stream.map((chunk) => chunk.subarray(0, 1))
            )
          )
          .pipe(Effect.onExit((exit) => Deferred.succeed(seen.outcome, exit._tag === "Success" ? "stored" : "dropped")))
    })
  )
).pipe(Layer.provide(MemoryAdapters.layer))

const services = driving.pipe(Layer.provideMerge(watchedBlobs), Layer.provideMerge(MemoryAdapters.layer))

const forget = () => {
  seen.taken = 0
  seen.outcome = Deferred.makeUnsafe()
  gate.opened = undefined
}

const head = (key: string, length: number | "chunked", ...more: ReadonlyArray<string>) =>
  [
    "POST /v1/media HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${key}`,
    length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    ...more,
    "\r\n"
  ].join("\r\n")

const open = (port: number, text: string | Uint8Array) =>
  Effect.callback<Socket>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text)
      resume(Effect.succeed(socket))
    })
    socket.on("error", () => {})
  })

/** Writes everything before it reads anything, as simple clients do. */
const sendAllThenRead = (port: number, text: string, size_bytes: number) =>
  Effect.callback<string>((resume) => {
    const chunk = Buffer.alloc(64 * 1024, "x")
    let left = size_bytes
    const socket = connect(port, "127.0.0.1")
    socket.pause()
    const write = () => {
      while (left > 0) {
        left -= chunk.length
        if (!socket.write(chunk)) return void socket.once("drain", write)
      }
      socket.resume()
    }
    let received = ""
    socket.on("connect", () => {
      socket.write(text)
      write()
    })
    socket.on("data", (data) => (received += data.toString()))
    socket.on("error", () => socket.resume())
    socket.on("close", () => resume(Effect.succeed(received)))
  })

describe("an upload that breaks off or is refused (api.md §5)", () => {
  layer(serverWith().pipe(Layer.provideMerge(services)), { excludeTestServices: true })((it) => {
    const count = Effect.fnUntraced(function* (workspaceId: Parameters<MediaLibrary["Service"]["list"]>[0]) {
      const page = yield* (yield* MediaLibrary).list(workspaceId, { limit: 100, after: Option.none() })
      return page.items.length
    })

    it.effect("leaves nothing when the client goes away in the middle", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const { key, workspace } = yield* makeWorkspace()
        const boundary =
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\n'
        const starts = [
          head(key, 1_000_000, "Content-Type: image/gif"),
          `${head(key, "chunked", "Content-Type: image/gif")}${gif.length.toString(16)}\r\n`,
          head(key, 1_000_000, "Content-Type: multipart/form-data; boundary=b") + boundary
        ]
        for (const start of starts) {
          forget()
          const socket = yield* open(port, Buffer.concat([Buffer.from(start), gif, Buffer.alloc(10_000)]))
          while (seen.taken === 0) yield* Effect.sleep("5 millis")
          socket.destroy()
          assert.strictEqual(yield* Deferred.await(seen.outcome), "dropped")
        }
        assert.strictEqual(yield* count(workspace.id), 0)
      })
    )
    it.effect("refuses more than 4 GiB before it reads", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const { key } = yield* makeWorkspace()
        for (const type of ["image/gif", "multipart/form-data; boundary=b"]) {
          const answer = yield* sendRaw(port, head(key, 5 * 1024 ** 3, `Content-Type: ${type}`), "GIF89a")
          assert.match(answer, /^HTTP\/1\.1 413 [^]*"code":"PAYLOAD_TOO_LARGE"/)
          assert.match(answer, /\r\nconnection: close\r\n/i)
        }
      })
    )
    it.effect("gives its refusal also to a client that sends everything before it reads", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const { key } = yield* makeWorkspace()
        const size = 30 * 1024 * 1024
        const unauthorized = yield* sendAllThenRead(port, head("wrong", size, "Content-Type: image/gif"), size)
        assert.match(unauthorized, /^HTTP\/1\.1 401 [^]*"code":"UNAUTHORIZED"/)
        const unsupported = yield* sendAllThenRead(port, head(key, size, "Content-Type: image/gif"), size)
        assert.match(unsupported, /^HTTP\/1\.1 415 [^]*"code":"UNSUPPORTED_MEDIA_TYPE"/)
        const json = yield* sendAllThenRead(port, head(key, size, "Content-Type: application/json"), size)
        assert.match(json, /^HTTP\/1\.1 413 [^]*"code":"PAYLOAD_TOO_LARGE"/)
      })
    )
    it.effect("keeps the connection after it refused a small body", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const body = "x".repeat(50_000)
        const text = yield* sendRaw(
          port,
          head("wrong", body.length, "Content-Type: image/gif") + body,
          "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        assert.match(text, /^HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 /)
      })
    )
    it.effect("lets the client wait while the store does, so that memory stays bounded", () =>
      Effect.gen(function* () {
        forget()
        const opened = Deferred.makeUnsafe<void>()
        gate.opened = opened
        const port = yield* portOf
        const { key } = yield* makeWorkspace()
        const size = 64 * 1024 * 1024
        const socket = yield* open(port, Buffer.concat([Buffer.from(head(key, size, "Content-Type: image/gif")), gif]))
        const chunk = Buffer.alloc(1024 * 1024)
        for (let sent = 0; sent < size; sent += chunk.length) socket.write(chunk)
        yield* Effect.sleep("300 millis")
        // What the kernel's buffers do not hold is still here.
        assert.isAbove(socket.writableLength, size / 2)
        assert.isBelow(seen.taken, 1024 * 1024)
        socket.destroy()
        yield* Deferred.succeed(opened, undefined)
        assert.strictEqual(yield* Deferred.await(seen.outcome), "dropped")
      })
    )
    it.effect("says 100 Continue only when it takes the body", () =>
      Effect.gen(function* () {
        forget()
        const port = yield* portOf
        const { key } = yield* makeWorkspace()
        const start = head(key, gif.length, "Content-Type: image/gif", "Expect: 100-continue", "Connection: close")
        const answer = yield* Effect.callback<string>((resume) => {
          let received = ""
          const socket = connect(port, "127.0.0.1", () => socket.write(start))
          socket.on("data", (data) => {
            if (received === "") socket.write(gif)
            received += data.toString()
          })
          socket.on("close", () => resume(Effect.succeed(received)))
        })
        assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
      })
    )
  })
})
