import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { type PostTarget, statusOf } from "../posts/PostTarget.ts"

const outcomes = Metric.counter("loopbox_post_targets_total", {
  description: "Targets of posts that reached a status, by network and status or failure",
  incremental: true
})

/** Leases of targets lost to another worker. */
export const lostLeases = Metric.counter("loopbox_post_leases_lost_total", {
  description: "Leases of post targets lost to another worker",
  incremental: true
})

/** Look-ups of publications with an unknown outcome. Attribute: `network`. */
export const looks = Metric.counter("loopbox_post_looks_total", {
  description: "Looks at the networks for posts of unknown outcome",
  incremental: true
})

/** Publishing calls. Attribute: `network`. More than there are targets, if a network proves that one had no effect. */
export const calls = Metric.counter("loopbox_post_calls_total", {
  description: "Calls that publish a post, made to the networks",
  incremental: true
})

export const networkOf = ({ network }: PostTarget): string => Option.getOrElse(network, () => "unknown")

/** Counts what became of a target. */
export const note = (target: PostTarget) =>
  Metric.update(
    Metric.withAttributes(outcomes, {
      network: networkOf(target),
      outcome: target.state._tag === "Failed" ? target.state.failure.code : statusOf(target)
    }),
    1
  )
