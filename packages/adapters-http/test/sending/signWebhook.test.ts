import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { signWebhook } from "../../src/node/sending/signWebhook.ts"

const now_s = () => Math.floor(new Date().getTime() / 1000)

const headersOf = (id: string, timestamp_s: number, signature: string) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp_s),
  "webhook-signature": signature
})

describe("the signature of a webhook", () => {
  it("is the one of the specification's example", () => {
    // Of the tests of the public package: an id, a time, a body, and what they sign to.
    const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp_s: 1_614_265_330, body: '{"test": 2432232314}' }
    assert.strictEqual(signWebhook(message, [secret]), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })
  it("verifies with the public package by each of the secrets, whatever the body", () => {
    const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 24, maxLength: 64 }), { minLength: 1, maxLength: 3 }),
        fc.json(),
        (keys, body) => {
          const secrets = keys.map(secretOf)
          const message = { id: "whm_1", timestamp_s: now_s(), body }
          const signature = signWebhook(
            message,
            secrets.map((secret) => Redacted.make(secret))
          )
          for (const secret of secrets) {
            assert.deepEqual(
              new Webhook(secret).verify(body, headersOf(message.id, message.timestamp_s, signature)),
              JSON.parse(body)
            )
          }
        }
      )
    )
  })
  it("does not verify for another body, id, time or secret", () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const message = { id: "whm_1", timestamp_s: now_s(), body: "{}" }
    const signature = signWebhook(message, [Redacted.make(secret)])
    const verify = (body: string, id: string, timestamp_s: number, by = secret) =>
      new Webhook(by).verify(body, headersOf(id, timestamp_s, signature))
    assert.doesNotThrow(() => verify("{}", "whm_1", message.timestamp_s))
    assert.throws(() => verify("{ }", "whm_1", message.timestamp_s))
    assert.throws(() => verify("{}", "whm_2", message.timestamp_s))
    assert.throws(() => verify("{}", "whm_1", message.timestamp_s + 1))
    assert.throws(() => verify("{}", "whm_1", message.timestamp_s, `whsec_${Buffer.alloc(32, 8).toString("base64")}`))
  })
})
