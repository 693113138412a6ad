import * as Context from "effect/Context"
import type { AccountRoute } from "./InboundActivity.ts"
import type { WebhookEndpoint } from "./Source.ts"

/** Looks up a header (in lower case) or query parameter of a request. */
export type Lookup = (name: string) => string | undefined

/**
 * Whether a delivery comes from the network.
 *
 * - `authentic`: the signature over exactly these bytes was made with one of the accepted secrets
 * - `refused`: the signature is absent, of another kind, or wrong: 401, nothing stored
 * - `not_configured`: no secret is configured: 503
 */
export type Authenticity = "authentic" | "refused" | "not_configured"

/** The answer to a network that verifies the endpoint. */
export type Handshake =
  | { readonly _tag: "Answered"; readonly contentType: "text/plain" | "application/json"; readonly body: string }
  /** Wrong token, or a challenge that isn't plain: 403. */
  | { readonly _tag: "Refused" }
  /** The request is not a handshake: 400. */
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "NotConfigured" }

/**
 * Port: verifies who delivers webhooks. Pure, and in constant time, so that timing reveals nothing about the secrets.
 */
export class WebhookGate extends Context.Service<
  WebhookGate,
  {
    /**
     * Judges the headers alone, before the body is read: `refused` if no signature can be valid, `authentic` if one may
     * be.
     */
    readonly judgeHeader: (endpoint: WebhookEndpoint, header: Lookup) => Authenticity
    /** Verifies the signature over the received bytes, before anything is parsed. */
    readonly judge: (endpoint: WebhookEndpoint, header: Lookup, body: Uint8Array) => Authenticity
    /**
     * The accounts that an authentic body speaks to, as far as its envelope says so: by them workspaces take turns. Not
     * more than a look, since the network waits for its answer. None: the body does not say, or cannot be parsed.
     */
    readonly addressees: (endpoint: WebhookEndpoint, body: Uint8Array) => ReadonlyArray<AccountRoute>
    /** Answers the GET of an endpoint: Meta's and Threads' challenge, X's CRC. */
    readonly handshake: (endpoint: WebhookEndpoint, query: Lookup) => Handshake
  }
>()("@loopbox/core/networks/WebhookGate") {}
