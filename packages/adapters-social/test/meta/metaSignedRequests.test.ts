import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { readSignedRequest } from "../../src/meta/metaSignedRequests.ts"

const sign = (payload: string, secret = "app secret", padding = "") => {
  const data = Buffer.from(payload).toString("base64url") + padding
  return `${createHmac("sha256", secret).update(data).digest("base64url")}.${data}`
}

const secrets = [Redacted.make("new secret"), Redacted.make("app secret")]
const read = (text: string) => readSignedRequest(secrets, text)
const idOf = (text: string) => Option.getOrNull(Option.map(read(text), ({ personId }) => personId))

const sample = '{"user_id":"218471","algorithm":"HMAC-SHA256","issued_at":1291836800}'

describe("Meta's signed_request (write A6)", () => {
  it("is read if any of our secrets signed it, with or without padding", () => {
    assert.strictEqual(idOf(sign(sample)), "218471")
    assert.strictEqual(idOf(sign(sample, "new secret")), "218471")
    const [signature = "", data = ""] = sign(sample).split(".")
    assert.strictEqual(idOf(`${signature}=.${data}`), "218471")
    assert.strictEqual(idOf(sign(sample, "app secret", "=")), "218471")
    assert.strictEqual(idOf(sign(sample.replace('"218471"', "218471"))), "218471")
    assert.strictEqual(idOf(sign(sample.replace("HMAC-SHA256", "hmac-sha256"))), "218471")
  })

  it("says when it was signed and when it ends", () => {
    const ends = (expires: number) =>
      Option.getOrThrow(read(sign(sample.replace("}", `,"expires":${expires}}`)))).expiresAt
    assert.isTrue(Option.isSome(ends(1_291_840_400)))
    assert.isTrue(Option.isNone(ends(0)))
    assert.strictEqual(Option.getOrThrow(read(sign(sample))).issuedAt.epochMilliseconds, 1_291_836_800_000)
  })

  it("is nothing if somebody else signed it, or if it is something else", () => {
    const [signature, data = ""] = sign(sample).split(".")
    const other = Buffer.from(sample.replace("218471", "218472")).toString("base64url")
    for (const text of [
      sign(sample, "a stranger's"),
      `${signature}.${other}`,
      `.${data}`,
      `${signature}.`,
      `${signature}`,
      `${sign(sample)}.more`,
      "",
      ".",
      sign(sample.replace("HMAC-SHA256", "none")),
      sign(sample.replace('"218471"', "null")),
      sign(sample.replace("1291836800", "-1")),
      sign(sample.replace("1291836800", "1e300")),
      sign("not json"),
      sign("[]"),
      sign(sample.padEnd(10_000))
    ]) {
      assert.strictEqual(idOf(text), null, text)
    }
  })
})
