import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { DeliveryDetail, EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import type { DeliveryStatus, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import { showEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import type { EndpointChange, WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { PlainEndpoint } from "./plainInbox.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { makeWithin } from "./within.ts"

/** What of an endpoint is given. Absent and null events: all. */
export interface EndpointRequest {
  readonly url: string
  readonly events?: ReadonlyArray<string> | null | undefined
  /** Only events of accounts that this managed user owns. */
  readonly externalUserId?: string | null | undefined
  readonly description?: string | null | undefined
  readonly isOrdered?: boolean | undefined
}

/** An event on its way to an endpoint, or there. */
export interface PlainDelivery extends Plain<
  Pick<
    OutgoingDelivery,
    "id" | "endpointId" | "eventType" | "eventSeq" | "status" | "attempts" | "nextAttemptAt" | "createdAt"
  >
> {}

/** With what is sent of it, and what came of each attempt. */
export interface PlainDeliveryDetail extends PlainDelivery, Plain<Pick<DeliveryDetail, "request" | "log">> {}

/**
 * Addresses to which the workspace's events are posted, signed (api-2.md §15). What is not there rejects with
 * `EndpointNotFound` or `DeliveryNotFound`, what can't be with `EndpointInvalid`, which names everything that is wrong.
 */
export interface WebhookEndpointsFacade {
  /** The secret is given here only. */
  readonly create: (
    workspaceId: string,
    request: EndpointRequest,
    options?: CallOptions
  ) => Promise<{ readonly endpoint: PlainEndpoint; readonly secret: string }>
  /** Newest first. */
  readonly list: (
    workspaceId: string,
    request?: ListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainEndpoint>>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainEndpoint>
  /** What is left out stays. `failing` is a state that an endpoint that was read has: given back it changes nothing. */
  readonly update: (
    workspaceId: string,
    id: string,
    change: Partial<EndpointRequest> & { readonly status?: PlainEndpoint["status"] | undefined },
    options?: CallOptions
  ) => Promise<PlainEndpoint>
  readonly delete: (workspaceId: string, id: string, options?: CallOptions) => Promise<void>
  /** The secrets before sign too for 24 hours. */
  readonly rotateSecret: (workspaceId: string, id: string, options?: CallOptions) => Promise<string>
  /** Sends an example now, once; `inbox.new_item` unless said otherwise. */
  readonly test: (workspaceId: string, id: string, type?: string, options?: CallOptions) => Promise<PlainDelivery>
  /** Newest first. */
  readonly listDeliveries: (
    workspaceId: string,
    id: string,
    request?: ListRequest & { readonly status?: DeliveryStatus | null | undefined },
    options?: CallOptions
  ) => Promise<PlainPage<PlainDelivery>>
  readonly findDelivery: (
    workspaceId: string,
    id: string,
    deliveryId: string,
    options?: CallOptions
  ) => Promise<PlainDeliveryDetail>
  /** Begins its schedule anew; `EndpointDisabled` if the endpoint is. */
  readonly redeliver: (
    workspaceId: string,
    id: string,
    deliveryId: string,
    options?: CallOptions
  ) => Promise<PlainDelivery>
  /** Queues what happened after a number and is still kept; returns how many events. */
  readonly replay: (workspaceId: string, id: string, afterSeq: number, options?: CallOptions) => Promise<number>
}

const toPlainDelivery = ({
  attempts,
  createdAt,
  endpointId,
  eventSeq,
  eventType,
  id,
  nextAttemptAt,
  status
}: OutgoingDelivery): PlainDelivery =>
  toPlain({ id, endpointId, eventType, eventSeq, status, attempts, nextAttemptAt, createdAt })

const given = <A, B>(value: A | undefined, use: (value: A) => B): B | undefined =>
  value === undefined ? undefined : use(value)

const toChange = (change: Parameters<WebhookEndpointsFacade["update"]>[2]): EndpointChange =>
  Object.fromEntries(
    Object.entries({
      url: change.url,
      events: given(change.events, Option.fromNullOr),
      externalUserId: given(change.externalUserId, Option.fromNullOr),
      description: given(change.description, Option.fromNullOr),
      isOrdered: change.isOrdered,
      status: change.status === "failing" ? undefined : change.status
    }).filter(([, value]) => value !== undefined)
  )

export const makeWebhookEndpointsFacade = (
  access: InboxAccess["Service"],
  {
    deliveries,
    endpoints
  }: {
    readonly deliveries: EndpointDeliveries["Service"]
    readonly endpoints: WebhookEndpoints["Service"]
  },
  run: Run
): WebhookEndpointsFacade => {
  const within = makeWithin(access)
  return {
    create: (workspaceId, request, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(
            endpoints.create(caller, {
              url: request.url,
              events: Option.fromNullishOr(request.events),
              externalUserId: Option.fromNullishOr(request.externalUserId),
              description: Option.fromNullishOr(request.description),
              isOrdered: request.isOrdered ?? false
            }),
            ({ endpoint, secret }) => ({ endpoint: toPlain(showEndpoint(endpoint)), secret: Redacted.value(secret) })
          )
        ),
        options
      ),
    list: (workspaceId, request = {}, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(
            Effect.flatMap(toPageRequest(request), (page) => endpoints.list(caller, page)),
            (page) => toPlainPage(page, (endpoint) => toPlain(showEndpoint(endpoint)))
          )
        ),
        options
      ),
    find: (workspaceId, id, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(endpoints.find(caller, id), (endpoint) => toPlain(showEndpoint(endpoint)))
        ),
        options
      ),
    update: (workspaceId, id, change, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(endpoints.update(caller, id, toChange(change)), (endpoint) => toPlain(showEndpoint(endpoint)))
        ),
        options
      ),
    delete: (workspaceId, id, options) =>
      run(
        within({ workspaceId }, (caller) => endpoints.remove(caller, id)),
        options
      ),
    rotateSecret: (workspaceId, id, options) =>
      run(
        within({ workspaceId }, (caller) => Effect.map(endpoints.rotateSecret(caller, id), Redacted.value)),
        options
      ),
    test: (workspaceId, id, type, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(deliveries.sendExample(caller, id, Option.fromUndefinedOr(type)), toPlainDelivery)
        ),
        options
      ),
    listDeliveries: (workspaceId, id, request = {}, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(
            Effect.flatMap(toPageRequest(request), (page) =>
              deliveries.list(caller, id, Option.fromNullishOr(request.status), page)
            ),
            (page) => toPlainPage(page, toPlainDelivery)
          )
        ),
        options
      ),
    findDelivery: (workspaceId, id, deliveryId, options) =>
      run(
        within({ workspaceId }, (caller) =>
          Effect.map(deliveries.find(caller, id, deliveryId), ({ delivery, log, request }) => ({
            ...toPlainDelivery(delivery),
            request,
            log: toPlain(log)
          }))
        ),
        options
      ),
    redeliver: (workspaceId, id, deliveryId, options) =>
      run(
        within({ workspaceId }, (caller) => Effect.map(deliveries.redeliver(caller, id, deliveryId), toPlainDelivery)),
        options
      ),
    replay: (workspaceId, id, afterSeq, options) =>
      run(
        within({ workspaceId }, (caller) => deliveries.replay(caller, id, afterSeq)),
        options
      )
  }
}
