import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { type EndpointChange, WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { exampleFaults } from "@loopbox/core/outgoing/eventPatterns"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { toDeliveryBody, toDeliveryDetailBody } from "../../api/endpoints/DeliveryBody.ts"
import { EndpointBody, toEndpointBody } from "../../api/endpoints/EndpointBody.ts"
import { EndpointChangeBody, ExampleRequest, NewEndpointBody, ReplayRequest } from "../../api/endpoints/EndpointsApi.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse } from "../edge/listUse.ts"
import { placesOf } from "../edge/issues.ts"
import { type GivenBody, readJson, readOptionalJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import {
  createRefusals,
  deliveryRefusals,
  disabledRefusal,
  endpointListRefusals,
  endpointRefusals,
  exampleRefusals,
  replayRefusals,
  updateRefusals
} from "./endpointRefusals.ts"

const toChange = (given: typeof EndpointChangeBody.Type): EndpointChange => ({
  ...(given.url === undefined ? {} : { url: given.url }),
  ...(given.events === undefined ? {} : { events: Option.fromNullOr(given.events) }),
  ...(given.external_user_id === undefined ? {} : { externalUserId: Option.fromNullOr(given.external_user_id) }),
  ...(given.description === undefined ? {} : { description: Option.fromNullOr(given.description) }),
  ...(given.is_ordered === undefined ? {} : { isOrdered: given.is_ordered ?? false }),
  ...(given.status === undefined ? {} : { status: given.status })
})

/** What is in answers about an endpoint. */
const answers = [...placesOf(EndpointBody), "secret"]

const isTexts = Schema.is(Schema.Array(Schema.String))

/** What can be judged of settings while other members are not what they must be. */
const toSettings = ({ description, events, url }: GivenBody["given"]) => ({
  ...(Predicate.isString(url) ? { url } : {}),
  ...(isTexts(events) ? { events: Option.some(events) } : {}),
  ...(Predicate.isString(description) ? { description: Option.some(description) } : {})
})

export const layer = HttpApiBuilder.group(
  Api,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* EndpointDeliveries
    const cursors = yield* Cursors
    const rules = ({ given }: GivenBody) => endpoints.faults(toSettings(given))
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const caller = yield* CurrentEntitlement
          const given = yield* readJson(NewEndpointBody, { rules, answers })
          const { endpoint, secret } = yield* endpoints.create(caller, {
            url: given.url,
            events: Option.fromNullishOr(given.events),
            externalUserId: Option.fromNullishOr(given.external_user_id),
            description: Option.fromNullishOr(given.description),
            isOrdered: given.is_ordered ?? false
          })
          return yield* answer({ ...toEndpointBody(endpoint), secret: Redacted.value(secret) })
        }, Effect.catchTags(createRefusals))
      )
      .handleRaw(
        "update",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's is absent, whatever is asked of it (api.md §2).
          yield* endpoints.find(caller, params.id)
          const change = toChange(yield* readJson(EndpointChangeBody, { rules, answers }))
          return yield* answer(toEndpointBody(yield* endpoints.update(caller, params.id, change)))
        }, Effect.catchTags(updateRefusals))
      )
      .handleRaw(
        "test",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          yield* endpoints.find(caller, params.id)
          const given = yield* readOptionalJson(ExampleRequest, {
            rules: ({ given: { type } }) => Effect.succeed(Predicate.isString(type) ? exampleFaults(type) : [])
          })
          const type = Option.flatMap(given, (asked) => Option.fromNullishOr(asked.type))
          return yield* answer(toDeliveryBody(yield* deliveries.sendExample(caller, params.id, type)))
        }, Effect.catchTags(exampleRefusals))
      )
      .handleRaw(
        "replay",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          yield* endpoints.find(caller, params.id)
          const { after_seq } = yield* readJson(ReplayRequest)
          return yield* answer({ queued: yield* deliveries.replay(caller, params.id, after_seq) })
        }, Effect.catchTags(replayRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentEntitlement
          const use = listUse("webhook-endpoints", caller.scope.workspaceId, query)
          return yield* answerPage(cursors, use, query, (page) => endpoints.list(caller, page), toEndpointBody)
        }, Effect.catchTags(endpointListRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toEndpointBody(yield* endpoints.find(yield* CurrentEntitlement, params.id)))
        }, Effect.catchTags(endpointRefusals)),
        remove: Effect.fnUntraced(function* ({ params }) {
          yield* endpoints.remove(yield* CurrentEntitlement, params.id)
        }, Effect.catchTags(endpointRefusals)),
        rotateSecret: Effect.fnUntraced(function* ({ params }) {
          const secret = yield* endpoints.rotateSecret(yield* CurrentEntitlement, params.id)
          return yield* answer({ secret: Redacted.value(secret) })
        }, Effect.catchTags(endpointRefusals)),
        listDeliveries: Effect.fnUntraced(
          function* ({ params, query }) {
            const caller = yield* CurrentEntitlement
            const use = listUse("webhook-deliveries", caller.scope.workspaceId, query, [params.id])
            const status = Option.fromUndefinedOr(query.status)
            return yield* answerPage(
              cursors,
              use,
              query,
              (page) => deliveries.list(caller, params.id, status, page),
              toDeliveryBody
            ).pipe(Effect.tapErrorTag("InvalidRequest", () => endpoints.find(caller, params.id)))
          },
          Effect.catchTags({ ...endpointListRefusals, ...endpointRefusals })
        ),
        findDelivery: Effect.fnUntraced(function* ({ params }) {
          const found = yield* deliveries.find(yield* CurrentEntitlement, params.id, params.delivery_id)
          return yield* answer(toDeliveryDetailBody(found))
        }, Effect.catchTags(deliveryRefusals)),
        redeliver: Effect.fnUntraced(
          function* ({ params }) {
            const again = yield* deliveries.redeliver(yield* CurrentEntitlement, params.id, params.delivery_id)
            return yield* answer(toDeliveryBody(again))
          },
          Effect.catchTags({ ...deliveryRefusals, ...disabledRefusal })
        )
      })
  })
)
