import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { networks, sources } from "@loopbox/testing/fixtures/networks"
import { DateTime, Effect } from "effect"
import { now } from "./firstWorkspace.ts"

/** Before anything was made: nothing is due. */
const before = DateTime.subtract(now, { days: 1_000 })

const claimedAtOnce = 8

/** Claims of the queues that lie with their workspaces, of which a worker makes most in vain. */
export const makeEmptyClaims = Effect.gen(function* () {
  const [polls, replies, posts] = [yield* PollStore, yield* OutboundStore, yield* PostStore]
  const [departures, profiles] = [yield* OutgoingQueue, yield* AuthorProfiles]
  const [conversions, health] = [yield* ConversionStore, yield* AccountHealthStore]
  const lease = { token: "measured", now: before, leaseNow: before, leaseUntil: before }
  const request = { ...lease, limit: claimedAtOnce }
  return {
    "empty claim, conversions": () => conversions.claim({ ...lease, maxAttempts: 3 }),
    "empty claim, replies": () => replies.claim({ ...request, sources }),
    "empty claim, posts": () => posts.claim({ ...request, networks }),
    "empty claim, polls": () => polls.claim({ ...request, network: networks[0] ?? "x", isAutomatic: true }),
    "empty claim, webhooks out": () => departures.claim({ ...request, perLane: 16 }),
    "empty claim, profiles": () => profiles.claim(request),
    "empty claim, health": () => health.claim(request)
  }
})
