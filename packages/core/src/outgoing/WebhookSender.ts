import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ConversionJob } from "../conversions/ConversionJob.ts"
import type { DeliveredEvent } from "../items/InboxEvent.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { OverlayJob } from "../overlays/OverlayJob.ts"
import type { EventType } from "./eventPatterns.ts"
import type { AttemptRecord, OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"

/** One attempt to deliver. */
export interface WebhookMessage {
  readonly endpoint: Pick<OutgoingEndpoint, "id" | "url">
  readonly delivery: Pick<OutgoingDelivery, "messageId" | "body">
  /** All of them sign. */
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
  /** `webhook-timestamp`. */
  readonly at: DateTime.Utc
}

/** The end of a media job, with the job as it can be read from now on. */
export type ShownJobEnd = {
  readonly seq: number
  readonly workspaceId: WorkspaceId
  readonly at: DateTime.Utc
} & (
  | { readonly kind: "gif_to_mp4"; readonly job: ConversionJob }
  | { readonly kind: "audio_overlay"; readonly job: OverlayJob }
)

/** Port: brings a message to an endpoint's address, once. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Never fails: what went wrong stands in the record. Takes at most 20 seconds. */
    readonly send: (message: WebhookMessage) => Effect.Effect<AttemptRecord>
    /**
     * Why events can't be sent to this URL, in a sentence; absent if nothing speaks against it. A name is not looked up
     * for long: one that does not resolve now is judged when something is sent (api-2-decided B23).
     */
    readonly judgeUrl: (url: URL) => Effect.Effect<Option.Option<string>>
    /** The headers that `send` would send, but for the signature, as they are shown with a delivery. */
    readonly headersOf: (
      delivery: Pick<OutgoingDelivery, "messageId">,
      at: DateTime.Utc
    ) => Readonly<Record<string, string>>
    /** An event as a body (Standard Webhooks): its type and time outside, the rest as on the socket in `data`. */
    readonly bodyOf: (event: DeliveredEvent) => string
    /** The end of a media job as a body; `data.job` is what reading the job answers. */
    readonly jobEndBodyOf: (ended: ShownJobEnd) => string
    /** An example of one of the `eventTypes` as a body, with `data.example: true`. */
    readonly exampleOf: (type: EventType, endpoint: OutgoingEndpoint, at: DateTime.Utc) => string
  }
>()("@loopbox/core/outgoing/WebhookSender") {}
