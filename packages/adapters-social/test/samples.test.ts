import { knownNetworks as known } from "../src/socialNetworks.ts"
import { isOwnItem, shownName } from "@loopbox/core/networks/InboundActivity"
import type { InboundActivity, NormalisedDelivery, Posted } from "@loopbox/core/networks/InboundActivity"
import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import { networks } from "../src/names.ts"
import type { Network } from "../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { normaliseMeta } from "../src/meta/normaliseMeta.ts"
import { normaliseThreads } from "@loopbox/adapters-social/threads/threadsWebhook"
import { normaliseX } from "@loopbox/adapters-social/x/xWebhook"
import { corpus, sampleBytes, samplesOf } from "./corpus.ts"
import type { ExpectedChange, ExpectedItem } from "./corpus.ts"

const normalisers: Record<Network, Normalise> = {
  instagram: normaliseMeta,
  facebook: normaliseMeta,
  threads: normaliseThreads,
  x: normaliseX
}

/** Kinds of attachment that a manifest names as the network does. */
const attachmentTypes: Readonly<Record<string, string>> = {
  story_mention: "story",
  fallback: "share",
  location: "unsupported",
  template: "unsupported"
}

/** What `attachments` of an item are expected to be, in our words. */
const expectedAttachments = (item: ExpectedItem): ReadonlyArray<string> => [
  ...(item.attachments ?? []).map((type) => attachmentTypes[type] ?? type),
  ...(item.story_id === undefined ? [] : ["story"]),
  ...(item.unsupported === true ? ["unsupported"] : [])
]

const eligible = (expected: ExpectedItem["eligible"]): string | null =>
  expected === undefined ? null : expected === true ? "yes" : expected === false ? "no" : String(expected)

const keyOf = ({ threadKey }: Posted): string =>
  threadKey._tag === "Known" ? threadKey.key : threadKey.parentExternalId

const isPosted = (activity: InboundActivity): activity is Posted => activity._tag === "Posted"

const changesOf = (delivery: NormalisedDelivery): ReadonlyArray<ExpectedChange> =>
  delivery.activities.flatMap((activity): ReadonlyArray<ExpectedChange> => {
    switch (activity._tag) {
      case "Edited": {
        const { body, externalId: external_id, version, whole } = activity
        // That of a whole item is made from the event's times, and is no number of the network's.
        return [{ op: "edit", external_id, body, ...(Option.isSome(whole) ? {} : { version }) }]
      }
      case "Deleted":
        return [{ op: "delete", external_id: activity.externalId }]
      case "HiddenChanged":
        return [{ op: activity.isHidden ? "hide" : "unhide", external_id: activity.externalId }]
      default:
        return []
    }
  })

const countIgnored = (delivery: NormalisedDelivery): number =>
  [...delivery.ignored.values()].reduce((sum, n) => sum + n, 0) +
  delivery.activities.filter(({ _tag }) => _tag === "Announced").length +
  delivery.unreadable.length

describe.skipIf(corpus === undefined)("payloads as sent (set LOOPBOX_CORPUS to the folder of the samples)", () => {
  for (const network of corpus === undefined ? [] : networks) {
    for (const sample of samplesOf(network)) {
      it(`${network}/${sample.file}`, () => {
        const delivery = normalisers[network]({
          body: sampleBytes(network, sample.file),
          arrivedAt: DateTime.makeUnsafe("2026-11-21T07:00:00Z")
        })
        const account = {
          networkAccountId: sample.connected_account.account_id,
          otherAccountId: Option.none(),
          login: Option.none(),
          throughAccountId: Option.none(),
          username: Option.fromUndefinedOr(sample.connected_account.username)
        }
        assert.deepStrictEqual(
          delivery.activities.filter(isPosted).map((posted) => ({
            source: posted.source,
            external_id: posted.externalId,
            thread_key: keyOf(posted),
            parent_external_id: Option.getOrNull(posted.parentExternalId),
            author_id: Option.getOrNull(posted.author.id),
            author_name: Option.getOrNull(shownName(known, network, posted.author)),
            body: posted.body,
            is_own: isOwnItem(known, posted, account),
            received_at: DateTime.formatIso(posted.receivedAt),
            attachments: posted.attachments.map(({ type }) => type),
            summons: sample.expect.items.some(({ eligible }) => eligible !== undefined)
              ? Option.getOrNull(posted.summons)
              : null,
            operation_tag: Option.getOrNull(posted.operationTag),
            is_standby: posted.isStandby
          })),
          sample.expect.items.map((item) => ({
            source: item.source,
            external_id: item.external_id,
            thread_key: item.thread_key,
            parent_external_id: item.parent_external_id,
            author_id: item.author_id,
            author_name: item.author_name,
            body: item.body,
            is_own: item.is_own,
            received_at: item.received_at,
            attachments: expectedAttachments(item),
            summons: eligible(item.eligible),
            operation_tag: item.metadata ?? null,
            is_standby: item.standby ?? false
          }))
        )
        assert.deepStrictEqual(changesOf(delivery), sample.expect.changes ?? [])
        assert.strictEqual(countIgnored(delivery), sample.expect.ignored ?? 0)
        for (const { route } of delivery.activities) {
          assert.strictEqual(route.network, network)
          assert.strictEqual(Option.getOrNull(route.accountId), sample.connected_account.account_id)
        }
      })
    }
  }
})
