import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Option } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:net"
import { makePost } from "../../src/node/sending/post.ts"
import { NameUnresolved, type ResolveName } from "../../src/node/sending/resolveNames.ts"
import { listening, lineOf, postTo, receiving } from "./receiver.ts"

const noNames: ResolveName = () => Effect.fail(new NameUnresolved({ cause: "no names here" }))

const anywhere = makePost({ allowsPrivate: true, resolve: noNames })

describe("an attempt to post", () => {
  it.effect("sends path, query, headers and body, and has the answer's status and text", () =>
    Effect.gen(function* () {
      const receiver = yield* receiving((_, response) => void response.writeHead(202).end("thanks"))
      const post = yield* anywhere
      const posted = yield* post({
        ...postTo(`http://127.0.0.1:${receiver.port}/a/b?c=d%20e`),
        headers: { "content-type": "application/json", "user-agent": "Loopbox" },
        body: '{"ä":1}'
      })
      assert.deepEqual(
        [posted.status, posted.response, posted.failure],
        [Option.some(202), Option.some("thanks"), Option.none()]
      )
      const [asked] = receiver.asked
      assert.deepEqual([asked?.path, asked?.body], ["/a/b?c=d%20e", '{"ä":1}'])
      assert.deepEqual(Object.keys(asked?.headers ?? {}).toSorted(), [
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent"
      ])
      assert.strictEqual(asked?.headers.host, `127.0.0.1:${receiver.port}`)
    })
  )
  it.effect("follows no redirect", () =>
    Effect.gen(function* () {
      const other = yield* receiving()
      const receiver = yield* receiving((_, response) =>
        response.writeHead(307, { location: `http://127.0.0.1:${other.port}/`, "set-cookie": "a=b" }).end()
      )
      const post = yield* anywhere
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${receiver.port}/`))), "307")
      yield* post(postTo(`http://127.0.0.1:${receiver.port}/`))
      assert.strictEqual(other.connections(), 0)
      assert.isUndefined(receiver.asked[1]?.headers.cookie)
    })
  )
  it.effect("uses no proxy of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* receiving()
      const receiver = yield* receiving()
      const names = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]
      const before = names.map((name) => [name, process.env[name]] as const)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const [name, value] of before) {
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
          }
        })
      )
      for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
      const post = yield* anywhere
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${receiver.port}/`))), "204")
      assert.deepEqual([proxy.connections(), receiver.connections()], [0, 1])
    })
  )
  it.effect("keeps the first 4 KiB of an answer, and no byte that PostgreSQL or UTF-8 does not know", () =>
    Effect.gen(function* () {
      const answers: Array<Buffer> = [Buffer.from(`${"ä".repeat(2047)}abä`), Buffer.from([0x61, 0xff, 0x00, 0x62])]
      const receiver = yield* receiving((_, response) => void response.writeHead(200).end(answers.shift()))
      const post = yield* anywhere
      const read = Effect.map(post(postTo(`http://127.0.0.1:${receiver.port}/`)), ({ response }) =>
        Option.getOrElse(response, () => "none")
      )
      assert.strictEqual(yield* read, `${"ä".repeat(2047)}ab`)
      assert.strictEqual(yield* read, "a\uFFFD\uFFFDb")
    })
  )
  it.effect("gives up the connection of an answer beyond 64 KiB", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<boolean>()
      const receiver = yield* receiving((_, response) => {
        response.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(response.writableFinished)))
        response.writeHead(200).end(Buffer.alloc(64 * 1024 * 1024, "x"))
      })
      const post = yield* anywhere
      const posted = yield* post(postTo(`http://127.0.0.1:${receiver.port}/`))
      assert.deepEqual([posted.status, posted.response], [Option.some(200), Option.some("x".repeat(4096))])
      assert.isFalse(yield* Deferred.await(closed), "64 MiB were not sent")
    })
  )
  it.effect(
    "has the answer that comes after 100 Continue, 102 and 103 Early Hints, and uses the connection again",
    () =>
      Effect.gen(function* () {
        const text = "HTTP/1.1 100 Continue\r\n\r\nis what this text says"
        const receiver = yield* receiving((_, response) => {
          response.writeContinue()
          response.writeProcessing()
          response.writeEarlyHints({ link: "</style.css>; rel=preload" })
          response.writeContinue()
          setImmediate(() => response.writeHead(200).end(text))
        })
        const post = yield* anywhere
        for (let sent = 0; sent < 3; sent += 1) {
          const posted = yield* post(postTo(`http://127.0.0.1:${receiver.port}/`))
          assert.deepEqual([posted.status, posted.response], [Option.some(200), Option.some(text)])
        }
        assert.isBelow(receiver.connections(), 3)
        assert.lengthOf(receiver.asked, 3)
      })
  )
  it.effect("has it also when each byte comes by itself", () =>
    Effect.gen(function* () {
      const answer =
        "HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok"
      const slow = yield* listening(
        createServer((socket) => {
          socket.setNoDelay(true)
          socket.once("data", () => {
            const bytes = Array.from(answer)
            const next = () => {
              const byte = bytes.shift()
              if (byte !== undefined) socket.write(byte, () => setImmediate(next))
            }
            next()
          })
        })
      )
      const post = yield* anywhere
      const posted = yield* post(postTo(`http://127.0.0.1:${slow.port}/`))
      assert.deepEqual([posted.status, posted.response], [Option.some(201), Option.some("ok")])
    })
  )
  it.effect("has the status of an answer whose text never ends", () =>
    Effect.gen(function* () {
      const asked = yield* Latch.make()
      const receiver = yield* receiving((_, response) => {
        response.writeHead(200).write("begun")
        asked.openUnsafe()
      })
      const post = yield* anywhere
      const fiber = yield* Effect.forkChild(post(postTo(`http://127.0.0.1:${receiver.port}/`)))
      yield* asked.await
      yield* untilDone(fiber)
      const posted = yield* Fiber.join(fiber)
      assert.deepEqual([posted.status, posted.response], [Option.some(200), Option.some("begun")])
    })
  )
})

/** Lets a second pass after the other, with time for the sockets between them. */
const untilDone = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
    }
  })

describe("a failed attempt", () => {
  it.effect("times out after 15 seconds without status and headers", () =>
    Effect.gen(function* () {
      const asked = yield* Latch.make()
      const receiver = yield* receiving(() => asked.openUnsafe())
      const post = yield* anywhere
      const fiber = yield* Effect.forkChild(post(postTo(`http://127.0.0.1:${receiver.port}/`)))
      yield* asked.await
      yield* TestClock.adjust("14999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(lineOf(yield* Fiber.join(fiber)), "timeout")
    })
  )
  it.effect("says that nobody listens, that a connection broke, and that what came is no HTTP", () =>
    Effect.gen(function* () {
      const post = yield* anywhere
      const closed = yield* Effect.scoped(Effect.map(receiving(), ({ port }) => port))
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${closed}/`))), "connection_refused")
      const broken = yield* listening(createServer((socket) => void socket.on("data", () => socket.destroy())))
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${broken.port}/`))), "connection_failed")
      const odd = yield* listening(createServer((socket) => void socket.on("data", () => socket.end("SSH-2.0-x\r\n"))))
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${odd.port}/`))), "answer_invalid")
      const header = `HTTP/1.1 200 OK\r\nx: ${"a".repeat(40_000)}\r\n\r\n`
      const long = yield* listening(createServer((socket) => void socket.on("data", () => socket.end(header))))
      assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${long.port}/`))), "answer_invalid")
      // An interim answer that never ends, one that is cut off, and a protocol that nobody asked for.
      for (const [answer, outcome] of [
        [`HTTP/1.1 100 Continue\r\nx: ${"a".repeat(40_000)}`, "answer_invalid"],
        ["HTTP/1.1 103 Early Hints\r\nx: ", "connection_failed"],
        ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "connection_failed"]
      ] as const) {
        const early = yield* listening(createServer((socket) => void socket.on("data", () => socket.end(answer))))
        assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${early.port}/`))), outcome, answer.slice(0, 20))
      }
    })
  )
  it.effect("of one lane holds up no other, to the same receiver too", () =>
    Effect.gen(function* () {
      const receiver = yield* receiving((request, response) => {
        if (request.url !== "/slow") response.writeHead(204).end()
      })
      const post = yield* anywhere
      const slow = postTo(`http://127.0.0.1:${receiver.port}/slow`, "whe_slow")
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: 20 }, () => post(slow)),
          { concurrency: 20 }
        )
      )
      for (let sent = 0; sent < 20; sent += 1) {
        assert.strictEqual(lineOf(yield* post(postTo(`http://127.0.0.1:${receiver.port}/`, "whe_fast"))), "204")
      }
      assert.isAtMost(receiver.connections(), 16, "eight for each lane")
    })
  )
})
