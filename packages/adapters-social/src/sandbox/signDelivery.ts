import { createHmac } from "node:crypto"
import type { WebhookEndpoint } from "@loopbox/core/connectors/Source"
import * as Redacted from "effect/Redacted"
import { metaSignature, xSignature } from "../internal/signature.ts"
import type { Delivery, Faults } from "./Faults.ts"

/** The secret of each endpoint; the gate must accept them. */
export type SandboxSecrets = Record<WebhookEndpoint, Redacted.Redacted<string>>

/** Meta escapes what is not ASCII, so that a signature over anything but the bytes received fails. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The bytes and headers of a payload, signed as the network does, or as a fault says. */
export const signDelivery = (
  secrets: SandboxSecrets,
  endpoint: WebhookEndpoint,
  payload: unknown,
  signature: Faults["signature"]
): Delivery => {
  const json = JSON.stringify(payload)
  const body = endpoint === "meta" ? escapeNonAscii(json) : json
  const secret = signature === "wrong" ? Redacted.make("not the secret") : secrets[endpoint]
  const bytes = new TextEncoder().encode(signature === "reserialised" ? JSON.stringify(payload, undefined, 1) : body)
  const type = { "content-type": "application/json" }
  if (signature === "none") return { endpoint, body, headers: type }
  if (signature === "sha1") {
    const digest = createHmac("sha1", Redacted.value(secret)).update(bytes).digest("hex")
    return { endpoint, body, headers: { ...type, "x-hub-signature": `sha1=${digest}` } }
  }
  const header =
    endpoint === "x"
      ? { "x-twitter-webhooks-signature": xSignature(secret, bytes) }
      : { "x-hub-signature-256": metaSignature(secret, bytes) }
  return { endpoint, body, headers: { ...type, ...header } }
}
