import { deliveryExamples, signedRequestExample } from "./deliveryExamples.ts"
import { webhookEndpoints } from "./names.ts"
import { byStatus, type ErrorCode } from "./errorCodes.ts"
import { accessCodes } from "./inbox/InboxAuthorization.ts"

type Json = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { schema: { type: "string" } }

/** Errors by status, with their codes in the form in which the document's completion finds them. */
const refused = (...codes: ReadonlyArray<ErrorCode>): Json =>
  Object.fromEntries(
    Array.from(byStatus(codes), ([status, group]) => [
      status,
      {
        description: group.join(", "),
        content: { "application/json": { schema: { properties: { code: { enum: group } } } } }
      }
    ])
  )

const query = (name: string, description: string, required = false) => ({
  name,
  in: "query",
  required,
  description,
  schema: { type: "string" }
})

const socket: Json = {
  tags: ["inbox"],
  operationId: "inbox.follow",
  summary: "Follow an inbox, live",
  description:
    "A WebSocket. An API key stands in `Authorization`, or a dashboard token in `token`; everyone names a scope. The " +
    "first frame is a hello; then, with `after`, what came since; then every event, each once and in order. Pings " +
    "come every 30 seconds. Closed with 4401 (credential), 4402 (plan), 4403 (role), 4404 (managed user gone), 4008 " +
    "(too slow: go on with `after`), 1009 (a frame over 4 KiB), 1012 (restart).",
  security: [{ credential: [] }, {}],
  parameters: [
    query("inbox_scope", "`managed_user` or `workspace`.", true),
    query("external_user_id", "The managed user, with `managed_user`."),
    query("token", "A dashboard token, instead of an API key in `Authorization`."),
    query("workspace_id", "The workspace of a dashboard token that carries none."),
    { ...query("after", "`seq` of the last frame that was seen."), schema: { type: "integer", minimum: 0 } }
  ],
  responses: {
    "101": {
      description: "Text frames of JSON.",
      content: {
        "application/json": { schema: { oneOf: [ref("InboxHello"), ref("InboxResyncRequired"), ref("InboxEvent")] } }
      }
    },
    "200": {
      description: "The same as 101, where a proxy in front takes WebSockets over HTTP/2 (RFC 8441)."
    },
    ...refused(...accessCodes, "VALIDATION_ERROR", "UPGRADE_REQUIRED", "TEMPORARILY_UNAVAILABLE")
  }
}

const networkNames = { meta: "Instagram and Facebook", threads: "Threads", x: "X" } as const

/** What X wants back, by its document of account activity. */
const crcAnswer = {
  "application/json": {
    schema: { type: "object", required: ["response_token"], properties: { response_token: { type: "string" } } },
    example: { response_token: "sha256=5h3VQ1aDk0mQy0n1oB8S1m5uT6p9Xr2Zc4Vb7Nn8Mm0=" }
  }
}

const webhook = (endpoint: (typeof webhookEndpoints)[number]): Json => ({
  get: {
    tags: ["webhooks"],
    operationId: `webhooks.${endpoint}Handshake`,
    summary: `Answer the handshake of ${networkNames[endpoint]}`,
    description: "Asked by the network when its webhook is set up, and now and then afterwards.",
    parameters:
      endpoint === "x"
        ? [query("crc_token", "What the answer is computed from.", true)]
        : [
            query("hub.mode", "`subscribe`."),
            query("hub.verify_token", "The configured token."),
            query("hub.challenge", "Sent back as it is.")
          ],
    responses: {
      "200": {
        description: "The answer that the network defines.",
        content: endpoint === "x" ? crcAnswer : { "text/plain": { ...text, example: "1158201444" } }
      },
      ...refused("VALIDATION_ERROR", "FORBIDDEN", "TEMPORARILY_UNAVAILABLE")
    }
  },
  post: {
    tags: ["webhooks"],
    operationId: `webhooks.${endpoint}Deliver`,
    summary: `Take a delivery of ${networkNames[endpoint]}`,
    description: "The signature is judged over the bytes as they came; 200 says that they are stored.",
    parameters: [],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { type: "object" }, example: deliveryExamples[endpoint] } }
    },
    responses: {
      "200": { description: "Stored." },
      ...refused("VALIDATION_ERROR", "UNAUTHORIZED", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "TEMPORARILY_UNAVAILABLE")
    }
  }
})

const signedRequest = (operationId: string, summary: string, description: string, answer: Json): Json => ({
  post: {
    tags: ["webhooks"],
    operationId,
    summary,
    description,
    parameters: [],
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            required: ["signed_request"],
            properties: { signed_request: { type: "string", description: "Signed by the app's secret." } }
          },
          example: { signed_request: signedRequestExample }
        }
      }
    },
    responses: {
      "200": answer,
      ...refused("VALIDATION_ERROR", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "TEMPORARILY_UNAVAILABLE")
    }
  }
})

const metaCallbacks: Json = {
  "/v1/webhooks/meta/deauthorize": signedRequest(
    "webhooks.metaDeauthorize",
    "Hear that a person took the app's permission back",
    "The deauthorise callback of an app at Facebook, Instagram or Threads. The tokens of the person's accounts are " +
      "dropped, and the accounts must be connected again.",
    { description: "Done; also where nobody knows the person." }
  ),
  "/v1/webhooks/meta/data-deletion": signedRequest(
    "webhooks.metaDeleteData",
    "Hear that a person wants their data deleted",
    "The data deletion callback of an app at Facebook, Instagram or Threads. What is kept of the person's accounts is " +
      "erased; the page at `url` says when that is done.",
    {
      description: "As Meta defines it, without the envelope.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["url", "confirmation_code"],
            properties: { url: { type: "string", format: "uri" }, confirmation_code: { type: "string" } }
          },
          example: { url: "https://api.example/deletion/7k2m9p4r6t8v", confirmation_code: "7k2m9p4r6t8v" }
        }
      }
    }
  )
}

/** The tag of the webhooks, which no group describes. */
export const rawTags = [
  { name: "webhooks", description: "What the networks call. Nobody else has to: their signatures are judged." }
]

/** Paths that stand outside of the described groups: the WebSocket and the webhooks. */
export const rawPaths: Json = {
  "/v1/inbox/ws": { get: socket },
  ...metaCallbacks,
  ...Object.fromEntries(webhookEndpoints.map((endpoint) => [`/v1/webhooks/${endpoint}`, webhook(endpoint)]))
}
