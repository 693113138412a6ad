import { DateTime, Effect, Option } from "effect"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** What goes wrong beside the traffic: where accounts come and go, and what was missed or sent is asked for again. */
export const upkeepBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a secret that is rotated signs no more at once",
    breaks: /a secret does not sign/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        rotate: (workspaceId, id, ...of) =>
          Effect.tap(right.rotate(workspaceId, id, ...of), () =>
            Effect.sync(() => {
              const entry = outgoing.endpoints.get(id)
              if (entry !== undefined) outgoing.endpoints.set(id, { ...entry, secrets: entry.secrets.slice(0, 1) })
            })
          )
      })
    )
  },
  {
    name: "a secret that was rotated signs for ever",
    breaks: /a secret signs after its end/,
    plant: wrong(OutgoingEndpointStore, (right) =>
      OutgoingEndpointStore.of({
        ...right,
        rotate: (workspaceId, id, secret, oldUntil) =>
          right.rotate(workspaceId, id, secret, DateTime.add(oldUntil, { days: 1_000 }))
      })
    )
  },
  {
    name: "events that are asked for again are counted, and not sent",
    breaks: /were sent again/,
    plant: wrong(OutgoingQueue, (right) =>
      OutgoingQueue.of({ ...right, replay: (given) => Effect.succeed(given.length) })
    )
  },
  {
    name: "an account that comes back within its days begins anew",
    breaks: /is the account that it was/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        connect: (account, seal, revivableSince, ...of) =>
          right.connect(account, seal, DateTime.add(revivableSince, { days: 7 }), ...of)
      })
    )
  },
  {
    name: "a managed user finds what others have asked for",
    breaks: /who may see a sync/,
    plant: wrong(SyncStore, (right) =>
      SyncStore.of({
        ...right,
        find: ({ workspaceId }, id) => right.find(new WorkspaceScope({ workspaceId }), id)
      })
    )
  },
  {
    name: "a confirmation counts each time",
    breaks: /a confirmation began two backfills/,
    plant: wrong(SyncStore, (right) =>
      SyncStore.of({ ...right, start: (run, judge) => right.start({ ...run, confirmation: Option.none() }, judge) })
    )
  },
  {
    name: "saved replies outlive their user",
    breaks: /the name of an erased user is left|still names who was erased/,
    plant: wrong(ManagedUsers, (right, { savedReplies }) =>
      ManagedUsers.of({
        ...right,
        erase: (...of) =>
          Effect.suspend(() => {
            const before = new Map(savedReplies)
            return Effect.tap(right.erase(...of), () =>
              Effect.sync(() => {
                for (const [id, reply] of before) savedReplies.set(id, reply)
              })
            )
          })
      })
    )
  },
  {
    name: "a comment is answered privately while another answer is on its way",
    breaks: /has two private replies|a private reply is asked for beside/,
    plant: wrong(OutboundStore, (right) =>
      OutboundStore.of({
        ...right,
        submit: (name, decide) => right.submit(name, (existing) => decide(existing, []))
      })
    )
  },
  {
    name: "a whole post goes with one of its accounts",
    breaks: /targets after an erasure/,
    plant: wrong(ManagedUsers, (right, { inbox: { accounts, posts } }) =>
      ManagedUsers.of({
        ...right,
        erase: (workspaceId, user, redact) =>
          Effect.suspend(() => {
            const own = Array.from(accounts.values(), ({ account }) => account).filter(
              (account) => account.workspaceId === workspaceId && Option.contains(account.externalUserId, user)
            )
            const shared = Array.from(posts.values(), ({ kept }) => kept).filter(({ targets }) =>
              targets.some(({ accountId }) => own.some(({ id }) => id === accountId))
            )
            return Effect.tap(right.erase(workspaceId, user, redact), (isErased) =>
              Effect.sync(() => {
                if (isErased) for (const { post } of shared) posts.delete(post.id)
              })
            )
          })
      })
    )
  },
  {
    name: "who has the name of an erased user in another workspace loses saved replies",
    breaks: /was changed by an erasure that is not about it/,
    plant: wrong(ManagedUsers, (right, { savedReplies }) =>
      ManagedUsers.of({
        ...right,
        erase: (workspaceId, user, redact) =>
          Effect.tap(right.erase(workspaceId, user, redact), () =>
            Effect.sync(() => {
              for (const [id, { externalUserId }] of savedReplies)
                if (Option.contains(externalUserId, user)) savedReplies.delete(id)
            })
          )
      })
    )
  },
  {
    name: "the log keeps that an endpoint of an erased user failed",
    breaks: /still names who was erased/,
    plant: wrong(ManagedUsers, (right, { inbox: { logs } }) =>
      ManagedUsers.of({
        ...right,
        erase: (workspaceId, user, redact) =>
          Effect.suspend(() => {
            const log = logs.get(workspaceId)
            const failed = (log?.events ?? []).filter(({ event }) => event._tag === "EndpointFailing")
            return Effect.tap(right.erase(workspaceId, user, redact), () =>
              Effect.sync(() => {
                if (log === undefined) return
                const left = log.events.filter(({ event }) => event._tag !== "EndpointFailing")
                log.events = [...left, ...failed].sort((a, b) => a.seq - b.seq)
              })
            )
          })
      })
    )
  },
  {
    name: "what waits for an endpoint goes to whom it is given",
    breaks: /waits for whom its endpoint was before/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (...of) =>
          Effect.suspend(() => {
            const before = Array.from(outgoing.deliveries).filter(([, { delivery }]) => delivery.status === "pending")
            return Effect.tap(right.update(...of), () =>
              Effect.sync(() => {
                for (const [id, entry] of before) outgoing.deliveries.set(id, entry)
              })
            )
          })
      })
    )
  },
  {
    name: "the posts of a workspace outlive it",
    breaks: /still names who was erased/,
    plant: wrong(Workspaces, (right, { inbox: { posts } }) =>
      Workspaces.of({
        ...right,
        erase: (...of) =>
          Effect.suspend(() => {
            const before = new Map(posts)
            return Effect.tap(right.erase(...of), () =>
              Effect.sync(() => {
                for (const [id, entry] of before) posts.set(id, entry)
              })
            )
          })
      })
    )
  },
  {
    name: "an endpoint that is given to somebody gets what was before, unless it was written already",
    breaks: /was before its endpoint was whose it is/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (workspaceId, id, ...of) =>
          Effect.suspend(() => {
            const before = outgoing.endpoints.get(id)
            return Effect.tap(right.update(workspaceId, id, ...of), () =>
              Effect.sync(() => {
                const entry = outgoing.endpoints.get(id)
                const isOn = before !== undefined && before.endpoint.status !== "disabled"
                if (entry !== undefined && isOn) outgoing.endpoints.set(id, { ...entry, since: before.since })
              })
            )
          })
      })
    )
  },
  {
    name: "a saved reply that is changed keeps the time of its last change",
    breaks: /saved replies of a scope/,
    plant: wrong(SavedReplyStore, (right) =>
      SavedReplyStore.of({
        ...right,
        update: (scope, id, change, at) =>
          Effect.flatMap(right.find(scope, id), (before) =>
            right.update(
              scope,
              id,
              change,
              Option.getOrElse(
                Option.map(before, ({ updatedAt }) => updatedAt),
                () => at
              )
            )
          )
      })
    )
  },
  {
    name: "of a long thread only the first batch is marked as read",
    breaks: /all of a long thread was marked as read/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({
        ...right,
        markRead: (scope, id, limit, at) =>
          Effect.map(
            right.markRead(scope, id, limit, at),
            Option.map((marked) => Math.min(marked, limit - 1))
          )
      })
    )
  }
]
