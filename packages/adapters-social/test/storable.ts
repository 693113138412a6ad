import type { NormalisedDelivery } from "@loopbox/core/networks/InboundActivity"
import type { Network } from "../src/names.ts"
import { assert } from "@effect/vitest"
import { Option } from "effect"
import { normalise, told } from "./fixtures.ts"

/** What an activity promises to whoever stores it. */
export const assertPromises = ({ activities, unreadable }: NormalisedDelivery): number => {
  for (const activity of activities) {
    const texts = told(activity)
    assert.isFalse(texts.includes("\u0000"), texts)
    assert.isTrue(texts.isWellFormed(), texts)
    if (activity._tag === "AccessRevoked") continue
    assert.isAbove(activity.externalId.length, 0)
    assert.isAtMost(activity.externalId.length, 512)
    if (activity._tag === "Deleted") continue
    if ("version" in activity) assert.isTrue(Number.isSafeInteger(activity.version) && activity.version >= 0)
    if (activity._tag !== "Posted") continue
    for (const { url } of activity.attachments) assert.isTrue(url === null || /^https?:\/\/.{1,2048}$/i.test(url))
    assert.isFalse(Option.exists(activity.permalink, (url) => !/^https?:\/\//i.test(url)))
    assert.isAtMost(new TextEncoder().encode(activity.body).length, 65_536)
  }
  for (const { reason } of unreadable) assert.isAtMost(reason.length, 300)
  return activities.length
}

/** The same of a payload's activities. */
export const assertStorable = (network: Network, payload: unknown): number =>
  assertPromises(normalise(network, payload))
