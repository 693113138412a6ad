import * as Context from "effect/Context"
import type { WebhookEndpoint } from "./Source.ts"

/** A value of a request by its name; for headers in lower case. Undefined when it is not there. */
export type Lookup = (name: string) => string | undefined

/**
 * Whether a delivery is what the network sent.
 *
 * - `authentic`: one of the accepted secrets made the signature, over exactly these bytes
 * - `refused`: the signature is absent, of another kind, or wrong: 401, nothing stored
 * - `not_configured`: there is no secret to judge by: 503
 */
export type Authenticity = "authentic" | "refused" | "not_configured"

/** The answer to a network that asks whether the endpoint is ours. */
export type Handshake =
  | { readonly _tag: "Answered"; readonly contentType: "text/plain" | "application/json"; readonly body: string }
  /** Wrong token, or a challenge that isn't plain: 403. */
  | { readonly _tag: "Refused" }
  /** Nothing to answer: 400. */
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "NotConfigured" }

/** Port: who may deliver webhooks. Pure, and in time that tells nothing of the secrets. */
export class WebhookGate extends Context.Service<
  WebhookGate,
  {
    /** Judges the signature over the bytes as they were received, before anything is parsed. */
    readonly judge: (endpoint: WebhookEndpoint, header: Lookup, body: Uint8Array) => Authenticity
    /** Answers the GET of an endpoint: Meta's and Threads' challenge, X's CRC. */
    readonly handshake: (endpoint: WebhookEndpoint, query: Lookup) => Handshake
  }
>()("@loopbox/core/connectors/WebhookGate") {}
