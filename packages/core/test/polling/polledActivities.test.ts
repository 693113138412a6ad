import { testNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as fc from "fast-check"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { Edited, Posted } from "../../src/networks/InboundActivity.ts"
import { decideIngest } from "../../src/items/decideIngest.ts"
import type { ItemActivity } from "../../src/items/mergeActivity.ts"
import { keyOf, type LiveItem, type StoredItem } from "../../src/items/StoredItem.ts"
import { InboxItemId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { deleted, hidden, noon, posted } from "@loopbox/testing/fixtures/activities"

const account = new SocialAccount({
  id: SocialAccountId.make(`acc_${"0".repeat(26)}`),
  workspaceId: WorkspaceId.make(`ws_${"0".repeat(26)}`),
  network: "facebook",
  networkAccountId: "page",
  otherAccountId: Option.none(),
  name: "Page",
  username: Option.some("page"),
  avatarUrl: Option.none(),
  externalUserId: Option.none(),
  status: "connected",
  disconnectedAt: Option.none(),
  tokenExpiresAt: Option.none(),
  permissions: [],
  createdAt: noon
})

const source = "fb_comment" as const
const minutes = (count: number) => DateTime.add(noon, { minutes: count })

/** What somebody said of the item, and when it was so. */
interface Statement {
  readonly activity: ItemActivity
  readonly polledAt?: DateTime.Utc
}

const told = (activity: ItemActivity): Statement => ({ activity })
const polled = (at: number, activity: ItemActivity): Statement => ({ activity, polledAt: minutes(at) })

const makeStore = () => {
  const items = new Map<string, StoredItem>()
  const ingest = (...statements: ReadonlyArray<Statement>) => {
    const change = decideIngest(
      { networks: testNetworks, account, items, threads: new Map(), people: new Map(), posts: new Map() },
      statements.map(({ activity, polledAt }) => ({
        activity,
        newId: InboxItemId.make(`itm_${"0".repeat(26)}`),
        polledAt: Option.fromUndefinedOr(polledAt)
      })),
      minutes(10_000)
    )
    for (const [key, item] of change.items) items.set(key, item)
    return { events: change.events.map(({ _tag }) => _tag), changed: change.changed.size }
  }
  const item = (): LiveItem => {
    const found = items.get(keyOf({ source, externalId: "c1" }))
    return found?._tag === "LiveItem" ? found : assert.fail("no item")
  }
  return { ingest, item }
}

const comment = (body: string) => posted({ source, body })
const edit = (version: number, body: string) =>
  new Edited({ ...deleted({ source }), body, version, editedAt: minutes(version), whole: Option.none() })

/** How a comment's text went: its n-th text holds from the n-th moment on, and no text comes twice. */
const history = fc.record({
  moments: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 5 }).map((all) => all.sort((a, b) => a - b)),
  polls: fc.uniqueArray(fc.integer({ min: 1, max: 110 }), { minLength: 1, maxLength: 5 })
})

const textAt = (moments: ReadonlyArray<number>, at: number) => `text ${moments.filter((moment) => moment <= at).length}`

const arrivals = history.chain(({ moments, polls }) => {
  const statements = [
    { at: 0, statement: told(comment(textAt(moments, 0))) },
    ...moments.map((at) => ({ at, statement: told(edit(at, textAt(moments, at))) })),
    // A poll that begins in the moment of an edit may have missed it; it is not asked for here.
    ...polls
      .filter((at) => !moments.includes(at))
      .map((at) => ({ at, statement: polled(at, comment(textAt(moments, at))) }))
  ]
  return fc.shuffledSubarray([...statements, ...statements], { minLength: 1 })
})

describe("polled activities (social-networks.md §8)", () => {
  it("result in the newest text, if deliveries are lost, doubled or late", () => {
    fc.assert(
      fc.property(arrivals, (arrived) => {
        const store = makeStore()
        const isBorn = arrived.some(({ statement: { activity } }) => activity._tag === "Posted")
        for (const { statement } of arrived) store.ingest(statement)
        if (!isBorn) return
        const newest = arrived.reduce((a, b) => (b.at > a.at ? b : a)).statement.activity
        assert.strictEqual(store.item().body, newest instanceof Posted || newest instanceof Edited ? newest.body : "")
      }),
      { numRuns: 1_500 }
    )
  })

  it("determine the state after the newest poll, and change nothing when repeated", () => {
    const anything = fc.oneof(
      fc.integer({ min: 1, max: 50 }).map((at) => told(edit(at, `edit ${at % 3}`))),
      fc.tuple(fc.integer({ min: 1, max: 50 }), fc.boolean()).map(([at, is]) => told(hidden(at, is, { source }))),
      fc.tuple(fc.integer({ min: 1, max: 50 }), fc.boolean()).map(([at, is]) => polled(at, hidden(1, is, { source }))),
      fc.integer({ min: 1, max: 50 }).map((at) => polled(at, comment(`edit ${at % 3}`)))
    )
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), fc.boolean(), (before, isHidden) => {
        const store = makeStore()
        for (const statement of before) store.ingest(statement)
        const newest = [polled(60, comment("now")), polled(60, hidden(1, isHidden, { source }))]
        store.ingest(...newest)
        assert.deepStrictEqual([store.item().body, store.item().isHidden], ["now", isHidden])
        assert.deepStrictEqual(store.ingest(...newest), { events: [], changed: 0 })
        assert.deepStrictEqual(store.ingest(polled(70, comment("now")), polled(70, hidden(1, isHidden, { source }))), {
          events: [],
          changed: 0
        })
      }),
      { numRuns: 1_000 }
    )
  })

  it("is an edit, seen when the poll began, if it differs", () => {
    const store = makeStore()
    store.ingest(told(comment("first")))
    assert.deepStrictEqual(store.ingest(polled(5, comment("first"))), { events: [], changed: 0 })
    assert.deepStrictEqual(store.ingest(polled(7, comment("second"))).events, ["ItemUpdated"])
    assert.deepStrictEqual([store.item().body, store.item().editedAt], ["second", Option.some(minutes(7))])
  })

  it("gives way to the edit's own time when the webhook comes after all", () => {
    const store = makeStore()
    store.ingest(told(comment("first")), polled(7, comment("second")), told(edit(6, "second")))
    assert.deepStrictEqual([store.item().body, store.item().editedAt], ["second", Option.some(minutes(6))])
  })

  it("shows of an item that a poll brought whether it was edited, once the original comes", () => {
    const store = makeStore()
    store.ingest(polled(7, comment("second")))
    assert.deepStrictEqual(store.item().editedAt, Option.none())
    assert.deepStrictEqual(store.ingest(told(comment("first"))).events, ["ItemUpdated"])
    assert.deepStrictEqual([store.item().body, store.item().editedAt], ["second", Option.some(minutes(7))])
  })

  it("does not overwrite what a webhook brought since it began", () => {
    const store = makeStore()
    store.ingest(told(comment("first")), told(edit(9, "second")), told(hidden(9, true, { source })))
    assert.deepStrictEqual(store.ingest(polled(8, comment("first")), polled(8, hidden(1, false, { source }))), {
      events: [],
      changed: 0
    })
    assert.deepStrictEqual([store.item().body, store.item().isHidden], ["second", true])
  })

  it("makes nothing of an item that is not there and not hidden", () => {
    const store = makeStore()
    assert.deepStrictEqual(store.ingest(polled(8, hidden(1, false, { source }))), { events: [], changed: 0 })
  })

  it("leave a reply of ours its text where they show what was sent, in the network's form (judged 2)", () => {
    const store = makeStore()
    const sent = "Merci, Zo\u00e9!\nA demain"
    store.ingest(told(new Posted({ ...comment(sent), isOwn: true, operationTag: Option.some("op_1") })))
    assert.deepStrictEqual(store.ingest(polled(5, comment("Merci, Zoe\u0301! A demain "))).events, [])
    assert.deepStrictEqual([store.item().body, store.item().editedAt], [sent, Option.none()])
    assert.deepStrictEqual(store.ingest(polled(6, comment("Edited there"))).events, ["ItemUpdated"])
    assert.deepStrictEqual([store.item().body, store.item().editedAt], ["Edited there", Option.some(minutes(6))])
  })

  describe("that tell neither words nor a file of an item (networks 1)", () => {
    const silent = new Posted({ ...comment(""), attachments: [{ type: "unsupported", url: null }] })
    const told1 = told(comment("Hello"))
    const read = polled(5, comment("Hello"))
    for (const [how, statements] of Object.entries({
      "a poll after the words": [told1, polled(5, silent)],
      "a poll before the words": [polled(5, silent), told1],
      "a webhook after the words": [told1, told(silent)],
      "a webhook before the words": [told(silent), told1],
      "a webhook after a poll": [read, told(silent)],
      "a webhook before a poll": [told(silent), read],
      "polls before and after": [polled(4, silent), read, polled(6, silent)]
    })) {
      it(`take nothing away, and the words are no edit: ${how}`, () => {
        const store = makeStore()
        for (const statement of statements) store.ingest(statement)
        assert.deepStrictEqual([store.item().body, store.item().editedAt], ["Hello", Option.none()])
        store.ingest(polled(9, comment("Edited")))
        assert.deepStrictEqual([store.item().body, store.item().editedAt], ["Edited", Option.some(minutes(9))])
      })
    }

    it("take nothing from an edit before them that comes late", () => {
      const store = makeStore()
      store.ingest(polled(5, silent), told(edit(3, "Edited")))
      assert.deepStrictEqual([store.item().body, store.item().editedAt], ["Edited", Option.some(minutes(3))])
    })

    it("are told apart from words that gave way to a picture", () => {
      const store = makeStore()
      const picture = { type: "image", url: "https://example.com/1" } as const
      store.ingest(told1, polled(5, new Posted({ ...comment(""), attachments: [picture] })))
      assert.deepStrictEqual([store.item().body, store.item().attachments], ["", [picture]])
    })
  })

  it("counts on X by the number of edits alone, on every path", () => {
    const store = makeStore()
    const post = (version: number) => posted({ source: "x_reply", version, body: `version ${version}` })
    store.ingest(told(post(2)))
    assert.deepStrictEqual(store.ingest(polled(900, post(1))), { events: [], changed: 0 })
    assert.deepStrictEqual(store.ingest(polled(1, post(3))).events, ["ItemUpdated"])
  })
})
