import { Effect, Option } from "effect"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

const breaks = /a lease that was lost counted/

export const replyLeaseBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a reply's lease is prolonged without a look at whose it is",
    breaks,
    plant: wrong(OutboundStore, (right, { inbox }) =>
      OutboundStore.of({
        ...right,
        renew: (claim, until) =>
          Effect.sync(() => {
            const { accountId, id } = claim.operation
            const operations = inbox.accounts.get(accountId)?.operations
            const entry = operations?.get(id)
            if (entry !== undefined) operations?.set(id, { ...entry, leaseUntil: until })
          })
      })
    )
  }
]

export const postLeaseBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a target's lease is prolonged without a look at whose it is",
    breaks,
    plant: wrong(PostStore, (right, { inbox: { posts } }) =>
      PostStore.of({
        ...right,
        renew: ({ target: { id, postId } }, until) =>
          Effect.sync(() => {
            const entry = posts.get(postId)
            const lease = entry?.leases.get(id)
            if (entry === undefined || lease === undefined) return
            posts.set(postId, { ...entry, leases: new Map(entry.leases).set(id, { ...lease, until }) })
          })
      })
    )
  },
  {
    name: "a key is forgotten once its post has failed",
    breaks: /a key made two posts/,
    plant: wrong(PostStore, (right) =>
      PostStore.of({
        ...right,
        submit: (name, decide) =>
          right.submit(name, (existing) =>
            decide(Option.filter(existing, ({ targets }) => targets.some(({ state }) => state._tag !== "Failed")))
          )
      })
    )
  },
  {
    name: "a key is looked up in all workspaces",
    breaks: /another workspace's/,
    plant: wrong(PostStore, (right, { inbox: { posts } }) =>
      PostStore.of({
        ...right,
        submit: (name, decide) =>
          Effect.suspend(() => {
            const { idempotencyKey } = name
            const earlier = Array.from(posts.values(), ({ kept }) => kept).find(
              ({ post }) => Option.isSome(idempotencyKey) && Option.contains(post.idempotencyKey, idempotencyKey.value)
            )
            return right.submit(name, () => decide(Option.fromUndefinedOr(earlier)))
          })
      })
    )
  }
]
