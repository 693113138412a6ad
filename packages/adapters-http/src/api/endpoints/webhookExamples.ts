import type { EventType } from "@loopbox/core/outgoing/eventPatterns"
import { type OutgoingEndpoint, showEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api.ts"
import { schemaExample } from "../schemaExample.ts"
import { toEndpointBody } from "./EndpointBody.ts"

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

/** What an event of each type carries, beside what all have. */
const membersOf: Readonly<Record<EventType, (endpoint: OutgoingEndpoint) => Json>> = {
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
  "account.attention": account,
  "account.disconnected": account,
  "post.published": post,
  "post.partial": post,
  "post.failed": post,
  "post.target_updated": post,
  "media.gif_conversion_ended": () => ({ job: exampleNamed("ConversionJob") }),
  "media.audio_overlay_ended": () => ({ job: exampleNamed("OverlayJob") }),
  "webhook_endpoint.failing": (endpoint) => ({ endpoint: toEndpointBody(showEndpoint(endpoint)) })
}

/** An example of a type as a frame, as it would be sent to this endpoint: its things do not exist, and it has no number. */
export const webhookExample = (type: EventType, endpoint: OutgoingEndpoint, at: string) => ({
  type,
  at,
  seq: null,
  workspace_id: endpoint.workspaceId,
  external_user_id: Option.getOrNull(endpoint.externalUserId),
  example: true,
  ...membersOf[type](endpoint)
})
