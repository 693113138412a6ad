import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { scopeHeaders, scopeQuery } from "../inbox/InboxQuery.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { StorableText } from "../storableText.ts"
import { DeliveryBody, DeliveryDetailBody, deliveryStatuses } from "./DeliveryBody.ts"
import { EndpointBody, endpointExample } from "./EndpointBody.ts"
import { EndpointPresence } from "./EndpointPresence.ts"
import { EndpointsAuthorization } from "./EndpointsAuthorization.ts"
import { wholeNumber } from "../wholeNumber.ts"

const settings = {
  url: Schema.String.annotate({
    description:
      "https, of at most 2,048 characters, without user and fragment; http and private addresses only where the host allows " +
      "them (`LOOPBOX_WEBHOOKS_PRIVATE`)."
  }),
  events: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description:
      "Types and wildcards such as `inbox.*`; null or absent: all but `media.gif_conversion_ended` and " +
      "`media.audio_overlay_ended`, which are sent where they are named, and by no wildcard."
  }),
  external_user_id: Schema.NullOr(Schema.String).annotate({
    description: "Only events of accounts that this managed user owns when they are sent."
  }),
  description: Schema.NullOr(StorableText),
  is_ordered: Schema.NullOr(Schema.Boolean).annotate({
    description: "One delivery at a time, in order; false unless said otherwise."
  })
}

/** A new endpoint. */
export const NewEndpointBody = Schema.Struct({
  url: settings.url,
  events: Schema.optionalKey(settings.events),
  external_user_id: Schema.optionalKey(settings.external_user_id),
  description: Schema.optionalKey(settings.description),
  is_ordered: Schema.optionalKey(settings.is_ordered)
}).annotate({ examples: [{ url: "https://app.example/hooks/loopbox", events: ["inbox.*", "post.failed"] }] })

/** What is left out stays. */
export const EndpointChangeBody = Schema.Struct({
  url: Schema.optionalKey(settings.url),
  events: Schema.optionalKey(settings.events),
  external_user_id: Schema.optionalKey(settings.external_user_id),
  description: Schema.optionalKey(settings.description),
  is_ordered: Schema.optionalKey(settings.is_ordered),
  status: Schema.optionalKey(
    Schema.Literals(["enabled", "disabled"]).annotate({
      message: 'must be "enabled" or "disabled"; "failing" is told by answers only: leave it out'
    })
  )
}).annotate({ examples: [{ status: "enabled" }] })

const secretExample = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const Secret = Schema.String.annotate({
  description: "Signs (Standard Webhooks); shown here and never again.",
  examples: [secretExample]
})

const CreatedEndpoint = Schema.Struct({ ...EndpointBody.fields, secret: Secret }).annotate({
  identifier: "CreatedWebhookEndpoint",
  examples: [{ ...endpointExample, secret: secretExample }]
})

export const ExampleRequest = Schema.Struct({
  type: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "`inbox.new_item` unless said otherwise." })
  )
}).annotate({ examples: [{ type: "inbox.new_item" }] })

export const ReplayRequest = Schema.Struct({
  after_seq: wholeNumber({ minimum: 0 }).annotate({
    description: "Events after this number; they are kept for 24 hours."
  })
}).annotate({ examples: [{ after_seq: 41 }] })

const params = { id: Schema.String }
const deliveryParams = { id: Schema.String, delivery_id: Schema.String }
const scope = { query: scopeQuery, headers: scopeHeaders }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const disabled = errors("ENDPOINT_DISABLED")

/** `/v1/webhook-endpoints` (api-2.md §15). */
export class EndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.post("create", "/", {
      ...scope,
      payload: NewEndpointBody,
      success: dataBody(CreatedEndpoint, 201),
      error: [...jsonErrors, ...unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a webhook endpoint",
        description:
          "Events from now on are posted to it, each at least once, signed by Standard Webhooks. 2xx within 15 seconds " +
          "delivers; anything else is tried again for about two days. The secret is in this answer only."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...scopeQuery, ...listQuery },
      headers: scopeHeaders,
      success: pageBody(EndpointBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List webhook endpoints, newest first",
          description: "Those of the workspace, and those for one managed user's events; without their secrets."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params,
      success: dataBody(EndpointBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a webhook endpoint",
        description: "With its status, and when it last answered well and badly; without its secret."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      ...scope,
      params,
      payload: EndpointChangeBody,
      success: dataBody(EndpointBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a webhook endpoint",
        description:
          "What is left out stays. `disabled` cancels what is pending; `enabled` again gets the events from now on, and " +
          "`replay` those before."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a webhook endpoint",
        description: "With its deliveries. A second request is 404."
      })
    ),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      ...scope,
      params,
      success: dataBody(Schema.Struct({ secret: Secret })),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Make a new secret",
        description: "The ones before sign too for 24 hours, so that receivers can change over."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", {
      ...scope,
      params,
      payload: ExampleRequest,
      success: dataBody(DeliveryBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send an example now",
        description:
          "Once, with `data.example: true`, also to a disabled endpoint; the answer waits for what comes of it. It does not " +
          "change the endpoint's status."
      })
    ),
    HttpApiEndpoint.get("listDeliveries", "/:id/deliveries", {
      params,
      query: {
        ...scopeQuery,
        ...listQuery,
        status: Schema.optionalKey(Schema.Literals(deliveryStatuses))
      },
      headers: scopeHeaders,
      success: pageBody(DeliveryBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({ summary: "List deliveries, newest first", description: "They are kept for 30 days." })
      )
      .middleware(EndpointPresence),
    HttpApiEndpoint.get("findDelivery", "/:id/deliveries/:delivery_id", {
      ...scope,
      params: deliveryParams,
      success: dataBody(DeliveryDetailBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a delivery",
        description: "With what is sent, and when each attempt was made and what came of it."
      })
    ),
    HttpApiEndpoint.post("redeliver", "/:id/deliveries/:delivery_id/redeliver", {
      ...scope,
      params: deliveryParams,
      success: dataBody(DeliveryBody),
      error: [...absent, ...disabled]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver again",
        description: "Its schedule begins anew, whatever came of it; `webhook-id` stays, so that receivers know it."
      })
    ),
    HttpApiEndpoint.post("replay", "/:id/replay", {
      ...scope,
      params,
      payload: ReplayRequest,
      success: dataBody(Schema.Struct({ queued: Schema.Int.annotate({ examples: [17] }) })),
      error: [...jsonErrors, ...absent, ...disabled]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver what happened since a number",
        description:
          "Every event after `after_seq` that is still kept (24 hours) and that the endpoint wants; each keeps its `webhook-id`."
      })
    )
  )
  .prefix("/v1/webhook-endpoints")
  .middleware(InboxValidation)
  .middleware(EndpointsAuthorization)
  .annotate(OpenApi.Description, "Addresses of yours to which every change of the workspace is posted, signed.") {}
