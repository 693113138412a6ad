import { createHash, timingSafeEqual } from "node:crypto"
import type { Handshake, Lookup } from "@loopbox/core/networks/WebhookGate"
import * as Redacted from "effect/Redacted"
import { xSignature } from "./signature.ts"
import type { Secrets } from "./signature.ts"

/** What may be echoed: the answer reflects what a stranger sent. */
const plainChallenge = /^[0-9A-Za-z_-]{1,256}$/

/** Of equal length whatever they were, so that the comparison tells nothing, not even that. */
const digest = (text: string) => createHash("sha256").update(text).digest()

/** Meta's and Threads' subscribe check: the challenge back, for who knows the verify token. */
export const hubHandshake = (verifyToken: Redacted.Redacted<string> | undefined, query: Lookup): Handshake => {
  if (verifyToken === undefined) return { _tag: "NotConfigured" }
  const isOurs = timingSafeEqual(digest(query("hub.verify_token") ?? ""), digest(Redacted.value(verifyToken)))
  const challenge = query("hub.challenge") ?? ""
  return isOurs && query("hub.mode") === "subscribe" && plainChallenge.test(challenge)
    ? { _tag: "Answered", contentType: "text/plain", body: challenge }
    : { _tag: "Refused" }
}

/** Any CRC token that X sends is short; a longer one is not worth hashing. */
const longestCrcToken = 1_024

/** X's challenge-response check, with the newest secret. */
export const crcHandshake = (secrets: Secrets, query: Lookup): Handshake => {
  const [secret] = secrets
  if (secret === undefined) return { _tag: "NotConfigured" }
  const token = query("crc_token")
  return token === undefined || token === "" || token.length > longestCrcToken
    ? { _tag: "Malformed" }
    : {
        _tag: "Answered",
        contentType: "application/json",
        body: JSON.stringify({ response_token: xSignature(secret, token) })
      }
}
