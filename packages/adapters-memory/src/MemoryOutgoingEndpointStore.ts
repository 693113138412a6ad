import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { OutgoingDeliveryId, OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { audit, changing } from "./memoryAudit.ts"
import { logOf } from "./memoryInbox.ts"
import { beginAnew, cancelPending, deliveriesOfEndpoint, type EndpointEntry, eraseEndpoints } from "./memoryOutgoing.ts"
import { memoryPage } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

/** Reads and changes endpoints, each function a step of its caller's transaction. */
const makeSteps = ({ inbox, workspaces }: MemoryState["Service"]) => {
  const { outgoing } = inbox
  const { deliveries, endpoints, positions } = outgoing

  const entryOf = (workspaceId: WorkspaceId, id: OutgoingEndpointId): EndpointEntry | undefined => {
    const entry = endpoints.get(id)
    return entry?.endpoint.workspaceId === workspaceId ? entry : undefined
  }

  const isOwned = ({ externalUserId, workspaceId }: OutgoingEndpoint): boolean =>
    Option.match(externalUserId, {
      onNone: () => workspaces.has(workspaceId),
      onSome: (user) => inbox.managedUsers.get(workspaceId)?.has(user) === true
    })

  const lastEvent = (workspaceId: WorkspaceId): number => logOf(inbox, workspaceId).last

  /** Where nobody listened, events that were written meanwhile are nobody's. */
  const listen = (workspaceId: WorkspaceId): void => {
    const isHeard = Array.from(endpoints.values()).some(
      ({ endpoint }) => endpoint.workspaceId === workspaceId && endpoint.status !== "disabled"
    )
    if (!isHeard || !positions.has(workspaceId)) positions.set(workspaceId, lastEvent(workspaceId))
  }

  const findDelivery = (workspaceId: WorkspaceId, id: OutgoingEndpointId, deliveryId: OutgoingDeliveryId) => {
    const entry = deliveries.get(deliveryId)
    const isThere = entry?.delivery.workspaceId === workspaceId && entry.delivery.endpointId === id
    return Option.fromUndefinedOr(isThere ? entry : undefined)
  }

  return { entryOf, isOwned, lastEvent, listen, findDelivery }
}

export const layer: Layer.Layer<OutgoingEndpointStore, never, MemoryState> = Layer.effect(
  OutgoingEndpointStore,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    const { outgoing } = inbox
    const { deliveries, endpoints } = outgoing
    const { entryOf, findDelivery, isOwned, lastEvent, listen } = makeSteps(state)
    return OutgoingEndpointStore.of({
      create: (endpoint, sealed) =>
        changing((change) => {
          const { id, workspaceId } = endpoint
          if (!isOwned(endpoint)) return false
          listen(workspaceId)
          endpoints.set(id, { endpoint, since: lastEvent(workspaceId), secrets: [{ sealed, until: Option.none() }] })
          audit(inbox, change, workspaceId, { action: "webhook_endpoint.created", targetId: id })
          return true
        }),
      find: (workspaceId, id) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(entryOf(workspaceId, id)), ({ endpoint }) => endpoint)),
      list: (workspaceId, page) =>
        Effect.sync(() =>
          memoryPage(
            Array.from(endpoints.values(), ({ endpoint }) => endpoint).filter(
              (endpoint) => endpoint.workspaceId === workspaceId
            ),
            page
          )
        ),
      update: (workspaceId, id, update) =>
        changing((change) => {
          const entry = entryOf(workspaceId, id)
          if (entry === undefined) return Option.none()
          const endpoint = update(entry.endpoint)
          if (Equal.equals(entry.endpoint, endpoint)) return Option.some(endpoint)
          const isMoved = !Equal.equals(entry.endpoint.externalUserId, endpoint.externalUserId)
          if (isMoved && !isOwned(endpoint)) return Option.none()
          const [was, is] = [entry.endpoint.status === "disabled", endpoint.status === "disabled"]
          const isBack = was && !is
          if (isBack) listen(workspaceId)
          endpoints.set(id, { ...entry, endpoint, since: isBack || isMoved ? lastEvent(workspaceId) : entry.since })
          // What waits was for whom it belonged to.
          if ((is && !was) || isMoved) cancelPending(outgoing, id)
          audit(inbox, change, workspaceId, { action: "webhook_endpoint.updated", targetId: id })
          return Option.some(endpoint)
        }),
      remove: (workspaceId, id) =>
        changing((change) => {
          const isRemoved =
            eraseEndpoints(outgoing, (endpoint) => endpoint.workspaceId === workspaceId && endpoint.id === id) > 0
          if (isRemoved) audit(inbox, change, workspaceId, { action: "webhook_endpoint.deleted", targetId: id })
          return isRemoved
        }),
      secrets: (workspaceId, id, now) =>
        Effect.sync(() =>
          (entryOf(workspaceId, id)?.secrets ?? []).filter(({ until }) =>
            Option.getOrElse(
              Option.map(until, (end) => DateTime.isGreaterThan(end, now)),
              () => true
            )
          )
        ),
      rotate: (workspaceId, id, sealed, oldUntil) =>
        changing((change) => {
          const entry = entryOf(workspaceId, id)
          if (entry === undefined) return false
          const old = entry.secrets.map((secret) => ({
            ...secret,
            until: Option.orElse(secret.until, () => Option.some(oldUntil))
          }))
          endpoints.set(id, { ...entry, secrets: [{ sealed, until: Option.none() }, ...old] })
          audit(inbox, change, workspaceId, { action: "webhook_endpoint.secret_rotated", targetId: id })
          return true
        }),
      deliveries: (workspaceId, id, status, page) =>
        Effect.sync(() =>
          memoryPage(
            deliveriesOfEndpoint(outgoing, id).flatMap(({ delivery }) => {
              const isWanted = Option.getOrElse(status, () => delivery.status) === delivery.status
              return isWanted && delivery.workspaceId === workspaceId ? [delivery] : []
            }),
            page
          )
        ),
      findDelivery: (workspaceId, id, deliveryId) =>
        Effect.sync(() =>
          Option.map(findDelivery(workspaceId, id, deliveryId), ({ delivery, log }) => ({ delivery, log }))
        ),
      redeliver: (workspaceId, id, deliveryId, now) =>
        Effect.sync(() => {
          const isOn = entryOf(workspaceId, id)?.endpoint.status !== "disabled"
          const found = findDelivery(workspaceId, id, deliveryId)
          if (Option.isSome(found) && isOn && beginAnew(outgoing, found.value, now)) {
            PubSub.publishUnsafe(outgoing.additions, undefined)
          }
          return Option.map(findDelivery(workspaceId, id, deliveryId), ({ delivery }) => delivery)
        }),
      addExample: (delivery, attempt) =>
        Effect.sync(() => {
          if (!endpoints.has(delivery.endpointId)) return
          deliveries.set(delivery.id, { delivery, log: [attempt] })
        })
    })
  })
)
