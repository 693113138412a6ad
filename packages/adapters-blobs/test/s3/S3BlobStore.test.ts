import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import * as S3BlobStore from "../../src/s3/S3BlobStore.ts"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { blobStoreContract } from "@loopbox/testing/conformance/BlobStoreContract"
import { joinBytes } from "@loopbox/testing/fakes/gifSamples"
import { misbehaving, refuse } from "./misbehaving.ts"

const storeAt = (endpoint: string, options: Partial<S3BlobStore.S3BlobStoreOptions> = {}) =>
  S3BlobStore.layer({
    bucket: "loopbox",
    prefix: "tests/",
    region: "us-east-1",
    endpoint,
    pathStyle: true,
    credentials: { accessKeyId: "test:tester", secretAccessKey: Redacted.make("testing") },
    createSha256: () => createHash("sha256"),
    ...options
  })

// A real server, with the bucket `loopbox` in it: `.ci/run` starts OpenStack Swift.
const endpoint = process.env["LOOPBOX_TEST_S3"]
if (endpoint === undefined) {
  describe("BlobStore: S3", () => it.skip("LOOPBOX_TEST_S3 names no server: its conformance suite does not run"))
} else {
  blobStoreContract("S3", storeAt(endpoint))
}

const key = `ws_${"0".repeat(26)}/med_1`

describe("S3BlobStore, when its server misbehaves", () => {
  for (const [status, code, sentence] of [
    [404, "NoSuchBucket", "the bucket does not exist"],
    [403, "AccessDenied", "may not do this"],
    [400, "ExpiredToken", "have expired"],
    [403, "RequestTimeTooSkewed", "clock is wrong"]
  ] as const) {
    it.live(`says what is wrong, and does not ask again: ${code}`, () =>
      Effect.gen(function* () {
        const server = yield* misbehaving((_, response) => refuse(response, status, code))
        const ask = BlobStore.use((blobs) =>
          Effect.all([Effect.flip(blobs.probe), Effect.flip(Stream.runDrain(blobs.read(key)))])
        )
        const failures = yield* Effect.provide(ask, storeAt(server.address))
        for (const failure of failures) {
          assert.strictEqual(failure._tag, "StoreUnavailable")
          assert.include(String("cause" in failure ? failure.cause : ""), sentence)
        }
        assert.strictEqual(server.requests.length, 2)
      }).pipe(Effect.scoped)
    )
  }

  it.live("asks again after 503 SlowDown", () =>
    Effect.gen(function* () {
      const server = yield* misbehaving((_, response, count) =>
        count < 3 ? refuse(response, 503, "SlowDown") : response.writeHead(200, { etag: '"x"' }).end()
      )
      const facts = yield* Effect.provide(
        BlobStore.use((blobs) => blobs.write(key, Stream.make(new Uint8Array(3)))),
        storeAt(server.address)
      )
      assert.strictEqual(facts.sizeBytes, 3)
      assert.strictEqual(server.requests.length, 3)
    }).pipe(Effect.scoped)
  )

  it.live("goes on where a connection was cut in mid-body", () =>
    Effect.gen(function* () {
      const whole = Uint8Array.from({ length: 1000 }, (_, i) => i % 251)
      const server = yield* misbehaving((_, response, count) => {
        if (count > 1) return response.writeHead(206, { "content-length": 600 }).end(whole.subarray(400))
        response.writeHead(200, { "content-length": 1000 })
        return response.write(whole.subarray(0, 400), () => setTimeout(() => response.destroy(), 20))
      })
      const chunks = yield* Effect.provide(
        BlobStore.use((blobs) => Stream.runCollect(blobs.read(key))),
        storeAt(server.address)
      )
      assert.deepStrictEqual(joinBytes(chunks), whole)
      assert.isTrue(server.requests[1]?.endsWith("bytes=400-"))
    }).pipe(Effect.scoped)
  )

  it.live("sends a file again whose connection was reset in mid-body", () =>
    Effect.gen(function* () {
      const server = yield* misbehaving((request, response, count) =>
        count === 1 ? request.socket.destroy() : response.writeHead(200, { etag: '"x"' }).end()
      )
      const facts = yield* Effect.provide(
        BlobStore.use((blobs) => blobs.write(key, Stream.make(new Uint8Array(50_000)))),
        storeAt(server.address)
      )
      assert.strictEqual(facts.sizeBytes, 50_000)
      assert.strictEqual(server.requests.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("takes back what dead writers left, also behind a page of uploads and one that can't be (core 10)", () =>
    Effect.gen(function* () {
      let isStuck = true
      const listed = (id: string, more: string) => `<?xml version="1.0"?><ListMultipartUploadsResult>${more}<Upload>
        <Key>tests/${key}</Key><UploadId>${id}</UploadId><Initiated>2020-01-01T00:00:00.000Z</Initiated>
      </Upload></ListMultipartUploadsResult>`
      const next = `<IsTruncated>true</IsTruncated><NextKeyMarker>tests/${key}</NextKeyMarker>
        <NextUploadIdMarker>stuck</NextUploadIdMarker>`
      const server = yield* misbehaving((request, response) => {
        const url = request.url ?? ""
        if (request.method === "DELETE") {
          return url.includes("uploadId=stuck") && isStuck
            ? refuse(response, 403, "AccessDenied")
            : response.writeHead(204).end()
        }
        response
          .writeHead(200, { "content-type": "application/xml" })
          .end(url.includes("upload-id-marker=stuck") ? listed("behind", "") : listed("stuck", next))
      })
      const remove = Effect.provide(
        BlobStore.use((blobs) => blobs.removeAbandoned),
        storeAt(server.address)
      )
      const error = yield* Effect.flip(remove)
      assert.strictEqual(error._tag, "StoreUnavailable")
      assert.include(String("cause" in error ? error.cause : ""), "may not do this")
      const taken = server.requests.filter((line) => line.startsWith("DELETE"))
      assert.deepStrictEqual(
        taken.map((line) => /uploadId=(\w+)/.exec(line)?.[1]),
        ["stuck", "behind"]
      )
      isStuck = false
      yield* remove
    }).pipe(Effect.scoped)
  )

  it.live("takes an upload in parts back when the credentials run out in the middle of it", () =>
    Effect.gen(function* () {
      const server = yield* misbehaving((request, response) => {
        const url = request.url ?? ""
        if (request.method === "POST" && url.includes("uploads")) {
          return response
            .writeHead(200, { "content-type": "application/xml" })
            .end("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>")
        }
        if (request.method === "PUT" && url.includes("partNumber=1&")) {
          return response.writeHead(200, { etag: '"1"' }).end()
        }
        return request.method === "DELETE" ? response.writeHead(204).end() : refuse(response, 400, "ExpiredToken")
      })
      const part = new Uint8Array(8 * 1024 * 1024)
      const failure = yield* Effect.provide(
        BlobStore.use((blobs) => Effect.flip(blobs.write(key, Stream.make(part, part)))),
        storeAt(server.address)
      )
      assert.include(String(failure.cause), "credentials have expired")
      assert.isTrue(server.requests.some((one) => one.startsWith("DELETE") && one.includes("uploadId=u1")))
    }).pipe(Effect.scoped)
  )

  it.live("gives up on a server that is silent", () =>
    Effect.gen(function* () {
      const server = yield* misbehaving(() => undefined)
      const failure = yield* Effect.provide(
        BlobStore.use((blobs) => Effect.flip(blobs.size(key))),
        storeAt(server.address, { silence_ms: 50 })
      )
      assert.include(String(failure.cause), "did not answer in time")
    }).pipe(Effect.scoped)
  )
})

describe("S3BlobStore, of a large file", () => {
  it.live("sends parts of one size, whatever the chunks are", () =>
    Effect.gen(function* () {
      const parts: Array<Buffer> = []
      const whole = Uint8Array.from({ length: 11_000_000 }, (_, i) => (i * 7 + (i >> 9)) % 251)
      const server = yield* misbehaving((request, response, _, body) => {
        if (request.method === "PUT") parts.push(body)
        if (request.method === "HEAD") return response.writeHead(200, { "content-length": whole.length }).end()
        const isBegin = request.url?.includes("uploads") ?? false
        const result = isBegin ? "InitiateMultipartUploadResult" : "CompleteMultipartUploadResult"
        return response
          .writeHead(200, { "content-type": "application/xml", etag: '"x"' })
          .end(request.method === "POST" ? `<${result}><UploadId>u1</UploadId></${result}>` : "")
      })
      // One buffer for all chunks, as a writer may have; one of them is larger than a part.
      const chunk = new Uint8Array(6_000_000)
      let from = 0
      const chunks = Stream.fromIterable([1, 70_001, 3_000_000, 6_000_000, 1_929_998]).pipe(
        Stream.rechunk(1),
        Stream.map((length) => {
          chunk.set(whole.subarray(from, from + length))
          from += length
          return chunk.subarray(0, length)
        })
      )
      // It grows into the first one's buffer, in which there is more than it has.
      const later = new Uint8Array(4_000_000).fill(7)
      const pieces = Stream.fromIterable(
        Array.from({ length: 10 }, (_, i) => later.subarray(i * 400_000, (i + 1) * 400_000))
      )
      const facts = yield* Effect.provide(
        BlobStore.use((blobs) => Effect.tap(blobs.write(key, chunks), () => blobs.write(key, pieces))),
        storeAt(server.address)
      )
      assert.isTrue(parts.pop()?.equals(later))
      assert.deepStrictEqual(
        parts.map(({ length }) => length),
        [5_242_880, 5_242_880, 514_240]
      )
      assert.isTrue(Buffer.concat(parts).equals(whole))
      assert.deepStrictEqual(facts, { sizeBytes: 11_000_000, sha256: createHash("sha256").update(whole).digest("hex") })
    }).pipe(Effect.scoped)
  )
})
