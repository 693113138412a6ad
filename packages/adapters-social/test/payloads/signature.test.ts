import { assert, describe, it } from "@effect/vitest"
import { Redacted, Schema } from "effect"
import { appsecretProof, isMetaSigned, isXSigned, metaSignature, xSignature } from "../../src/payloads/signature.ts"
import { corpus, sampleBytes, sampleJson } from "../corpus.ts"

const secret = (text: string) => Redacted.make(text)
const bytes = (text: string) => new TextEncoder().encode(text)

describe("X-Hub-Signature-256 (§1.1)", () => {
  const body = bytes('{"text":"caf\\u00e9"}')
  const [old, current, other] = [secret("old"), secret("current"), secret("other")]
  const header = metaSignature(current, body)

  it("is accepted when any of the secrets made it", () => {
    assert.isTrue(isMetaSigned([current], header, body))
    assert.isTrue(isMetaSigned([old, current], header, body))
    assert.isTrue(isMetaSigned([current, old], header, body))
  })

  it("is refused when no secret made it, or there is none", () => {
    assert.isFalse(isMetaSigned([other, old], header, body))
    assert.isFalse(isMetaSigned([], header, body))
  })

  it("is refused over other bytes, be they the same JSON", () => {
    assert.isFalse(isMetaSigned([current], header, bytes('{"text":"café"}')))
    assert.isFalse(isMetaSigned([current], header, bytes('{"text":"caf\\u00e9"}\n')))
  })

  it("is refused when it is absent, empty, cut, sha1, bare, spelled in capitals, or has anything after it", () => {
    const digest = header.slice("sha256=".length)
    for (const wrong of [
      undefined,
      "",
      "sha256=",
      "sha256",
      digest,
      header.slice(0, -1),
      `${header}0`,
      `${header}\n`,
      ` ${header}`,
      `sha1=${digest.slice(0, 40)}`,
      `sha256=${digest.toUpperCase()}`,
      `SHA256=${digest}`,
      `${header}, ${header}`,
      `sha256=${"é".repeat(64)}`,
      `sha256=${"0".repeat(64)}`,
      "x".repeat(100_000)
    ]) {
      assert.isFalse(isMetaSigned([current], wrong, body), wrong)
    }
  })

  it.prop("is accepted over any bytes that it was made of", { body: Schema.Uint8Array }, ({ body }) => {
    assert.isTrue(isMetaSigned([other, current], metaSignature(current, body), body))
    assert.isFalse(isMetaSigned([other], metaSignature(current, body), body))
  })
})

describe("x-twitter-webhooks-signature (§1.5)", () => {
  const body = bytes('{"text":"☕"}')
  const [consumer, other] = [secret("consumer"), secret("other")]
  const header = xSignature(consumer, body)

  it("is accepted from the right secret and refused otherwise", () => {
    assert.isTrue(isXSigned([other, consumer], header, body))
    assert.isFalse(isXSigned([other], header, body))
    assert.isFalse(isXSigned([consumer], header, bytes("{}")))
  })

  it("is refused as hex, without its padding, or absent", () => {
    for (const wrong of [undefined, "sha256=", header.slice(0, -1), metaSignature(consumer, body)]) {
      assert.isFalse(isXSigned([consumer], wrong, body), wrong)
    }
  })
})

const Case = Schema.Struct({
  case: Schema.String,
  secret: Schema.String,
  body_file: Schema.String,
  header: Schema.NullOr(Schema.String),
  accept: Schema.Union([Schema.Boolean, Schema.String])
})
const XCases = Schema.Struct({
  consumer_secret: Schema.String,
  crc: Schema.Struct({ crc_token: Schema.String, response: Schema.Struct({ response_token: Schema.String }) }),
  events: Schema.Array(
    Schema.Struct({ body: Schema.String, header: Schema.NullOr(Schema.String), accept: Schema.Boolean })
  )
})

describe.skipIf(corpus === undefined)("known answers (set LOOPBOX_CORPUS to the folder of the samples)", () => {
  it("Meta's, upper-case hex being refused", () => {
    const cases = Schema.decodeUnknownSync(Schema.Array(Case))(sampleJson("facebook", "signatures.json"))
    for (const one of cases) {
      assert.strictEqual(
        isMetaSigned([secret(one.secret)], one.header ?? undefined, sampleBytes("facebook", one.body_file)),
        one.accept === true,
        one.case
      )
    }
  })

  it("X's, of events and of the CRC", () => {
    const known = Schema.decodeUnknownSync(XCases)(sampleJson("x", "signatures.json"))
    const consumer = secret(known.consumer_secret)
    for (const event of known.events) {
      assert.strictEqual(isXSigned([consumer], event.header ?? undefined, bytes(event.body)), event.accept)
    }
    assert.strictEqual(xSignature(consumer, known.crc.crc_token), known.crc.response.response_token)
  })
})

describe("appsecret_proof (§6)", () => {
  it("is the hex HMAC of the token under the app's secret", () => {
    assert.strictEqual(
      appsecretProof(secret("key"), secret("The quick brown fox jumps over the lazy dog")),
      "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    )
  })
})
