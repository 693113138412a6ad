import { DateTime, Effect, Option } from "effect"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { noHints } from "@loopbox/core/sync/pollHints"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** One condition, or one field, is missing at the edge of what somebody asks for. */
export const edgeBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "labels are listed from the one that fewest threads have",
    breaks: /labels of a scope/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({
        ...right,
        labels: (...of) =>
          Effect.map(right.labels(...of), (all) => all.toSorted((a, b) => a.openThreads - b.openThreads))
      })
    )
  },
  {
    name: "a label is listed as it was written last",
    breaks: /labels of a scope/,
    plant: wrong(ThreadStore, (right, { inbox: { accounts } }) =>
      ThreadStore.of({
        ...right,
        labels: (...of) =>
          Effect.map(right.labels(...of), (all) => {
            const uses = Array.from(accounts.values()).flatMap(({ labels }) =>
              Array.from(labels.values()).flatMap((one) => Array.from(one.values()))
            )
            const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
            return all.map((count) => {
              const [last] = uses.filter(({ label }) => isSame(label, count.label)).sort((a, b) => b.n - a.n)
              return { ...count, label: last?.label ?? count.label }
            })
          })
      })
    )
  },
  {
    name: "the bytes of what was deleted are counted as used",
    breaks: /bytes that were counted/,
    plant: wrong(UsageStore, (right, { media }) =>
      UsageStore.of({
        ...right,
        read: (workspaceId, now) =>
          Effect.map(
            right.read(workspaceId, now),
            Option.map((used) => ({
              ...used,
              storageBytes: Array.from(media.values()).reduce(
                (sum, { media: one }) =>
                  one._tag === "ReadyMedia" && one.workspaceId === workspaceId ? sum + one.sizeBytes : sum,
                0
              )
            }))
          )
      })
    )
  },
  {
    name: "a delivery that is given back counts as tried",
    breaks: /was given back, and counts as tried/,
    plant: wrong(WebhookDeliveries, (right) =>
      WebhookDeliveries.of({
        ...right,
        release: (claim, now) => right.release({ ...claim, attempts: claim.attempts + 1 }, now)
      })
    )
  },
  {
    name: "what is announced of an account that is being polled is forgotten with the end of that poll",
    breaks: /what was announced amid a poll is forgotten/,
    plant: wrong(PollStore, (right, { inbox: { accounts } }) =>
      PollStore.of({
        ...right,
        settle: (claim, ...of) =>
          Effect.tap(right.settle(claim, ...of), () =>
            Effect.sync(() => {
              const entry = accounts.get(claim.accountId)
              if (entry !== undefined) entry.poll = { ...entry.poll, hints: noHints }
            })
          )
      })
    )
  },
  {
    name: "a target is looked for beside itself",
    breaks: /is looked for beside ptg_.*, no rival/,
    plant: wrong(PostStore, (right, { inbox: { posts } }) =>
      PostStore.of({
        ...right,
        findRivals: (of) =>
          Effect.map(right.findRivals(of), (found) => ({
            ...found,
            uncertain: [
              ...found.uncertain,
              ...Array.from(posts.values()).flatMap(({ kept: { post, targets } }) =>
                targets.filter(({ id }) => id === of.id).map((target) => ({ post, target }))
              )
            ]
          }))
      })
    )
  },
  {
    name: "posts of an account are those of which it is the first target",
    breaks: /posts with a filter of account/,
    plant: wrong(PostStore, (right) =>
      PostStore.of({
        ...right,
        list: (scope, filter, page) =>
          Effect.map(right.list(scope, filter, page), (found) => ({
            ...found,
            items: found.items.filter(({ targets }) =>
              Option.match(filter.accountId, {
                onNone: () => true,
                onSome: (id) => targets[0]?.accountId === id
              })
            )
          }))
      })
    )
  },
  {
    name: "that somebody took back an old login ends a newer one",
    breaks: /somebody could revoke a login that is newer/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        requireReauth: (workspaceId, id, revokedAt) =>
          right.requireReauth(workspaceId, id, DateTime.add(revokedAt, { minutes: 1 }))
      })
    )
  }
]
