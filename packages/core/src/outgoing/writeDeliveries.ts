import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inboxPlans } from "../access/InboxPlans.ts"
import { ManagedUserScope, WorkspaceScope } from "../access/InboxScope.ts"
import { InboxEvents, positionAfter } from "../feed/InboxEvents.ts"
import { deliver, type InboxEvent, type RoutedEvent } from "../items/InboxEvent.ts"
import { nextOutgoingDeliveryId, type WorkspaceId } from "../kernel/Ids.ts"
import type { Source } from "../networks/Source.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { isWanted, typeOfEvent } from "./eventPatterns.ts"
import type { OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import { type LaggingWorkspace, type ListeningEndpoint, OutgoingQueue } from "./OutgoingQueue.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Events that are read at a time. */
const pageSize = 500

/** `webhook-id`: one for the endpoint and the event, so that who gets an event again knows it. */
const messageIdOf = ({ id }: OutgoingEndpoint, seq: number): string => `${id}.${seq}`

/** The view of an endpoint: what its managed user would see now, or the workspace. */
const scopeOf = ({ externalUserId, workspaceId }: OutgoingEndpoint) =>
  Option.match(externalUserId, {
    onNone: () => new WorkspaceScope({ workspaceId }),
    onSome: (user) => new ManagedUserScope({ workspaceId, externalUserId: user })
  })

/** Nobody is told of their own failure: the message could not arrive. */
const isAbout = (event: InboxEvent, { id }: OutgoingEndpoint): boolean =>
  event._tag === "EndpointFailing" && event.endpoint.id === id

/** An event as endpoints with one view of it get it. */
type View = Pick<OutgoingDelivery, "externalUserId" | "body">

/** Turns events of the log into deliveries. */
export const makeWriteDeliveries = Effect.gen(function* () {
  const events = yield* InboxEvents
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const workspaces = yield* Workspaces
  const random = yield* SecureRandom
  const plans = yield* inboxPlans

  const sourcesOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
    const workspace = yield* workspaces.find(workspaceId)
    return Option.match(workspace, { onNone: () => new Set<Source>(), onSome: ({ plan }) => plans[plan] })
  })

  /** The deliveries of one event; endpoints with one view of it share its body. */
  const deliveriesOf = Effect.fnUntraced(function* (
    routed: RoutedEvent,
    listening: ReadonlyArray<ListeningEndpoint>,
    sources: ReadonlySet<Source>,
    createdAt: DateTime.Utc
  ) {
    const type = typeOfEvent[routed.event._tag]
    const accountId = "accountId" in routed.event ? Option.some(routed.event.accountId) : Option.none()
    const views = new Map<string, Option.Option<View>>()
    const made: Array<OutgoingDelivery> = []
    for (const { endpoint, since } of listening) {
      if (
        routed.seq <= since ||
        isAbout(routed.event, endpoint) ||
        !isWanted(Option.getOrUndefined(endpoint.events), type)
      )
        continue
      const view = Option.match(endpoint.externalUserId, { onNone: () => "", onSome: (user) => `=${user}` })
      const seen =
        views.get(view) ??
        Option.map(deliver(routed, { scope: scopeOf(endpoint), sources }), (event) => ({
          externalUserId: event.externalUserId,
          body: sender.bodyOf(event)
        }))
      views.set(view, seen)
      if (Option.isNone(seen)) continue
      made.push({
        id: yield* nextOutgoingDeliveryId(random),
        workspaceId: endpoint.workspaceId,
        endpointId: endpoint.id,
        messageId: messageIdOf(endpoint, routed.seq),
        eventType: type,
        eventSeq: Option.some(routed.seq),
        accountId,
        externalUserId: seen.value.externalUserId,
        body: seen.value.body,
        status: "pending",
        attempts: 0,
        attemptsInSchedule: 0,
        nextAttemptAt: Option.some(createdAt),
        createdAt
      })
    }
    return made
  })

  /** The next page of a workspace's events; whether there may be more. */
  const writePage = Effect.fn("writeDeliveries")(function* (from: LaggingWorkspace) {
    const { position, workspaceId } = from
    const listening = yield* queue.listening(workspaceId)
    const page = yield* events.read(workspaceId, position, pageSize)
    if (page.removed > position && position > 0 && listening.length > 0) {
      // Nobody wrote deliveries for as long as events are kept.
      yield* Effect.logError("events were deleted before their deliveries were written").pipe(
        Effect.annotateLogs({ workspace_id: workspaceId, after: position, up_to: page.removed })
      )
    }
    const sources = yield* sourcesOf(workspaceId)
    const now = yield* DateTime.now
    const made = yield* Effect.forEach(listening.length === 0 ? [] : page.events, (routed) =>
      deliveriesOf(routed, listening, sources, now)
    )
    const to = Math.max(positionAfter(page, pageSize), page.removed)
    // After a failover the log may end before the position: it goes on from the end that there is.
    const isWritten = yield* queue.append(from, to, made.flat())
    return isWritten && page.events.length + page.unreadable.length >= pageSize
      ? Option.some({ workspaceId, position: to })
      : Option.none()
  })

  /** Writes the deliveries of a workspace up to the end of its log. */
  const writeWorkspace = Effect.fnUntraced(function* (lagging: LaggingWorkspace) {
    let next = Option.some(lagging)
    while (Option.isSome(next)) next = yield* writePage(next.value)
  })

  return { writeWorkspace, deliveriesOf, sourcesOf }
})
