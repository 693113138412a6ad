import type { AccountStatus } from "../../../src/accounts/SocialAccount.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as fc from "fast-check"
import {
  type ActedItem,
  capabilitiesOfItem,
  judgeAccountActions,
  type ItemAction,
  judgeAction
} from "../../../src/items/acting/judgeAction.ts"
import { replyWindowOf } from "../../../src/items/acting/replyWindow.ts"
import { sources, testNetworks } from "@loopbox/testing/fixtures/networks"
import { noon } from "@loopbox/testing/fixtures/activities"

const granted: Record<string, ReadonlyArray<string>> = {
  instagram: [
    "instagram_basic",
    "instagram_manage_comments",
    "instagram_manage_messages",
    "instagram_manage_engagement"
  ],
  facebook: ["pages_manage_engagement", "pages_messaging"],
  threads: ["threads_manage_replies", "threads_content_publish", "threads_delete"],
  x: ["tweet.read", "tweet.write", "tweet.moderate.write"]
}

const networkOf = (source: string) => testNetworks.traitsOf(source).network

const itemOf = (source: string, change: Partial<ActedItem> = {}): ActedItem => ({
  source,
  isOwn: false,
  isHidden: false,
  isLiked: false,
  isOnOwnPost: true,
  parentExternalId: Option.some("post"),
  linkedPostId: Option.some("post"),
  receivedAt: noon,
  privateRepliedAt: Option.none(),
  summons: Option.none(),
  ...change
})

const accountOf = (
  source: string,
  permissions = granted[networkOf(source)] ?? [],
  status: AccountStatus = "connected"
) => ({
  network: networkOf(source),
  login: Option.some("facebook"),
  permissions,
  status
})

const windowOf = (item: ActedItem, now: DateTime.Utc) =>
  replyWindowOf(testNetworks.traitsOf(item.source), item, { permissions: [] }, Option.none(), now)

const capabilities = (item: ActedItem, account = accountOf(item.source), now = noon) =>
  capabilitiesOfItem(judgeAccountActions(testNetworks, account), item, account, windowOf(item, now), now)

const reasonOf = (action: ItemAction, item: ActedItem, account = accountOf(item.source), now = noon) => {
  const verdict = judgeAction(testNetworks, action, item, account, windowOf(item, now), now)
  return verdict._tag === "Refused" ? verdict.reason : verdict._tag
}

describe("what may be done with an item (api-2.md §13)", () => {
  it("is by network what its descriptor says", () => {
    const all = Object.fromEntries(sources.map((source) => [source, capabilities(itemOf(source))]))
    assert.deepStrictEqual(all, {
      ig_comment: ["reply", "hide", "delete", "like", "private_reply"],
      ig_dm: ["reply", "reply_media"],
      fb_comment: ["reply", "reply_media", "hide", "delete", "like", "private_reply"],
      fb_dm: ["reply", "reply_media"],
      threads_reply: ["reply", "hide"],
      // like.write is not granted.
      x_reply: ["reply", "hide"]
    })
  })

  it("is by owner what the account may do with what it wrote itself", () => {
    const own = Object.fromEntries(sources.map((source) => [source, capabilities(itemOf(source, { isOwn: true }))]))
    assert.deepStrictEqual(own, {
      ig_comment: ["delete", "like"],
      ig_dm: [],
      fb_comment: ["delete", "like"],
      fb_dm: [],
      threads_reply: ["delete"],
      x_reply: ["delete"]
    })
  })

  it("turns round with the state, and what is so already needs no call", () => {
    const item = itemOf("fb_comment", { isHidden: true, isLiked: true })
    assert.deepStrictEqual(capabilities(item), ["reply", "reply_media", "unhide", "delete", "unlike", "private_reply"])
    assert.strictEqual(reasonOf("hide", item), "Done")
    assert.strictEqual(reasonOf("like", item), "Done")
    assert.strictEqual(reasonOf("unhide", itemOf("fb_comment")), "Done")
  })

  it("names why something is not possible", () => {
    const nested = { parentExternalId: Option.some("other reply") }
    const week = DateTime.add(noon, { days: 7 })
    assert.strictEqual(reasonOf("like", itemOf("threads_reply")), "not_supported")
    assert.strictEqual(reasonOf("hide", itemOf("ig_comment", { isOwn: true })), "own_item")
    assert.strictEqual(reasonOf("delete", itemOf("threads_reply")), "not_owner")
    assert.strictEqual(reasonOf("hide", itemOf("x_reply", { isOnOwnPost: false })), "not_owner")
    assert.strictEqual(reasonOf("hide", itemOf("threads_reply", nested)), "not_top_level")
    assert.strictEqual(reasonOf("unhide", itemOf("threads_reply", nested)), "not_top_level")
    assert.strictEqual(reasonOf("like", itemOf("x_reply")), "missing_scopes")
    assert.strictEqual(
      reasonOf("private_reply", itemOf("ig_comment", { privateRepliedAt: Option.some(noon) })),
      "already_replied"
    )
    assert.strictEqual(reasonOf("private_reply", itemOf("fb_comment"), accountOf("fb_comment"), week), "window_closed")
    const before = DateTime.subtract(week, { seconds: 1 })
    assert.strictEqual(reasonOf("private_reply", itemOf("fb_comment"), accountOf("fb_comment"), before), "Available")
  })

  it("leaves likes on Instagram to accounts that Facebook's login connected", () => {
    const item = itemOf("ig_comment")
    const account = accountOf("ig_comment", [])
    assert.include(capabilities(item, account), "like")
    assert.notInclude(capabilities(item, { ...account, login: Option.some("instagram") }), "like")
    assert.strictEqual(reasonOf("like", item, { ...account, login: Option.some("instagram") }), "not_supported")
  })

  it("is nothing while the account must be connected again", () => {
    for (const source of sources) {
      assert.deepStrictEqual(capabilities(itemOf(source), accountOf(source, [], "reauth_required")), [])
    }
  })

  it("says until when a direct message may be answered, and not of an own one or a comment", () => {
    const message = itemOf("ig_dm")
    const closesAt = DateTime.subtract(DateTime.add(noon, { hours: 24 }), { seconds: 60 })
    assert.deepStrictEqual(windowOf(message, noon), Option.some({ mode: "standard", closesAt }))
    assert.deepStrictEqual(windowOf(message, closesAt), Option.some({ mode: "closed", closesAt }))
    assert.deepStrictEqual(windowOf({ ...message, isOwn: true }, noon), Option.none())
    assert.deepStrictEqual(windowOf(itemOf("ig_comment"), noon), Option.none())
    assert.deepStrictEqual(capabilities(message, accountOf("ig_dm"), closesAt), [])
  })

  it("is each account's own, whatever was judged before of others of its network", () => {
    const item = itemOf("ig_comment")
    const [all, none] = [accountOf("ig_comment"), accountOf("ig_comment", ["instagram_basic"])]
    const other = { ...all, login: Option.some("instagram") }
    const firstOf = [all, none, other].map((account) => capabilities(item, account))
    assert.deepStrictEqual(
      [other, all, none].map((account) => capabilities(item, account)),
      [firstOf[2], firstOf[0], firstOf[1]]
    )
    assert.strictEqual(new Set(firstOf.map(String)).size, 3)
  })

  it("lists exactly what would be tried, and never an action together with its reverse", () => {
    const anyItem = fc
      .record({
        source: fc.constantFrom(...sources),
        isOwn: fc.boolean(),
        isHidden: fc.boolean(),
        isLiked: fc.boolean(),
        isOnOwnPost: fc.boolean(),
        isNested: fc.boolean(),
        isReplied: fc.boolean(),
        age_h: fc.integer({ min: 0, max: 400 }),
        permissions: fc.subarray(Object.values(granted).flat())
      })
      .map(({ age_h, isNested, isReplied, permissions, source, ...drawn }) => ({
        account: accountOf(source, permissions),
        item: itemOf(source, {
          ...drawn,
          receivedAt: DateTime.subtract(noon, { hours: age_h }),
          parentExternalId: Option.some(isNested ? "comment" : "post"),
          privateRepliedAt: isReplied ? Option.some(noon) : Option.none()
        })
      }))
    fc.assert(
      fc.property(anyItem, ({ account, item }) => {
        const listed = capabilities(item, account)
        for (const [action, reverse] of [
          ["hide", "unhide"],
          ["like", "unlike"]
        ] as const) {
          assert.isFalse(listed.includes(action) && listed.includes(reverse))
        }
        for (const action of listed) assert.strictEqual(reasonOf(action, item, account), "Available")
        if (item.isOwn) assert.notInclude(listed, "reply")
      })
    )
  })
})
