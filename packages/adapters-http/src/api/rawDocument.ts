import { webhookEndpoints } from "@loopbox/core/connectors/Source"
import { accessErrors } from "./InboxAccess.ts"

type Json = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { schema: { type: "string" } }

/** Codes in the form in which the document's completion finds them. */
const refused = (codes: ReadonlyArray<string>) => ({
  description: codes.join(", "),
  content: { "application/json": { schema: { properties: { code: { enum: codes } } } } }
})

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
    "400": refused([...accessErrors[400], "VALIDATION_ERROR"]),
    "401": refused(accessErrors[401]),
    "402": refused(accessErrors[402]),
    "403": refused(accessErrors[403]),
    "404": refused(accessErrors[404]),
    "426": refused(["UPGRADE_REQUIRED"]),
    "429": refused(accessErrors[429]),
    "500": refused(accessErrors[500]),
    "503": refused(["TEMPORARILY_UNAVAILABLE"])
  }
}

const networkNames = { meta: "Instagram and Facebook", threads: "Threads", x: "X" } as const

const webhook = (endpoint: (typeof webhookEndpoints)[number]): Json => ({
  get: {
    tags: ["webhooks"],
    operationId: `webhooks.${endpoint}Handshake`,
    summary: `Answer the handshake of ${networkNames[endpoint]}`,
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
        content: { [endpoint === "x" ? "application/json" : "text/plain"]: endpoint === "x" ? {} : text }
      },
      "400": refused(["VALIDATION_ERROR"]),
      "403": refused(["FORBIDDEN"]),
      "503": refused(["TEMPORARILY_UNAVAILABLE"])
    }
  },
  post: {
    tags: ["webhooks"],
    operationId: `webhooks.${endpoint}Deliver`,
    summary: `Take a delivery of ${networkNames[endpoint]}`,
    description: "The signature is judged over the bytes as they came; 200 says that they are stored.",
    parameters: [],
    requestBody: { required: true, content: { "application/json": {} } },
    responses: {
      "200": { description: "Stored." },
      "400": refused(["VALIDATION_ERROR"]),
      "401": refused(["UNAUTHORIZED"]),
      "408": refused(["REQUEST_TIMEOUT"]),
      "413": refused(["PAYLOAD_TOO_LARGE"]),
      "503": refused(["TEMPORARILY_UNAVAILABLE"])
    }
  }
})

/** Paths that stand outside of the described groups: the WebSocket and the webhooks. */
export const rawPaths: Json = {
  "/v1/inbox/ws": { get: socket },
  ...Object.fromEntries(webhookEndpoints.map((endpoint) => [`/v1/webhooks/${endpoint}`, webhook(endpoint)]))
}
