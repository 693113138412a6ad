import type * as Redacted from "effect/Redacted"
import { type SignedMessage, signWebhook } from "./signWebhook.ts"

/** The headers of a webhook (Standard Webhooks 1.0). */
export const webhookHeaders = (
  message: SignedMessage,
  secrets: ReadonlyArray<Redacted.Redacted>
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "Loopbox",
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp_s),
  "webhook-signature": signWebhook(message, secrets)
})
