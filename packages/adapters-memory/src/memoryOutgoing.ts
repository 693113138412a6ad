import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { OutgoingDeliveryId, OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { AttemptRecord, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import type { KeptSecret } from "@loopbox/core/outgoing/OutgoingEndpointStore"

/** An endpoint with what its customer does not see. */
export interface EndpointEntry {
  readonly endpoint: OutgoingEndpoint
  /** Number of the last event that was before it. */
  readonly since: number
  /** The newest first. */
  readonly secrets: ReadonlyArray<KeptSecret>
}

/** A delivery with its attempts. */
export interface OutgoingEntry {
  readonly delivery: OutgoingDelivery
  readonly log: ReadonlyArray<AttemptRecord>
}

/** Who sends to an endpoint. */
export interface LaneLease {
  readonly token: string
  readonly until: DateTime.Utc
}

export interface MemoryOutgoing {
  readonly endpoints: Map<OutgoingEndpointId, EndpointEntry>
  readonly deliveries: Map<OutgoingDeliveryId, OutgoingEntry>
  readonly lanes: Map<OutgoingEndpointId, LaneLease>
  /** Number of the last event whose deliveries are written, of each workspace that has had an endpoint. */
  readonly positions: Map<WorkspaceId, number>
  readonly additions: PubSub.PubSub<void>
}

export const makeMemoryOutgoing: Effect.Effect<MemoryOutgoing> = Effect.map(PubSub.sliding<void>(1), (additions) => ({
  endpoints: new Map(),
  deliveries: new Map(),
  lanes: new Map(),
  positions: new Map(),
  additions
}))

export const isPending = ({ delivery }: OutgoingEntry): boolean => delivery.status === "pending"

export const deliveriesOfEndpoint = (
  { deliveries }: MemoryOutgoing,
  endpointId: OutgoingEndpointId
): ReadonlyArray<OutgoingEntry> =>
  Array.from(deliveries.values()).filter(({ delivery }) => delivery.endpointId === endpointId)

/** What waits for each endpoint that a condition names. All deliveries are read, once for however many endpoints. */
export const waitingByEndpoint = (
  { deliveries }: MemoryOutgoing,
  isAsked: (endpointId: OutgoingEndpointId) => boolean
): ReadonlyMap<OutgoingEndpointId, ReadonlyArray<OutgoingEntry>> => {
  const waiting = new Map<OutgoingEndpointId, Array<OutgoingEntry>>()
  for (const entry of deliveries.values()) {
    if (!isPending(entry) || !isAsked(entry.delivery.endpointId)) continue
    const others = waiting.get(entry.delivery.endpointId)
    if (others === undefined) waiting.set(entry.delivery.endpointId, [entry])
    else others.push(entry)
  }
  return waiting
}

/** Ends what waits for an endpoint, also what is being sent. */
export const cancelPending = (outgoing: MemoryOutgoing, endpointId: OutgoingEndpointId): void => {
  outgoing.lanes.delete(endpointId)
  for (const entry of waitingByEndpoint(outgoing, (id) => id === endpointId).get(endpointId) ?? []) {
    outgoing.deliveries.set(entry.delivery.id, {
      ...entry,
      delivery: { ...entry.delivery, status: "canceled", nextAttemptAt: Option.none() }
    })
  }
}

/** Begins the schedule of a delivery anew, unless it is being sent or about to be. Returns whether it began. */
export const beginAnew = (outgoing: MemoryOutgoing, entry: OutgoingEntry, at: DateTime.Utc): boolean => {
  const isDue = Option.exists(entry.delivery.nextAttemptAt, (due) => DateTime.isLessThanOrEqualTo(due, at))
  if (isPending(entry) && isDue && outgoing.lanes.has(entry.delivery.endpointId)) return false
  const delivery: OutgoingDelivery = {
    ...entry.delivery,
    status: "pending",
    attemptsInSchedule: 0,
    nextAttemptAt: Option.some(at)
  }
  outgoing.deliveries.set(delivery.id, { ...entry, delivery })
  return true
}

/** Removes endpoints that a condition names, with their deliveries. Returns how many. */
export const eraseEndpoints = (
  { deliveries, endpoints, lanes }: MemoryOutgoing,
  isErased: (endpoint: OutgoingEndpoint) => boolean
): number => {
  const erased = Array.from(endpoints.values()).filter(({ endpoint }) => isErased(endpoint))
  const ids = new Set(erased.map(({ endpoint }) => endpoint.id))
  for (const id of ids) {
    endpoints.delete(id)
    lanes.delete(id)
  }
  for (const { delivery } of deliveries.values()) if (ids.has(delivery.endpointId)) deliveries.delete(delivery.id)
  return erased.length
}

/** Removes deliveries that a condition names. */
export const eraseOutgoing = (
  { deliveries }: MemoryOutgoing,
  isErased: (delivery: OutgoingDelivery) => boolean
): void => {
  for (const { delivery } of deliveries.values()) if (isErased(delivery)) deliveries.delete(delivery.id)
}
