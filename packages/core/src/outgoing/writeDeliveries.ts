import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import { inboxPlans } from "../access/InboxPlans.ts"
import { ManagedUserScope, WorkspaceScope } from "../access/InboxScope.ts"
import { ConversionStore } from "../conversions/ConversionStore.ts"
import { erasedWith } from "../feed/erasedWith.ts"
import { type EventPage, InboxEvents, isFull, positionAfter, type UnreadableEvent } from "../feed/InboxEvents.ts"
import type { LoggedJobEnd } from "../feed/JobEnded.ts"
import { deliver, type InboxEvent, type RoutedEvent } from "../items/InboxEvent.ts"
import { nextOutgoingDeliveryId, type WorkspaceId } from "../kernel/Ids.ts"
import type { Source } from "../networks/Source.ts"
import { OverlayStore } from "../overlays/OverlayStore.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type EventType, isWanted, typeOfEvent, typeOfJobEnd } from "./eventPatterns.ts"
import type { OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import { type LaggingWorkspace, type ListeningEndpoint, OutgoingQueue } from "./OutgoingQueue.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Endpoints of a workspace, before they are read. */
const assumedEndpoints = 10

/** Events that are read at a time; fewer if each makes many deliveries, so that the first are sent before the last are written. */
const pageSizeOf = (endpoints: number): number => Math.min(500, Math.ceil(2_000 / Math.max(1, endpoints)))

/** How long an event that only a newer version can read is left to a process of that version, which has written it. */
const leftFor = { minutes: 10 } as const

/** What of a page is written now: all, or what stands before an event that is left to a newer version. */
const writable = (
  page: EventPage,
  now: DateTime.Utc
): EventPage & { readonly left: Option.Option<UnreadableEvent> } => {
  const left = page.unreadable.find(({ at }) => DateTime.isGreaterThan(DateTime.add(at, leftFor), now))
  if (left === undefined) return { ...page, left: Option.none() }
  const isBefore = ({ seq }: { readonly seq: number }) => seq < left.seq
  const [events, jobEnds] = [page.events.filter(isBefore), page.jobEnds.filter(isBefore)]
  return { ...page, events, jobEnds, unreadable: page.unreadable.filter(isBefore), left: Option.some(left) }
}

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

/** Whom the body names of an event that is nobody's: it is erased with them. */
const namedIn = (event: InboxEvent): Option.Option<string> =>
  event._tag === "AccountMoved" ? event.from : erasedWith(event)

/** An event as endpoints with one view of it get it. */
type View = Pick<OutgoingDelivery, "externalUserId" | "body">

/** Which event a delivery brings. */
type Brought = View &
  Pick<OutgoingDelivery, "accountId" | "createdAt"> & { readonly seq: number; readonly type: EventType }

/** Endpoints that are given an event by its number and type. */
const wantingOf = (listening: ReadonlyArray<ListeningEndpoint>, seq: number, type: EventType) =>
  listening.flatMap(({ endpoint, since }) =>
    seq > since && isWanted(Option.getOrUndefined(endpoint.events), type) ? [endpoint] : []
  )

/** How it goes on after a page. */
type WrittenPage = "written" | "left" | { readonly from: LaggingWorkspace; readonly endpoints: number }

/** Turns events of the log into deliveries. */
export const makeWriteDeliveries = Effect.gen(function* () {
  const events = yield* InboxEvents
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const workspaces = yield* Workspaces
  const random = yield* SecureRandom
  const plans = yield* inboxPlans
  const conversions = yield* ConversionStore
  const overlays = yield* OverlayStore
  // A span for each costs more than the delivery, and nobody sees those of the tracer that is there by default.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

  const sourcesOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
    const workspace = yield* workspaces.find(workspaceId)
    return Option.match(workspace, { onNone: () => new Set<Source>(), onSome: ({ plan }) => plans[plan] })
  })

  const newDelivery = Effect.fnUntraced(function* (endpoint: OutgoingEndpoint, { seq, type, ...brought }: Brought) {
    const delivery: OutgoingDelivery = {
      ...brought,
      id: yield* nextOutgoingDeliveryId(random),
      workspaceId: endpoint.workspaceId,
      endpointId: endpoint.id,
      messageId: messageIdOf(endpoint, seq),
      eventType: type,
      eventSeq: Option.some(seq),
      status: "pending",
      attempts: 0,
      attemptsInSchedule: 0,
      nextAttemptAt: Option.some(brought.createdAt)
    }
    return isTraced ? yield* inTraceOf(delivery.id, "delivery.written")(Effect.succeed(delivery)) : delivery
  })

  /** The deliveries of one event; endpoints with one view of it share its body. */
  const ofEvent = Effect.fnUntraced(function* (
    routed: RoutedEvent,
    listening: ReadonlyArray<ListeningEndpoint>,
    sources: ReadonlySet<Source>,
    createdAt: DateTime.Utc
  ) {
    const { event, seq } = routed
    const type = typeOfEvent[event._tag]
    const accountId = "accountId" in event ? Option.some(event.accountId) : Option.none()
    const views = new Map<string, Option.Option<View>>()
    const made: Array<OutgoingDelivery> = []
    for (const endpoint of wantingOf(listening, seq, type)) {
      if (isAbout(event, endpoint)) continue
      const view = Option.match(endpoint.externalUserId, { onNone: () => "", onSome: (user) => `=${user}` })
      const seen =
        views.get(view) ??
        Option.map(deliver(routed, { scope: scopeOf(endpoint), sources }), (delivered) => ({
          externalUserId: Option.orElse(delivered.externalUserId, () => namedIn(event)),
          body: sender.bodyOf(delivered)
        }))
      views.set(view, seen)
      if (Option.isSome(seen))
        made.push(yield* newDelivery(endpoint, { ...seen.value, seq, type, accountId, createdAt }))
    }
    return made
  })

  /** The body of a job's end; absent once the job is gone. */
  const jobEndBody = Effect.fnUntraced(function* (workspaceId: WorkspaceId, { at, event, seq }: LoggedJobEnd) {
    const { jobId, kind } = event
    if (kind === "gif_to_mp4") {
      const found = yield* conversions.find(workspaceId, jobId)
      return Option.map(found, (job) => sender.jobEndBodyOf({ seq, workspaceId, at, kind, job }))
    }
    const found = yield* overlays.find(workspaceId, jobId)
    return Option.map(found, (job) => sender.jobEndBodyOf({ seq, workspaceId, at, kind, job }))
  })

  /** The deliveries of a job's end. Jobs are the workspace's: an endpoint of one managed user gets none. */
  const ofJobEnd = Effect.fnUntraced(function* (
    ended: LoggedJobEnd,
    workspaceId: WorkspaceId,
    listening: ReadonlyArray<ListeningEndpoint>,
    createdAt: DateTime.Utc
  ) {
    const { seq } = ended
    const type = typeOfJobEnd[ended.event.kind]
    const wanting = wantingOf(listening, seq, type).filter(({ externalUserId }) => Option.isNone(externalUserId))
    const body = wanting.length === 0 ? Option.none<string>() : yield* jobEndBody(workspaceId, ended)
    if (Option.isNone(body)) return []
    const brought = { seq, type, body: body.value, externalUserId: Option.none(), accountId: Option.none(), createdAt }
    return yield* Effect.forEach(wanting, (endpoint) => newDelivery(endpoint, brought))
  })

  /** The deliveries of a page of the log. */
  const deliveriesOf = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    page: EventPage,
    listening: ReadonlyArray<ListeningEndpoint>
  ) {
    if (listening.length === 0) return []
    const sources = yield* sourcesOf(workspaceId)
    const now = yield* DateTime.now
    const events = yield* Effect.forEach(page.events, (routed) => ofEvent(routed, listening, sources, now))
    const jobEnds = yield* Effect.forEach(page.jobEnds, (ended) => ofJobEnd(ended, workspaceId, listening, now))
    return [...events, ...jobEnds].flat()
  })

  const notePassedOver = Effect.fnUntraced(function* (workspaceId: WorkspaceId, { seq, kind }: UnreadableEvent) {
    yield* Effect.logError("an event that this version can't read was sent to no endpoint").pipe(
      Effect.annotateLogs({ kind, workspace_id: workspaceId, seq })
    )
  })

  /**
   * The next page of a workspace's events, for about so many endpoints; whether there may be more, and for how many, or
   * whether the rest is left to a newer version.
   */
  const writePage = Effect.fn("writeDeliveries")(function* (
    from: LaggingWorkspace,
    endpoints: number
  ): Effect.fn.Return<WrittenPage, StoreUnavailable> {
    const { position, workspaceId } = from
    const pageSize = pageSizeOf(endpoints)
    const read = yield* events.read(workspaceId, position, pageSize)
    const { left, ...page } = writable(read, yield* DateTime.now)
    // After the events: one that comes once an endpoint is made finds it here, however shortly before it was made.
    const listening = yield* queue.listening(workspaceId)
    if (page.removed > position && position > 0 && listening.length > 0) {
      // Nobody wrote deliveries for as long as events are kept.
      yield* Effect.logError("events were deleted before their deliveries were written").pipe(
        Effect.annotateLogs({ workspace_id: workspaceId, after: position, up_to: page.removed })
      )
    }
    const made = yield* deliveriesOf(workspaceId, page, listening)
    if (listening.length > 0) yield* Effect.forEach(page.unreadable, (event) => notePassedOver(workspaceId, event))
    const to = Option.match(left, {
      onNone: () => Math.max(positionAfter(page, pageSize), page.removed),
      onSome: ({ seq }) => seq - 1
    })
    if (Option.isSome(left) && to === position) return "left"
    // After a failover the log may end before the position: it goes on from the end that there is.
    const isWritten = yield* queue.append(from, to, made)
    if (Option.isSome(left)) return "left"
    return isWritten && isFull(page, pageSize)
      ? { from: { workspaceId, position: to }, endpoints: listening.length }
      : "written"
  })

  /** Writes the deliveries of a workspace up to the end of its log. `left`: the rest is for a newer version. */
  const writeWorkspace = Effect.fnUntraced(function* (lagging: LaggingWorkspace) {
    let next: WrittenPage = { from: lagging, endpoints: assumedEndpoints }
    while (typeof next === "object") next = yield* writePage(next.from, next.endpoints)
    return next
  })

  return { writeWorkspace, deliveriesOf }
})
