import type { EventType } from "@loopbox/core/outgoing/eventPatterns"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api.ts"
import { schemaExample } from "../schemaExample.ts"
import { endpointExample } from "./EndpointBody.ts"

type Json = Record<string, unknown>

const objectOf = (value: unknown): Json => (Predicate.isObject(value) ? { ...value } : {})

let named: ((name: string) => Json) | undefined

/** The example that the OpenAPI document has of a schema. It is made by the first who asks: few ever do. */
const exampleNamed = (name: string): Json => {
  if (named === undefined) {
    const schemas: Json = { ...OpenApi.fromApi(Api).components.schemas }
    named = (asked) =>
      objectOf(Option.getOrUndefined(schemaExample(schemas, { $ref: `#/components/schemas/${asked}` })))
  }
  return named(name)
}

const threadUpdated = () => {
  const thread = exampleNamed("InboxThread")
  return {
    thread_key: thread["thread_key"],
    social_account_id: thread["social_account_id"],
    thread_status: thread["thread_status"],
    assigned_to: thread["assigned_to"],
    thread
  }
}

const item = () => ({ item: exampleNamed("InboxItem") })
const account = () => ({ account: exampleNamed("ConnectedAccount") })
const post = () => ({ post: exampleNamed("Post") })

const refusedTarget = {
  status: "failed",
  external_id: null,
  url: null,
  published_at: null,
  error: {
    code: "rejected",
    message: "The network refused the post.",
    retryable: false,
    network_code: "100",
    retry_at: null
  }
}

/** A post of which this many targets are published, and one more has failed. */
const failedPost = (status: "partial" | "failed", published: ReadonlyArray<Json>) => {
  const failed = { ...exampleNamed("PostTarget"), id: "ptg_01k9j8p4r6t8v0x2z4b6d8f0h4", ...refusedTarget }
  const whole = exampleNamed("Post")
  const publishedAt = published.length === 0 ? null : whole["published_at"]
  return { post: { ...whole, status, published_at: publishedAt, targets: [...published, failed] } }
}

const accountInTrouble = (at: string) => ({
  account: {
    ...exampleNamed("ConnectedAccount"),
    status: "reauth_required",
    capabilities: [],
    health: {
      ...objectOf(exampleNamed("ConnectedAccount")["health"]),
      status: "broken",
      problems: [
        {
          code: "reconnect_required",
          message: "The network no longer takes the account's token.",
          remedy: "Connect the account again.",
          since: at,
          retry_at: null
        }
      ]
    }
  }
})

const accountGone = () => ({
  account: { ...exampleNamed("ConnectedAccount"), status: "disconnected", capabilities: [] }
})

/** What an event of each type carries, beside what all have. */
const membersOf: Readonly<Record<EventType, (at: string) => Json>> = {
  "inbox.new_item": item,
  "inbox.item_updated": item,
  "inbox.item_deleted": () => ({ item_id: exampleNamed("InboxItem")["id"] }),
  "inbox.items_read": () => ({ up_to_seq: 41, marked: 3 }),
  "inbox.thread_updated": threadUpdated,
  "inbox.note_added": () => ({ note: exampleNamed("Note") }),
  "inbox.note_deleted": () => ({ note_id: exampleNamed("Note")["id"], thread_id: exampleNamed("Note")["thread_id"] }),
  "inbox.reply_updated": () => ({ operation: exampleNamed("OutboundOperation") }),
  "inbox.sync_complete": () => ({ sync_id: exampleNamed("InboxSync")["id"], new_items: 3 }),
  "inbox.account_moved": () => ({ social_account_id: exampleNamed("InboxItem")["social_account_id"] }),
  "account.connected": account,
  "account.attention": accountInTrouble,
  "account.disconnected": accountGone,
  "post.published": post,
  "post.partial": () => failedPost("partial", [exampleNamed("PostTarget")]),
  "post.failed": () => failedPost("failed", []),
  "post.target_updated": post,
  "media.gif_conversion_ended": () => ({ job: exampleNamed("ConversionJob") }),
  "media.audio_overlay_ended": () => ({ job: exampleNamed("OverlayJob") }),
  "webhook_endpoint.failing": (at) => ({ endpoint: { ...endpointExample, status: "failing", last_failure_at: at } })
}

/** An example of a type as a frame, as it would be sent to this endpoint: its things do not exist, and it has no number. */
export const webhookExample = (type: EventType, endpoint: OutgoingEndpoint, at: string) => ({
  type,
  at,
  seq: null,
  workspace_id: endpoint.workspaceId,
  external_user_id: Option.getOrNull(endpoint.externalUserId),
  example: true,
  ...membersOf[type](at)
})
