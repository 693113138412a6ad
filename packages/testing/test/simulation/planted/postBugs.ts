import { DateTime, Effect, Option } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PostTarget, Waiting } from "@loopbox/core/posts/PostTarget"
import { replaceTarget } from "@loopbox/core/posts/showPost"
import { dueAt, isBusy } from "@loopbox/core/posts/transitions"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]
type Store = PostStore["Service"]

const far = DateTime.makeUnsafe("2200-01-01T00:00:00Z")

const wrongStore = (make: (right: Store, state: State) => Partial<Store>) =>
  wrong(PostStore, (right, state) => PostStore.of({ ...right, ...make(right, state) }))

/** Changes targets as they are claimed, in the store as well. */
const asClaimed = (change: (target: PostTarget, now: DateTime.Utc) => PostTarget) =>
  wrongStore((right, { inbox: { posts } }) => ({
    claim: (request) =>
      Effect.map(right.claim(request), (claims) =>
        claims.map((claim) => {
          const target = change(claim.target, request.now)
          const entry = posts.get(target.postId)
          if (entry !== undefined) posts.set(target.postId, { ...entry, kept: replaceTarget(entry.kept, target) })
          return { ...claim, target }
        })
      )
  }))

const asWaiting = (target: PostTarget, startAt: DateTime.Utc) =>
  new PostTarget({ ...target, state: new Waiting({ startAt: Option.some(startAt) }) })

const withTargets = (kept: KeptPost, change: (target: PostTarget) => PostTarget): KeptPost => ({
  ...kept,
  targets: kept.targets.map(change)
})

export const postBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a target whose worker died is published again",
    breaks: /a target is on the network twice/,
    plant: asClaimed((target, now) => (target.state._tag === "Publishing" ? asWaiting(target, now) : target))
  },
  {
    name: "a target of unknown outcome is published again",
    near: 17,
    breaks: /failed, and is live/,
    plant: asClaimed((target, now) => (target.state._tag === "OutcomeUnknown" ? asWaiting(target, now) : target))
  },
  {
    name: "two targets of an account are published at once",
    breaks: /an account has two that are being published|no event tells that ptg_/,
    plant: wrongStore((right, { inbox: { posts } }) => ({
      claim: (request) =>
        Effect.map(right.claim(request), (claims) => {
          const { leaseUntil, now, token } = request
          for (const [id, entry] of posts) {
            const next = entry.kept.targets.find(
              (target) =>
                target.state._tag === "Waiting" &&
                !entry.leases.has(target.id) &&
                Option.exists(dueAt(target), (at) => DateTime.isLessThanOrEqualTo(at, now))
            )
            if (next === undefined) continue
            posts.set(id, { ...entry, leases: new Map(entry.leases).set(next.id, { token, until: leaseUntil }) })
            return [...claims, { post: entry.kept.post, target: next, token }]
          }
          return claims
        }),
      settle: (claim, decide) =>
        Effect.catchTag(right.settle(claim, decide), "LeaseLost", (lost) =>
          Effect.suspend(() => {
            const entry = posts.get(claim.target.postId)
            const target = entry?.kept.targets.find(({ id }) => id === claim.target.id)
            if (entry === undefined || target === undefined || entry.leases.get(target.id)?.token !== claim.token) {
              return Effect.fail(new LeaseLost(lost))
            }
            const decided = decide(target).target
            posts.set(entry.kept.post.id, { ...entry, kept: replaceTarget(entry.kept, decided) })
            return Effect.succeed(decided)
          })
        )
    }))
  },
  {
    name: "a post is canceled while a call publishes it",
    near: 34,
    breaks: /was taken back, and is live/,
    plant: wrongStore((right) => ({
      change: (scope, id, decide) =>
        right.change(scope, id, (kept) =>
          decide(withTargets(kept, (target) => (isBusy(target) ? asWaiting(target, target.updatedAt) : target)))
        )
    }))
  },
  {
    name: "what another target published is taken for one's own",
    breaks: /one post of two targets|is not told that .* is another's|is looked for without its rival/,
    plant: wrongStore(() => ({
      findRivals: () => Effect.succeed({ knownIds: new Set<string>(), uncertain: [] })
    }))
  },
  {
    name: "a post goes out before its time",
    breaks: /went out before its time/,
    plant: wrongStore((right, { inbox: { posts } }) => ({
      claim: (request) =>
        Effect.suspend(() => {
          const atOnce = (target: PostTarget) =>
            target.state._tag === "Waiting" ? asWaiting(target, request.now) : target
          for (const [id, entry] of posts) posts.set(id, { ...entry, kept: withTargets(entry.kept, atOnce) })
          return right.claim(request)
        })
    }))
  },
  {
    name: "a target that a dead worker had is never claimed again",
    breaks: /to include 'Waiting'/,
    plant: wrongStore((right, { inbox: { posts } }) => ({
      claim: (request) =>
        Effect.suspend(() => {
          for (const [id, entry] of posts) {
            const leases = new Map(Array.from(entry.leases, ([target, lease]) => [target, { ...lease, until: far }]))
            posts.set(id, { ...entry, leases })
          }
          return right.claim(request)
        })
    }))
  }
]
