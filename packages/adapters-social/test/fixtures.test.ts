import type { Network } from "../src/names.ts"
import { networks } from "../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { fixtures, normaliseFixture, told } from "./fixtures.ts"

interface Expected {
  readonly activities: ReadonlyArray<string>
  readonly ignored: Readonly<Record<string, number>>
  readonly unreadable: ReadonlyArray<string>
}

/**
 * Source, id, `in` thread, `to` parent, `post` at the root, `by` id, user name and name, time, body, attachments; `-`
 * where there is none. "root of" is a thread that has to be settled before the item is stored.
 */
const expected: Readonly<Record<string, Expected>> = {
  "instagram/comments.json": {
    activities: [
      'ig_comment | 18000000000000001 | in 18000000000000001 | to 17900000000000001 | post 17900000000000001 | by 5510000000000001 mira.k - | 2026-09-21T14:13:20.000Z | "Is it vegan?"',
      'ig_comment | 18000000000000002 | in 18000000000000001 | to 18000000000000001 | post 17900000000000001 | by 5510000000000002 jo_west - | 2026-09-21T14:13:20.000Z | "It is 🌱"',
      'ig_comment | 18000000000000003 | in 18000000000000003 | to 17900000000000002 | post 17900000000000002 | by 5510000000000002 jo_west - | 2026-09-21T14:13:20.000Z | "hello from the stream"',
      'ig_comment | 18000000000000004 | in 18000000000000004 | to 17900000000000001 | post 17900000000000001 | by - - - | 2026-09-21T14:13:20.000Z | "from a private account"',
      'ig_comment | 18000000000000005 | in 18000000000000001 | to 18000000000000001 | post 17900000000000001 | by 17841499000000001 our.shop - (own) | 2026-09-21T14:13:20.000Z | "Yes!"'
    ],
    ignored: { mentions: 1 },
    unreadable: ["entry[0].changes[6]: missing or unreadable: id"]
  },
  "instagram/messages.json": {
    activities: [
      'ig_dm | mid.a | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.001Z | "hi there �"',
      'ig_dm | mid.b | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.002Z | "" | [share https://cdn.example/r] | [file null] | [unsupported https://cdn.example/h] | [unsupported null]',
      'ig_dm | mid.c | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.003Z | "wow" | [story https://cdn.example/s]',
      'ig_dm | mid.d | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.004Z | "" | [unsupported null]',
      "deleted mid.a",
      'ig_dm | mid.e | in 5510000000000001 | to - | post - | by 17841499000000001 - - (own) | 2026-09-21T14:14:59.006Z | "we do"',
      'ig_dm | mid.f | in 5510000000000001 | to mid.e | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.007Z | "Prices"',
      'ig_dm | mid.g | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:14:59.008Z | "Opening hours"',
      'edited mid.c 2 "wow!"',
      'ig_dm | mid.h | in 5510000000000003 | to - | post - | by 5510000000000003 - - | 2026-09-21T14:14:59.015Z | "to another app" | standby'
    ],
    ignored: { reaction: 1, read: 1, optin: 1 },
    unreadable: [
      "entry[0].messaging[12]: missing or unreadable: mid",
      "entry[0].messaging[13]: missing or unreadable: sender.id"
    ]
  },
  "instagram/test-button.json": {
    activities: [
      'ig_dm | mid.i | in 5510000000000001 | to - | post - | by 5510000000000001 - - | 2026-09-21T14:16:39.000Z | "as a change"'
    ],
    ignored: { test: 1, "entry.empty": 1 },
    unreadable: []
  },
  "facebook/feed.json": {
    activities: [
      'fb_comment | 9001_1 | in 9001_1 | to 440000000000001_9001 | post 440000000000001_9001 | by 6001 - Ada L. | 2026-09-21T14:18:10.000Z | "First"',
      'fb_comment | 9001_2 | in root of 9001_1 | to 9001_1 | post 440000000000001_9001 | by 98765432109876543210 - Old App | 2026-09-21T14:18:11.000Z | "Second"',
      'fb_comment | 9001_3 | in 9001_3 | to 440000000000001_9001 | post 440000000000001_9001 | by 440000000000001 - Our Page (own) | 2026-09-21T14:18:12.000Z | "Thanks" | [image https://cdn.example/1.jpg] | [video null]',
      'fb_comment | 9001_4 | in 9001_4 | to 440000000000001_77 | post 440000000000001_9001 | by - - - | 2026-09-21T14:18:13.000Z | "On a photo of an album"',
      'edited 9001_1 "First!" whole',
      "hidden 9001_1 2026-09-21T14:18:20.000Z",
      "shown 9001_1 2026-09-21T14:18:20.000Z",
      "deleted 9001_2"
    ],
    ignored: { "feed.comment.bless": 1, "feed.like": 1, ratings: 1 },
    unreadable: ["entry[0].changes[11]: missing or unreadable: comment_id", "entry[0].changes[12]: not an object"]
  },
  "facebook/messages.json": {
    activities: [
      'fb_dm | m_1 | in 7001 | to - | post - | by 7001 - - | 2026-09-21T14:19:59.001Z | "Grüße 🚀"',
      'fb_dm | m_2 | in 7001 | to - | post - | by 7001 - - | 2026-09-21T14:19:59.002Z | "" | [image https://cdn.example/like.png] | [unsupported null] | [share https://example.org/x] | [unsupported null]',
      'fb_dm | m_3 | in 7001 | to - | post - | by 440000000000001 - - (own) | 2026-09-21T14:19:59.003Z | "Hello" | tag op_01hzx',
      'edited m_1 1 "Grüße"'
    ],
    ignored: { delivery: 1, account_linking: 1 },
    unreadable: []
  },
  "threads/replies.json": {
    activities: [
      'threads_reply | 18100000000000002 | in 18100000000000001 | to 18100000000000001 | post 18100000000000001 | by - Nils - | 2026-09-21T15:00:00.000Z | "Count me in"',
      'threads_reply | 18100000000000003 | in 18100000000000001 | to 18100000000000002 | post 18100000000000001 | by - OUR_BRAND - (own) | 2026-09-21T14:21:40.000Z | "" | [image https://cdn.example/i.jpg]',
      'threads_reply | 18100000000000004 | in 18100000000000001 | to - | post 18100000000000001 | by - ida - | 2026-09-21T15:00:01.000Z | "" | [image https://cdn.example/1.jpg] | [video https://cdn.example/2.mp4]',
      "deleted 18100000000000002"
    ],
    ignored: { mentions: 1, publish: 1 },
    unreadable: ["values[6]: missing or unreadable: root_post.owner_id"]
  },
  "threads/wrapped.json": {
    activities: [
      'threads_reply | 18100000000000008 | in 18100000000000001 | to - | post 18100000000000001 | by - uma - | 2026-09-21T14:23:20.000Z | "through a gateway"'
    ],
    ignored: {},
    unreadable: []
  },
  "x/activity.json": {
    activities: [
      'x_reply | 2100000000000000001 | in 2100000000000000001 | to - | post - | by 4000000000000000002 kai Kai | 2026-09-21T10:00:00.000Z | "Look @our_x <3 https://example.org/?a=1&b=2 &amp;" | [image https://pbs.twimg.com/media/1.jpg] | [video https://pbs.twimg.com/media/2.jpg] | [image null] | summons yes',
      'x_reply | 2100000000000000010 | in 2100000000000000000 | to 2100000000000000000 | post 2100000000000000000 | by 4000000000000000003 - - | 2026-09-21T10:05:00.000Z | "@our_x the whole long text" | summons unknown | version 2 | answer 2100000000000000012',
      'x_reply | 2100000000000000020 | in 2100000000000000001 | to 2100000000000000001 | post 2100000000000000001 | by 4000000000000000001 our_x Our X (own) | 2026-09-21T10:06:00.000Z | "@kai thanks" | summons no',
      'x_reply | 2100000000000000030 | in 2100000000000000030 | to - | post - | by 4000000000000000003 - - | 2026-09-21T10:07:00.000Z | "see https://t.co/qqq" | summons yes',
      "deleted 2100000000000000020",
      "revoked 4000000000000000001"
    ],
    ignored: { "post.own": 1, "post.like.create": 1 },
    unreadable: ["[8].data: missing or unreadable: filter.user_id"]
  },
  "x/stream.json": {
    activities: [
      'x_reply | 2100000000000000040 | in 2100000000000000040 | to - | post - | by 4000000000000000002 kai Kai | 2026-09-21T11:00:00.000Z | "@our_x @other_x who is cheaper?" | summons yes',
      'x_reply | 2100000000000000040 | in 2100000000000000040 | to - | post - | by 4000000000000000002 kai Kai | 2026-09-21T11:00:00.000Z | "@our_x @other_x who is cheaper?" | summons yes'
    ],
    ignored: {},
    unreadable: []
  },
  "x/account-activity.json": {
    activities: [
      "revoked 4000000000000000001",
      'x_reply | 2100000000000000050 | in 2100000000000000050 | to - | post - | by 4000000000000000002 kai Kai | 2026-09-21T12:00:00.000Z | "@our_x a > b? https://example.org/b" | [video https://pbs.twimg.com/v.jpg] | summons yes',
      'x_reply | 2100000000000000051 | in root of 2100000000000000050 | to 2100000000000000050 | post - | by 4000000000000000003 lea Lea | 2026-09-21T12:01:00.000Z | "@our_x deeper" | summons unknown',
      "deleted 2100000000000000053"
    ],
    ignored: { repost: 1, "post.own": 1, favorite_events: 2 },
    unreadable: ["tweet_create_events[4]: missing or unreadable: id_str"]
  }
}

const what: Record<Network, string> = {
  instagram: "comments, live comments and direct messages (§1.2)",
  facebook: "comments on posts and Messenger (§1.3)",
  threads: "replies, alone, many or wrapped (§1.4)",
  x: "Activity API, filtered stream and Account Activity (§1.5)"
}

for (const network of networks) {
  describe(`${network}: ${what[network]}`, () => {
    for (const file of fixtures[network]) {
      it(`reads ${file}`, () => {
        const delivery = normaliseFixture(network, file)
        assert.deepStrictEqual(
          {
            activities: delivery.activities.map(told),
            ignored: Object.fromEntries(delivery.ignored),
            unreadable: delivery.unreadable.map(({ path, reason }) => `${path}: ${reason}`)
          },
          expected[`${network}/${file}`]
        )
      })
    }
  })
}
