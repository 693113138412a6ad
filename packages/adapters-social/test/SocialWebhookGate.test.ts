import { WebhookGate } from "@loopbox/core/networks/WebhookGate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { metaSignature, xSignature } from "../src/payloads/signature.ts"
import * as SocialWebhookGate from "@loopbox/adapters-social/SocialWebhookGate"

const body = new TextEncoder().encode('{"object":"page"}')
const secret = Redacted.make("a secret")
const token = Redacted.make("a verify token")

const gate = (secrets: Partial<SocialWebhookGate.WebhookSecrets>) =>
  Effect.service(WebhookGate).pipe(
    Effect.provide(SocialWebhookGate.layer({ meta: [], threads: [], x: [], ...secrets }))
  )

const lookup = (values: Readonly<Record<string, string>>) => (name: string) => values[name]

const subscribe = (more: Readonly<Record<string, string>>) =>
  lookup({
    "hub.mode": "subscribe",
    "hub.challenge": "1158201444",
    "hub.verify_token": Redacted.value(token),
    ...more
  })

describe("WebhookGate", () => {
  it.effect("judges each endpoint by its own secrets and header", () =>
    Effect.gen(function* () {
      const { judge } = yield* gate({ meta: [secret], x: [secret] })
      const hub = lookup({ "x-hub-signature-256": metaSignature(secret, body) })
      const x = lookup({ "x-twitter-webhooks-signature": xSignature(secret, body) })
      assert.strictEqual(judge("meta", hub, body), "authentic")
      assert.strictEqual(judge("x", x, body), "authentic")
      assert.strictEqual(judge("meta", x, body), "refused")
      assert.strictEqual(judge("x", hub, body), "refused")
      assert.strictEqual(judge("meta", lookup({}), body), "refused")
      assert.strictEqual(judge("threads", hub, body), "not_configured")
    })
  )

  it.effect("gives the challenge back, as it came, to who knows the token", () =>
    Effect.gen(function* () {
      const { handshake } = yield* gate({ metaVerifyToken: token, threadsVerifyToken: Redacted.make("another") })
      assert.deepStrictEqual(handshake("meta", subscribe({})), {
        _tag: "Answered",
        contentType: "text/plain",
        body: "1158201444"
      })
      assert.strictEqual(handshake("threads", subscribe({}))._tag, "Refused")
    })
  )

  it.effect("refuses another mode, another token, and a challenge that is not plain", () =>
    Effect.gen(function* () {
      const { handshake } = yield* gate({ metaVerifyToken: token })
      for (const wrong of [
        { "hub.mode": "unsubscribe" },
        { "hub.verify_token": "" },
        { "hub.verify_token": "a verify token " },
        { "hub.challenge": "" },
        { "hub.challenge": "<script>" },
        { "hub.challenge": "1\n" },
        { "hub.challenge": "1".repeat(257) }
      ]) {
        assert.strictEqual(handshake("meta", subscribe(wrong))._tag, "Refused", JSON.stringify(wrong))
      }
      assert.strictEqual(handshake("meta", lookup({ hub_mode: "subscribe", hub_challenge: "1" }))._tag, "Refused")
    })
  )

  it.effect("answers X's CRC with the first secret, as JSON", () =>
    Effect.gen(function* () {
      const { handshake } = yield* gate({ x: [secret, Redacted.make("older")] })
      assert.deepStrictEqual(handshake("x", lookup({ crc_token: "abc" })), {
        _tag: "Answered",
        contentType: "application/json",
        body: JSON.stringify({ response_token: xSignature(secret, "abc") })
      })
      assert.strictEqual(handshake("x", lookup({}))._tag, "Malformed")
    })
  )

  it.effect("says of an endpoint without token or secret that it is not configured", () =>
    Effect.gen(function* () {
      const { handshake } = yield* gate({})
      assert.strictEqual(handshake("meta", subscribe({}))._tag, "NotConfigured")
      assert.strictEqual(handshake("threads", subscribe({}))._tag, "NotConfigured")
      assert.strictEqual(handshake("x", lookup({ crc_token: "abc" }))._tag, "NotConfigured")
    })
  )
})
