import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import * as Redacted from "effect/Redacted"

const prefix = "whsec_"

/** The bytes of each secret as a key of Node, which costs more to make than a signature. */
const keys = new WeakMap<Redacted.Redacted, KeyObject>()

const keyOf = (secret: Redacted.Redacted): KeyObject => {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const text = Redacted.value(secret)
  const key = createSecretKey(Buffer.from(text.startsWith(prefix) ? text.slice(prefix.length) : text, "base64"))
  keys.set(secret, key)
  return key
}

/** What a signature covers. */
export interface SignedMessage {
  /** `webhook-id`: the same for every try. */
  readonly id: string
  /** `webhook-timestamp`: whole seconds since 1970, of this try. */
  readonly timestamp_s: number
  readonly body: string
}

/**
 * The value of `webhook-signature`: one `v1,<base64 HMAC-SHA256 of id.timestamp.body>` for each secret, apart by a blank
 * (Standard Webhooks 1.0). A secret is `whsec_` and base64.
 */
export const signWebhook = (
  { body, id, timestamp_s }: SignedMessage,
  secrets: ReadonlyArray<Redacted.Redacted>
): string =>
  secrets
    .map((secret) => createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp_s}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ")
