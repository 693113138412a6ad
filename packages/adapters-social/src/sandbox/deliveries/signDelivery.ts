import { createHmac } from "node:crypto"
import type { WebhookEndpoint } from "../../names.ts"
import * as Redacted from "effect/Redacted"
import type { Delivery, Faults } from "../faults/Faults.ts"

/** The secret of each endpoint; the gate must accept them. */
export type SandboxSecrets = Record<WebhookEndpoint, Redacted.Redacted<string>>

/** Meta escapes what is not ASCII, so that a signature over anything but the bytes received fails. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * The bytes and headers of a payload, signed as the network does, or as a fault says. None of the connectors' code is used
 * for it: a mistake there would be made on both sides, and never show.
 */
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
  const digest = (algorithm: "sha1" | "sha256", encoding: "hex" | "base64"): string =>
    `${algorithm}=${createHmac(algorithm, Redacted.value(secret)).update(bytes).digest(encoding)}`
  if (signature === "sha1") return { endpoint, body, headers: { ...type, "x-hub-signature": digest("sha1", "hex") } }
  const header =
    endpoint === "x"
      ? { "x-twitter-webhooks-signature": digest("sha256", "base64") }
      : { "x-hub-signature-256": digest("sha256", "hex") }
  return { endpoint, body, headers: { ...type, ...header } }
}
