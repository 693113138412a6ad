import { testNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as fc from "fast-check"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { Edited, HiddenChanged, Posted, type Summons, summons } from "../../src/networks/InboundActivity.ts"
import { decideIngest, type IngestFacts } from "../../src/items/decideIngest.ts"
import type { ItemActivity } from "../../src/items/mergeActivity.ts"
import type { StoredItem } from "../../src/items/StoredItem.ts"
import type { WorkState } from "../../src/items/Thread.ts"
import { InboxItemId, SocialAccountId, toBase32, WorkspaceId } from "../../src/kernel/Ids.ts"
import { deleted, edited, hidden, noon, posted } from "@loopbox/testing/fixtures/activities"

const account = new SocialAccount({
  id: SocialAccountId.make(`acc_${"0".repeat(26)}`),
  workspaceId: WorkspaceId.make(`ws_${"0".repeat(26)}`),
  network: "x",
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

const idOf = (place: number) =>
  InboxItemId.make(`itm_${toBase32(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, place >> 8, place & 255))}`)

/** A store of one account, as simple as it can be: each call is one transaction. */
const makeStore = (threads: ReadonlyArray<readonly [string, WorkState]> = []) => {
  const items = new Map<string, StoredItem>()
  const facts: IngestFacts = {
    networks: testNetworks,
    account,
    items,
    threads: new Map(threads),
    people: new Map(),
    posts: new Map()
  }
  const states = new Map(threads)
  const unread = new Map<string, number>()
  let ids = 0
  return {
    items,
    unread,
    ingest: (...activities: ReadonlyArray<ItemActivity>) => {
      const change = decideIngest(
        { ...facts, threads: states },
        activities.map((activity) => ({ activity, newId: idOf(ids++), polledAt: Option.none() })),
        noon
      )
      for (const [key, item] of change.items) items.set(key, item)
      for (const [key, { state }] of change.threads) states.set(key, state)
      for (const [source, delta] of change.unread) unread.set(source, (unread.get(source) ?? 0) + delta)
      return change.events
    }
  }
}

const tags = (events: ReadonlyArray<{ readonly _tag: string }>) => events.map(({ _tag }) => _tag)

/** All of it but the ids that the first arrival happened to get. */
const finalState = (store: ReturnType<typeof makeStore>) =>
  JSON.stringify({
    items: Array.from(store.items)
      .map(([key, item]) => [key, "id" in item ? { ...item, id: null } : item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    unread: Array.from(store.unread).filter(([, count]) => count !== 0)
  })

/** What two deliveries of one version may say differently: the network lost or contradicts itself. */
const anyAside = fc.record({
  summons: fc.option(fc.constantFrom(...summons), { nil: undefined }),
  attachments: fc.constantFrom(
    [],
    [{ type: "image" as const, url: null }],
    [{ type: "image" as const, url: "https://example.com/1" }],
    [
      { type: "image" as const, url: "https://example.com/1" },
      { type: "video" as const, url: null }
    ]
  ),
  isStandby: fc.boolean(),
  wording: fc.constantFrom("", " (another wording)"),
  isSilent: fc.boolean()
})

const names = ["a", "b"] as const
const source = "x_reply" as const
const textOf = (name: string, version: number) => `${name}, version ${version}`

const anyPosted = fc
  .record({
    externalId: fc.constantFrom(...names),
    version: fc.nat(3),
    isNamed: fc.boolean(),
    isOwn: fc.boolean(),
    aside: anyAside
  })
  .map(
    ({ aside: { attachments, isSilent, isStandby, summons, wording }, externalId, isNamed, isOwn, version }) =>
      new Posted({
        ...posted({
          source,
          externalId,
          version,
          isOwn,
          threadKey: `root of ${externalId}`,
          body: isSilent ? "" : `${textOf(externalId, version)}${wording}`,
          replyTargetId: version === 0 ? externalId : `${externalId}${version}`,
          author: { name: isNamed ? Option.some("Ann") : Option.none(), username: Option.none() }
        }),
        attachments: isSilent ? [] : attachments,
        isStandby,
        summons: Option.fromUndefinedOr(summons)
      })
  )

const anyActivity: fc.Arbitrary<ItemActivity> = fc.oneof(
  { weight: 4, arbitrary: anyPosted },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 4 }), fc.nat(2)).map(
      ([externalId, version, minutes]) =>
        new Edited({
          ...edited(version, textOf(externalId, version), { source, externalId }),
          editedAt: DateTime.add(noon, { minutes })
        })
    )
  },
  {
    weight: 1,
    arbitrary: anyPosted
      .filter(({ version }) => version > 0)
      .map((whole) => edited(whole.version, whole.body, { source, externalId: whole.externalId, whole }))
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.nat(2)).map(
      ([externalId, version, isHidden, minutes]) =>
        new HiddenChanged({
          ...hidden(version, isHidden, { source, externalId }),
          asOf: DateTime.add(noon, { minutes })
        })
    )
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("b", "a1", "a3", "b2").map((externalId) => deleted({ source, externalId }))
  }
)

describe("decideIngest (design §4)", () => {
  it("has the same result in any order and with any repetition of activities", () => {
    const arrivals = fc
      .array(anyActivity, { minLength: 1, maxLength: 8 })
      .chain((activities) =>
        fc.tuple(
          fc.constant(activities),
          fc.shuffledSubarray([...activities, ...activities], { minLength: activities.length * 2 }),
          fc.boolean()
        )
      )
    fc.assert(
      fc.property(arrivals, ([activities, shuffled, inOneGo]) => {
        const straight = makeStore()
        for (const activity of activities) straight.ingest(activity)
        const other = makeStore()
        if (inOneGo) other.ingest(...shuffled)
        else for (const activity of shuffled) other.ingest(activity)
        assert.strictEqual(finalState(other), finalState(straight))
      }),
      { numRuns: 1_500 }
    )
  })

  it("does not change for an edit of version 0, whenever it comes", () => {
    const arrivals = fc.tuple(
      fc.array(anyActivity, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...names), fc.constantFrom("", "zz", textOf("a", 0))), {
        minLength: 1,
        maxLength: 4
      })
    )
    fc.assert(
      fc.property(arrivals, ([activities, nones]) => {
        const straight = makeStore()
        for (const activity of activities) straight.ingest(activity)
        const other = makeStore()
        const mixed: Array<ItemActivity> = [...activities]
        for (const [place, externalId, body] of nones) mixed.splice(place, 0, edited(0, body, { source, externalId }))
        for (const activity of mixed) other.ingest(activity)
        assert.strictEqual(finalState(other), finalState(straight))
        const before = other.ingest(...nones.map(([, externalId, body]) => edited(0, body, { source, externalId })))
        assert.deepStrictEqual(before, [])
      }),
      { numRuns: 1_000 }
    )
  })

  it("counts visible unread items, and has one event for each item's creation and deletion", () => {
    fc.assert(
      fc.property(fc.array(anyActivity, { maxLength: 12 }), (activities) => {
        const store = makeStore()
        const events = activities.flatMap((activity) => store.ingest(activity))
        const live = Array.from(store.items.values()).filter((item) => item._tag === "LiveItem")
        const unread = live.filter(({ isOwn, isRead }) => !isOwn && !isRead).length
        assert.strictEqual(store.unread.get(source) ?? 0, unread)
        const born = events.flatMap((event) => (event._tag === "NewItem" ? [event.item.externalId] : []))
        assert.strictEqual(new Set(born).size, born.length)
        const ended = events.filter(({ _tag }) => _tag === "ItemDeleted").length
        assert.strictEqual(born.length - ended, live.length)
        assert.isTrue(live.every(({ isOwn, isRead }) => !isOwn || isRead))
      }),
      { numRuns: 1_000 }
    )
  })

  it("keeps the best that any delivery said of whether the author asked for an answer", () => {
    const as = (said: Summons, version = 0) =>
      new Posted({ ...posted({ source, externalId: "a", version }), summons: Option.some(said) })
    const after = (...activities: ReadonlyArray<Posted>) => {
      const store = makeStore()
      store.ingest(...activities)
      const item = store.items.get("x_reply a")
      return item?._tag === "LiveItem" ? Option.getOrNull(item.summons) : undefined
    }
    assert.strictEqual(after(as("unknown"), as("yes")), "yes")
    assert.strictEqual(after(as("yes"), as("no")), "yes")
    assert.strictEqual(after(as("no"), as("unknown")), "unknown")
    assert.strictEqual(after(as("no", 1), as("yes")), "yes")
    assert.strictEqual(after(as("no"), posted({ source, externalId: "a" })), "no")
  })

  it("keeps the first of two URLs of the same file", () => {
    const withUrl = (url: string) => new Posted({ ...posted(), attachments: [{ type: "image", url }] })
    const store = makeStore()
    store.ingest(withUrl("https://example.com/signed-on-monday"))
    assert.deepStrictEqual(store.ingest(withUrl("https://example.com/signed-on-tuesday")), [])
  })

  it("makes one item and one event of the same comment twice", () => {
    const store = makeStore()
    assert.deepStrictEqual(tags(store.ingest(posted(), posted())), ["NewItem"])
    assert.deepStrictEqual(store.ingest(posted()), [])
  })

  it("keeps an edit that comes first for the item, and shows nothing of it before", () => {
    const store = makeStore()
    assert.deepStrictEqual(store.ingest(edited(2, "second"), edited(1, "first")), [])
    const [event] = store.ingest(posted({ body: "original" }))
    assert.isTrue(event?._tag === "NewItem" && event.item.body === "second")
  })

  it("creates the item from an edit that carries it whole, and lets the original change nothing", () => {
    const store = makeStore()
    const whole = posted({ version: 5, body: "edited" })
    assert.deepStrictEqual(tags(store.ingest(edited(5, "edited", { whole }))), ["NewItem"])
    assert.deepStrictEqual(store.ingest(posted({ body: "original" })), [])
  })

  it("never shows what was deleted before it came", () => {
    const store = makeStore()
    assert.deepStrictEqual(store.ingest(deleted(), posted(), edited(1, "again")), [])
  })

  it("never shows, even for a moment, what was deleted by the id of a later edit", () => {
    const store = makeStore()
    store.ingest(deleted({ source, externalId: "a1" }))
    const late = posted({ source, externalId: "a", replyTargetId: "a1", version: 1 })
    assert.deepStrictEqual(store.ingest(late), [])
    assert.deepStrictEqual(store.ingest(posted({ source, externalId: "a" })), [])
  })

  it("deletes an item by the id of any of its edits", () => {
    const store = makeStore()
    const edits = [1, 2].map((version) => posted({ source, externalId: "a", replyTargetId: `a${version}`, version }))
    store.ingest(...edits)
    assert.deepStrictEqual(tags(store.ingest(deleted({ source, externalId: "a1" }))), ["ItemDeleted"])
  })

  it("reopens a resolved thread for a new message of another person, and clears the assignee", () => {
    const resolved: WorkState = { status: "resolved", assignedTo: Option.some("eve"), snoozedUntil: Option.none() }
    const store = makeStore([["ig_comment c1", resolved]])
    const events = store.ingest(posted())
    assert.deepStrictEqual(tags(events), ["NewItem", "ThreadUpdated"])
    const [born, moved] = events
    assert.isTrue(born?._tag === "NewItem" && born.item.thread.status === "open")
    assert.isTrue(moved?._tag === "ThreadUpdated" && moved.status === "open" && Option.isNone(moved.assignedTo))
  })

  it("leaves a resolved thread resolved for what the account wrote, for edits and for repetitions", () => {
    const resolved: WorkState = { status: "resolved", assignedTo: Option.none(), snoozedUntil: Option.none() }
    const store = makeStore([["ig_comment c1", resolved]])
    assert.deepStrictEqual(tags(store.ingest(posted({ isOwn: true }))), ["NewItem"])
    assert.deepStrictEqual(tags(store.ingest(edited(1, "edited"), posted({ isOwn: true }))), ["ItemUpdated"])
  })

  it("leaves an assigned thread with whom it was given to", () => {
    const store = makeStore([
      ["ig_comment c1", { status: "assigned", assignedTo: Option.some("eve"), snoozedUntil: Option.none() }]
    ])
    assert.deepStrictEqual(tags(store.ingest(posted())), ["NewItem"])
  })

  it("reads an item, and takes it from the count, when it turns out to be the account's own", () => {
    const store = makeStore()
    store.ingest(posted({ author: { id: Option.none() } }))
    assert.strictEqual(store.unread.get("ig_comment"), 1)
    assert.deepStrictEqual(tags(store.ingest(posted({ isOwn: true }))), ["ItemUpdated"])
    assert.strictEqual(store.unread.get("ig_comment"), 0)
  })

  it("keeps the author of a comment that the page hides", () => {
    const store = makeStore()
    store.ingest(posted(), hidden(3, true))
    const [event] = store.ingest(hidden(4, false))
    assert.isTrue(event?._tag === "ItemUpdated" && !event.item.isHidden && Option.contains(event.item.authorId, "ann"))
    assert.deepStrictEqual(store.ingest(hidden(3, true)), [])
  })
})
