import { createHmac, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

/** Secrets that may have made a signature, the newest first. An app of Meta's has up to three. */
export type Secrets = ReadonlyArray<Redacted.Redacted<string>>

const hmac = (secret: Redacted.Redacted<string>, data: Uint8Array | string) =>
  createHmac("sha256", Redacted.value(secret)).update(data)

/**
 * Whether one of the secrets made the header, byte for byte: `sha256=`, then the digest as the network writes it. All
 * are tried, whichever matches, and each comparison takes the same time.
 */
const isSigned = (
  secrets: Secrets,
  header: string | undefined,
  pattern: RegExp,
  sign: (secret: Redacted.Redacted<string>) => string
): boolean => {
  if (header === undefined || !pattern.test(header)) return false
  const given = Buffer.from(header)
  return secrets.map((secret) => timingSafeEqual(given, Buffer.from(sign(secret)))).some((isEqual) => isEqual)
}

/** How Meta and Threads write a signature: lower-case hex; any other spelling is refused. */
export const maybeMetaSignature = /^sha256=[0-9a-f]{64}$/

/** How X writes one: base64. */
export const maybeXSignature = /^sha256=[A-Za-z0-9+/]{43}=$/

/**
 * The first part of a `signed_request` of Meta: base64url, with or without padding, of the digest of the second part as
 * it was sent.
 */
export const isRequestSigned = (secrets: Secrets, signature: string, data: string): boolean =>
  isSigned(secrets, signature.replace(/=$/, ""), /^[A-Za-z0-9_-]{43}$/, (secret) =>
    hmac(secret, data).digest("base64url")
  )

/** `X-Hub-Signature-256` of Meta and Threads. */
export const isMetaSigned = (secrets: Secrets, header: string | undefined, body: Uint8Array): boolean =>
  isSigned(secrets, header, maybeMetaSignature, (secret) => metaSignature(secret, body))

/** `x-twitter-webhooks-signature`. */
export const isXSigned = (secrets: Secrets, header: string | undefined, body: Uint8Array): boolean =>
  isSigned(secrets, header, maybeXSignature, (secret) => xSignature(secret, body))

export const metaSignature = (secret: Redacted.Redacted<string>, body: Uint8Array): string =>
  `sha256=${hmac(secret, body).digest("hex")}`

export const xSignature = (secret: Redacted.Redacted<string>, body: Uint8Array | string): string =>
  `sha256=${hmac(secret, body).digest("base64")}`

/** Proves to graph.facebook.com that the token is used by its own app. */
export const appsecretProof = (secret: Redacted.Redacted<string>, accessToken: Redacted.Redacted<string>): string =>
  hmac(secret, Redacted.value(accessToken)).digest("hex")
