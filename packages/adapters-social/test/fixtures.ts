import { readFileSync } from "node:fs"
import type { InboundActivity, NormalisedDelivery, Posted } from "@loopbox/core/networks/InboundActivity"
import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import type { Network } from "../src/names.ts"
import { DateTime, Option } from "effect"
import { normaliseMeta } from "../src/meta/normaliseMeta.ts"
import { normaliseThreads } from "@loopbox/adapters-social/threads/threadsWebhook"
import { normaliseX } from "@loopbox/adapters-social/x/xWebhook"

export const normalisers: Record<Network, Normalise> = {
  instagram: normaliseMeta,
  facebook: normaliseMeta,
  threads: normaliseThreads,
  x: normaliseX
}

/** When every delivery of these tests was stored. */
export const arrivedAt = DateTime.makeUnsafe("2026-11-21T07:00:00Z")

export const fixtures: Readonly<Record<Network, ReadonlyArray<string>>> = {
  instagram: ["comments.json", "messages.json", "test-button.json"],
  facebook: ["feed.json", "messages.json"],
  threads: ["replies.json", "wrapped.json"],
  x: ["activity.json", "stream.json", "account-activity.json"]
}

/** A payload of the repository's own: written by hand, no value of it from anywhere else. */
export const fixtureBytes = (network: Network, file: string): Uint8Array =>
  readFileSync(new URL(`payloads/${network}/${file}`, import.meta.url))

export const fixtureJson = (network: Network, file: string): unknown =>
  JSON.parse(new TextDecoder().decode(fixtureBytes(network, file)))

export const bytesOf = (payload: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(payload))

export const normalise = (network: Network, payload: unknown): NormalisedDelivery =>
  normalisers[network]({ body: bytesOf(payload), arrivedAt })

export const normaliseFixture = (network: Network, file: string): NormalisedDelivery =>
  normalisers[network]({ body: fixtureBytes(network, file), arrivedAt })

const line = (posted: Posted): string => {
  const { author, threadKey } = posted
  const or = (option: Option.Option<string>) => Option.getOrElse(option, () => "-")
  return [
    posted.source,
    posted.externalId,
    `in ${threadKey._tag === "Known" ? threadKey.key : `root of ${threadKey.parentExternalId}`}`,
    `to ${or(posted.parentExternalId)}`,
    `post ${or(posted.linkedPostId)}`,
    `by ${or(author.id)} ${or(author.username)} ${or(author.name)}${posted.isOwn ? " (own)" : ""}`,
    DateTime.formatIso(posted.receivedAt),
    JSON.stringify(posted.body),
    ...posted.attachments.map(({ type, url }) => `[${type} ${url}]`),
    ...Option.toArray(posted.summons).map((summons) => `summons ${summons}`),
    ...(posted.version === 0 ? [] : [`version ${posted.version}`]),
    ...(posted.replyTargetId === posted.externalId ? [] : [`answer ${posted.replyTargetId}`]),
    ...Option.toArray(posted.operationTag).map((tag) => `tag ${tag}`),
    ...(posted.isStandby ? ["standby"] : [])
  ].join(" | ")
}

/** An activity in one line, all that matters of it. */
export const told = (activity: InboundActivity): string => {
  switch (activity._tag) {
    case "Posted":
      return line(activity)
    case "Edited":
      return `edited ${activity.externalId} ${Option.isSome(activity.whole) ? "" : `${activity.version} `}${JSON.stringify(activity.body)}${Option.isSome(activity.whole) ? " whole" : ""}`
    case "Deleted":
      return `deleted ${activity.externalId}`
    case "HiddenChanged":
      return `${activity.isHidden ? "hidden" : "shown"} ${activity.externalId} ${DateTime.formatIso(activity.asOf)}`
    case "Announced":
      return `announced ${activity.externalId}`
    case "AccessRevoked":
      return `revoked ${Option.getOrElse(activity.route.accountId, () => "-")}`
  }
}
