import { assert, describe, it } from "vitest"
import { PackedThreads } from "../../src/inbox/PackedThreads.ts"
import type { Thread } from "../../src/inbox/records.ts"
import { itemOf, threadOf } from "./threads.ts"

const byId = (threads: ReadonlyArray<Thread>) => threads.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** As the API would have told them. */
const unpacked = (threads: ReadonlyArray<Thread>) => {
  const copies: ReadonlyArray<Thread> = JSON.parse(JSON.stringify(threads))
  assert.deepStrictEqual(byId(new PackedThreads(threads).unpack()), byId(copies))
}

describe("packed conversations", () => {
  it("say the same as before, of several accounts, and whatever they have in common", () => {
    const other = { id: "sa_2", network: "instagram", name: "Other", avatar_url: "https://a.example/b.png" }
    unpacked([
      threadOf("thr_1", 1),
      threadOf("thr_2", 2, {
        labels: ["VIP"],
        unread_count: 3,
        last_inbound_at: null,
        reply_window: { mode: "closed", closes_at: "2026-11-23T10:00:00.000Z" }
      }),
      threadOf("thr_3", 3, { account: other, social_account_id: other.id, last_item: itemOf({ account: other }) }),
      threadOf("thr_4", 4, {
        last_item: itemOf({ thread_id: "thr_other", body: '" \\ 👩‍👩‍👧 \u2028 \uD800', capabilities: [] })
      }),
      threadOf("thr_5", 5, { participants: [{ author_id: null, author_name: "Ada", author_avatar_url: null }] }),
      // The account is called otherwise by now, and its older conversations were not read again.
      threadOf("thr_6", 6, { account: { id: "sa_1", network: "facebook", name: "Renamed", avatar_url: null } })
    ])
  })

  it("of a host that knows more or less than this package have its members and no others", () => {
    const { linked_post_id: _none, ...older } = threadOf("thr_1", 1)
    const newer = { ...threadOf("thr_2", 2), mood: { score: 3 } }
    const threads: ReadonlyArray<Thread> = JSON.parse(JSON.stringify([newer, older, threadOf("thr_3", 3)]))
    unpacked(threads)
    unpacked(threads.toReversed())
    unpacked([
      threadOf("thr_1", 1, { linked_post_id: "p" }),
      Object.assign(threadOf("thr_2", 2), { linked_post_id: undefined })
    ])
  })

  it("are read once everything was", () => {
    const packed = new PackedThreads([threadOf("thr_1", 1, { unread_count: 2 }), threadOf("thr_2", 2)])
    packed.markRead()
    assert.deepStrictEqual(
      packed.unpack().map(({ unread_count }) => unread_count),
      [0, 0]
    )
  })
})
