import { knownNetworks as known } from "../src/socialNetworks.ts"
import { connectorTo } from "@loopbox/core/networks/Connectors"
import { shownName } from "@loopbox/core/networks/InboundActivity"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { corpus, sampleJson, samplesOf } from "./corpus.ts"
import { networks } from "../src/names.ts"
import type { ExpectedItem } from "./corpus.ts"
import { accessOf, at, essence, feedOf, newest, postedIn } from "./meta/graph.ts"
import { connected } from "./loopback.ts"

/** What a poll of each sample is asked with. */
const feeds = {
  "instagram poll-comments.json": feedOf({ step: "comments", source: "ig_comment", id: "17920112008063024" }),
  "instagram poll-messages.json": feedOf({ step: "messages", source: "ig_dm", id: "aWdfZAG06" }),
  "facebook poll-comments.json": feedOf({
    step: "comments",
    source: "fb_comment",
    id: "370873143344730_122141721440024251"
  }),
  "threads poll-conversation.json": feedOf({ step: "replies", source: "threads_reply", id: "17980000000000001" }),
  "x poll-mentions-page1.json": feedOf({ step: "mentions", source: "x_reply", id: "1111111111111111111" }),
  "x poll-mentions-empty.json": feedOf({ step: "mentions", source: "x_reply", id: "1111111111111111111" }),
  "facebook poll-conversations.json": undefined
} as const

const shape = (posted: Posted) => ({
  ...essence(posted),
  name: Option.getOrNull(shownName(known, posted.route.network, posted.author)),
  at: DateTime.formatIso(posted.receivedAt)
})

const expectedShape = (item: ExpectedItem) => ({
  source: item.source,
  id: item.external_id,
  thread: item.thread_key,
  parent: item.parent_external_id,
  author: item.author_id,
  isOwn: item.is_own,
  body: item.body,
  name: item.author_name,
  at: item.received_at
})

describe.skipIf(corpus === undefined)("polls as networks answer them", () => {
  for (const network of corpus === undefined ? [] : networks) {
    for (const { connected_account, expect, file } of samplesOf(network, ["poll"])) {
      it.live(`${network}/${file} is what the manifest says`, () =>
        Effect.gen(function* () {
          const { connectors, received } = yield* connected(({ query }) => ({
            body: query.has("after") ? { data: [] } : sampleJson(network, file)
          }))
          const connector = connectorTo(connectors, network)
          const access = accessOf(connected_account.account_id, connected_account.username ?? "our_page")
          const feed = Object.entries(feeds).find(([name]) => name === `${network} ${file}`)?.[1]
          const pages =
            feed === undefined
              ? (yield* connector.listFeeds(access, "messages", at("2026-01-01T00:00:00Z"))).flatMap(({ firstPage }) =>
                  Option.toArray(firstPage)
                )
              : [yield* connector.readFeed(access, feed, newest)]
          assert.deepStrictEqual(pages.flatMap(postedIn).map(shape), expect.items.map(expectedShape))
          if (expect.next_cursor === undefined) return
          // Of a list the connector reads the next page by itself.
          const next =
            feed === undefined ? received[1]?.query.get("after") : Option.getOrNull(pages[0]?.next ?? Option.none())
          assert.strictEqual(next, expect.next_cursor)
        })
      )
    }
  }
})
