import { isEndpoint, type WebhookEndpoint } from "./names.ts"
import { WebhookGate } from "@loopbox/core/networks/WebhookGate"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { addresseesOfMeta } from "./meta/metaWebhook.ts"
import { addresseesOf } from "./payloads/addressees.ts"
import { crcHandshake, hubHandshake } from "./payloads/handshake.ts"
import { isMetaSigned, isXSigned, maybeMetaSignature, maybeXSignature } from "./payloads/signature.ts"
import type { Secrets } from "./payloads/signature.ts"
import { addresseesOfThreads } from "./threads/threadsWebhook.ts"
import { addresseesOfX } from "./x/xWebhook.ts"

/** Who may deliver. An endpoint without secrets is not configured. */
export interface WebhookSecrets {
  /** `LOOPBOX_META_APP_SECRETS`; any may match. */
  readonly meta: Secrets
  readonly threads: Secrets
  /** Consumer secrets; the first answers the CRC. */
  readonly x: Secrets
  readonly metaVerifyToken?: Redacted.Redacted<string> | undefined
  readonly threadsVerifyToken?: Redacted.Redacted<string> | undefined
}

const addressees: Record<WebhookEndpoint, ReturnType<typeof addresseesOf>> = {
  meta: addresseesOf(addresseesOfMeta),
  threads: addresseesOf(addresseesOfThreads),
  x: addresseesOf(addresseesOfX)
}

const signatureHeader: Record<WebhookEndpoint, string> = {
  meta: "x-hub-signature-256",
  threads: "x-hub-signature-256",
  x: "x-twitter-webhooks-signature"
}

/** The gate of all three endpoints. */
export const layer = (secrets: WebhookSecrets): Layer.Layer<WebhookGate> =>
  Layer.succeed(WebhookGate, {
    judgeHeader: (endpoint, header) => {
      if (!isEndpoint(endpoint) || secrets[endpoint].length === 0) return "not_configured"
      const maySign = endpoint === "x" ? maybeXSignature : maybeMetaSignature
      return maySign.test(header(signatureHeader[endpoint]) ?? "") ? "authentic" : "refused"
    },
    judge: (endpoint, header, body) => {
      if (!isEndpoint(endpoint) || secrets[endpoint].length === 0) return "not_configured"
      const isSigned = endpoint === "x" ? isXSigned : isMetaSigned
      return isSigned(secrets[endpoint], header(signatureHeader[endpoint]), body) ? "authentic" : "refused"
    },
    addressees: (endpoint, body) => (isEndpoint(endpoint) ? addressees[endpoint](body) : []),
    handshake: (endpoint, query) =>
      endpoint === "x"
        ? crcHandshake(secrets.x, query)
        : hubHandshake(endpoint === "meta" ? secrets.metaVerifyToken : secrets.threadsVerifyToken, query)
  })
