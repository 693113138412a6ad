import { DateTime, Effect, Option } from "effect"
import { logOf } from "@loopbox/adapters-memory/memoryInbox"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** A scope as a plan with every source has it. */
const withAll = (scope: Pick<EntitledCaller, "scope" | "sources">): Pick<EntitledCaller, "scope" | "sources"> => ({
  ...scope,
  sources: new Set([
    ...scope.sources,
    "ig_comment",
    "ig_dm",
    "fb_comment",
    "fb_dm",
    "threads_reply",
    "x_reply"
  ] as const)
})

/** Whoever decides is told too little, or whoever asks is told too much. */
export const factBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a reply is looked for without the others that may have sent what is found",
    breaks: /is decided without its rivals/,
    plant: wrong(OutboundStore, (right) =>
      OutboundStore.of({
        ...right,
        reconcile: (claim, candidates, decide) =>
          right.reconcile(claim, candidates, (facts) => decide({ ...facts, rivals: [] }))
      })
    )
  },
  {
    name: "whose a post is known to be is not asked",
    breaks: /is not told that .* is another's/,
    plant: wrong(OutboundStore, (right) =>
      OutboundStore.of({
        ...right,
        reconcile: (claim, candidates, decide) =>
          right.reconcile(claim, candidates, (facts) => decide({ ...facts, taken: new Set() }))
      })
    )
  },
  {
    name: "a target is looked for without the others that may be what is found",
    breaks: /is looked for without its rival/,
    plant: wrong(PostStore, (right) =>
      PostStore.of({
        ...right,
        findRivals: (of) => Effect.map(right.findRivals(of), (found) => ({ ...found, uncertain: [] }))
      })
    )
  },
  {
    name: "what networks tell is routed by user names, where there is one",
    breaks: /the page of p|items and what was delivered|one page in two workspaces/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        findRoutes: (names) => {
          const byName = names.filter(({ by }) => by === "username")
          return right.findRoutes(byName.length > 0 ? byName : names)
        }
      })
    )
  },
  {
    name: "an account that was connected for posts only gets comments, too",
    breaks: /an account that posts only has items/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        findRoutes: (names) =>
          Effect.map(right.findRoutes(names), (routes) => routes.map((route) => ({ ...route, isForInbox: true })))
      })
    )
  },
  {
    name: "the end of a media job is told where nobody has asked for it",
    breaks: /the end of .* is told/,
    plant: wrong(ConversionStore, (right, { inbox }) => {
      const tell = <A extends ConversionJob, E>(call: Effect.Effect<A, E>) =>
        Effect.tap(call, ({ id, workspaceId }) =>
          Effect.map(DateTime.now, (at) => {
            const log = logOf(inbox, workspaceId)
            if (log.events.some(({ event }) => event._tag === "JobEnded" && event.jobId === id)) return
            log.events.push({ seq: ++log.last, at, event: { _tag: "JobEnded", kind: "gif_to_mp4", jobId: id } })
          })
        )
      return ConversionStore.of({
        ...right,
        succeed: (...of) => tell(right.succeed(...of)),
        fail: (...of) => tell(right.fail(...of))
      })
    })
  },
  {
    name: "an edit takes the files of its item",
    breaks: /has lost its attachments/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          Effect.suspend(() => {
            const entry = inbox.accounts.get(unit.accountId)
            const before = new Map(entry?.items)
            const last = inbox.logs.get(unit.workspaceId)?.last ?? 0
            return Effect.tap(right.ingest(unit), () =>
              Effect.sync(() => {
                const edited = new Set<string>()
                for (const [key, item] of entry?.items ?? []) {
                  const was = before.get(key)
                  if (item._tag !== "LiveItem" || was?._tag !== "LiveItem" || was.body === item.body) continue
                  entry?.items.set(key, { ...item, attachments: [] })
                  edited.add(item.id)
                }
                const log = inbox.logs.get(unit.workspaceId)
                if (log === undefined) return
                log.events = log.events.map((kept) => {
                  const { event, seq } = kept
                  if (seq <= last || event._tag !== "ItemUpdated" || !edited.has(event.item.id)) return kept
                  return { ...kept, event: { ...event, item: { ...event.item, attachments: [] } } }
                })
              })
            )
          })
      })
    )
  },
  {
    name: "usage is told of ten days too many",
    breaks: /what .* has used/,
    plant: wrong(UsageStore, (right) =>
      UsageStore.of({ ...right, read: (id, now) => right.read(id, DateTime.subtract(now, { days: 10 })) })
    )
  },
  {
    name: "unread items that the plan does not show are counted",
    breaks: /the counter of a plan without/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({ ...right, countUnread: (scope) => right.countUnread(withAll(scope)) })
    )
  },
  {
    name: "threads that the plan does not show are listed",
    breaks: /threads of a plan without/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({ ...right, list: (scope, query) => right.list(withAll(scope), query) })
    )
  },
  {
    name: "a search of threads finds all of them",
    breaks: /threads with a filter of q/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({ ...right, list: (scope, query) => right.list(scope, { ...query, search: Option.none() }) })
    )
  },
  {
    name: "a managed user is told of the labels of the whole workspace",
    breaks: /labels of a scope/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({
        ...right,
        labels: ({ scope: { workspaceId }, sources }, limit) =>
          right.labels({ scope: new WorkspaceScope({ workspaceId }), sources }, limit)
      })
    )
  },
  {
    name: "the audit does not say who has changed an endpoint",
    breaks: /the audit tells that another did it/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { audit } }) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (...of) =>
          Effect.suspend(() => {
            const before = audit.kept.length
            return Effect.tap(right.update(...of), () =>
              Effect.sync(() => {
                audit.kept = audit.kept.map((line, n) =>
                  n < before ? line : { ...line, actor: { type: "system", id: Option.none() } }
                )
              })
            )
          })
      })
    )
  },
  {
    name: "no managed user hears of notes",
    breaks: /whose they are|a listener did not hear event/,
    plant: wrong(InboxEvents, (right) =>
      InboxEvents.of({
        ...right,
        read: (...of) =>
          Effect.map(right.read(...of), (page) => ({
            ...page,
            events: page.events.map((routed) =>
              routed.event._tag === "NoteAdded" ? { ...routed, owner: Option.none() } : routed
            )
          }))
      })
    )
  }
]
