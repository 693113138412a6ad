import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import {
  judgeCounts,
  judgeInbox,
  judgeIsolation,
  judgeItems,
  judgeJobs,
  judgeLog,
  judgeReceived,
  judgeSent
} from "./support/soak/judges.ts"

/** A fault that is planted into what was well is found, and what is well is not complained of. */
const finds = (well: ReadonlyArray<string>, ...planted: ReadonlyArray<readonly [ReadonlyArray<string>, string]>) => {
  assert.deepStrictEqual(well, [])
  for (const [complaints, sentence] of planted) assert.include(complaints.join("\n"), sentence)
}

describe("what a soak is judged by", () => {
  it("misses no event of a socket", () => {
    const log = [11, 12, 13, 14, 15]
    const told = (seqs: ReadonlyArray<number>, resyncs: ReadonlyArray<number> = []) =>
      judgeLog(log, { name: "socket", after: 12, events: seqs.map((seq) => ({ seq })), resyncs })
    finds(
      [...told([13, 14, 15]), ...told([13, 15], [1]), ...told([13], [1]), ...told([13, 14, 13, 14, 15], [2])],
      [told([13, 15]), "15 came where 14 is next"],
      [told([14, 15]), "14 came where 13 is next"],
      [told([13, 14]), "nothing came from 15 to 15"],
      [told([13, 14, 14, 15]), "14 came where 15 is next"],
      [told([14, 13, 15]), "14 came where 13 is next"],
      [told([13, 14, 15, 16]), "16 came where nothing is next"],
      [told([]), "nothing came from 13 to 15"]
    )
  })

  it("sees what was sent twice, not at all, or by nobody's order", () => {
    const one = (status: string) => ({ what: "reply-1", account: "7", text: "Answer 1.", files: 0, status })
    const sent = { account: "7", text: "@ann Answer 1.", files: 0 }
    const other = { account: "7", text: "Answer 11.", files: 0 }
    finds(
      [
        ...judgeSent([one("completed"), { ...one("completed"), text: "Answer 11." }], [sent, other]),
        ...judgeSent([one("rejected")], []),
        ...judgeSent([one("needs_reconciliation")], []),
        ...judgeSent([one("needs_reconciliation")], [sent])
      ],
      [judgeSent([one("completed")], [sent, sent]), "reply-1 was sent 2 times"],
      [judgeSent([one("needs_reconciliation")], [sent, sent]), "reply-1 was sent 2 times"],
      [judgeSent([one("completed")], []), "reply-1 is completed, and is not there"],
      [judgeSent([one("completed")], [{ ...sent, account: "8" }]), "reply-1 is completed, and is not there"],
      [judgeSent([one("failed")], [sent]), "reply-1 is failed, and is there"],
      [judgeSent([one("sending")], [sent]), "reply-1 has not ended: sending"],
      [judgeSent([one("completed")], [sent, other]), 'nobody asked for "Answer 11." at 7'],
      [judgeSent([one("completed")], [{ ...sent, files: 1 }]), "reply-1 shows 1 files of 0"]
    )
  })

  it("sees a job that did not end, failed for nothing, or gave what another gave", () => {
    const job = (id: string, status = "succeeded", accepted_ms = 0) => ({
      id,
      status,
      accepted_ms,
      output_media_id: `output of ${id}`,
      attempts: 1,
      error: null
    })
    const excuses = [{ from_ms: 100_000, to_ms: 110_000 }]
    finds(
      judgeJobs([job("one"), job("other", "failed", 105_000), job("third", "failed", 101_000)], excuses),
      [judgeJobs([job("one", "processing", 105_000)], excuses), "job one is processing"],
      [judgeJobs([job("one", "failed", 120_000)], excuses), "job one is failed"],
      [judgeJobs([job("one", "failed", 60_000)], excuses), "job one is failed"],
      [judgeJobs([job("one"), job("one")], excuses), "job one stands for two keys"],
      [judgeJobs([job("one"), { ...job("other"), output_media_id: "output of one" }], excuses), "two jobs gave"]
    )
  })

  it("sees what the inbox lacks, has twice, has still, or reads as it was", () => {
    const written = { history: ["1", "2"], text: "Edited", state: "there" } as const
    const [deleted, untold, unlisted, unheard] = [
      { ...written, state: "deleted" },
      { ...written, state: "untold" },
      { ...written, state: "unlisted" },
      { ...written, state: "unheard" }
    ] as const
    const none = new Set<string>()
    const item = (external_id: string, body = "Edited") => ({ external_id, body })
    finds(
      [
        ...judgeItems([written], [item("1")], none),
        ...judgeItems([deleted], [], none),
        ...judgeItems([untold], [item("1")], none),
        ...judgeItems([untold], [], new Set(["1"])),
        ...judgeItems([unlisted], [item("1")], none),
        ...judgeItems([unheard], [], none),
        ...judgeItems([unheard], [item("1", "Before")], none),
        ...judgeItems([unheard], [], new Set(["1"]))
      ],
      [judgeItems([written], [], none), "is not listed"],
      [judgeItems([written], [], new Set(["1"])), "is not listed"],
      [judgeItems([untold], [], none), "is not listed"],
      [judgeItems([unlisted], [], none), "is not listed"],
      [judgeItems([unlisted], [], new Set(["1"])), "was told as deleted, of which nothing was a proof"],
      [judgeItems([written], [item("1")], new Set(["1"])), "was told as deleted, of which nothing was a proof"],
      [judgeItems([written], [item("1"), item("2")], none), "is listed 2 times"],
      [judgeItems([written], [item("1", "Before")], none), 'reads "Before"'],
      [judgeItems([deleted], [item("1")], none), "is listed, and was deleted"],
      [judgeItems([written], [item("1"), item("3")], none), "nobody wrote 3"]
    )
  })

  it("counts for itself", () => {
    const item = (is_read: boolean, is_own = false) => ({ thread_id: "t", is_read, is_own })
    const items = [item(true), item(false), item(false), item(false, true)]
    const thread = { id: "t", item_count: 4, unread_count: 2 }
    finds(
      judgeCounts(items, 2, [thread]),
      [judgeCounts(items, 3, [thread]), "3 are said to be unread, and 2 are"],
      [judgeCounts(items, 2, [{ ...thread, item_count: 3 }]), "it has 4 items, 2 unread"],
      [judgeCounts(items, 2, [{ ...thread, unread_count: 1 }]), "it has 4 items, 2 unread"],
      [judgeCounts(items, 2, []), "thread t is said to have undefined"],
      [judgeCounts(items, 2, [thread, { ...thread, id: "u" }]), "thread u is listed without an item"]
    )
  })

  it("sees a client whose inbox is another one than the list", () => {
    const item = {
      id: "itm_1",
      workspace_id: "ws_1",
      external_user_id: null,
      source: "fb_comment",
      social_account_id: "acc_1",
      account: { id: "acc_1", network: "facebook", name: "Shop", avatar_url: null },
      external_id: "1",
      parent_external_id: null,
      linked_post_id: null,
      thread_id: "thr_1",
      thread_key: "1",
      thread_status: "open",
      assigned_to: null,
      author_id: null,
      author_name: "Ann",
      author_avatar_url: null,
      body: "Hi",
      attachments: [],
      url: null,
      is_read: false,
      is_own: false,
      is_hidden: false,
      is_liked: false,
      private_replied_at: null,
      capabilities: [],
      reply_window: null,
      post_id: null,
      received_at: "2026-11-24T07:00:00.000Z",
      created_at: "2026-11-24T07:00:00.000Z",
      edited_at: null
    } as const
    const place = { workspace_id: "ws_1", external_user_id: null, at: "2026-11-24T07:00:00.000Z" }
    const born: EventBody = { seq: 1, type: "inbox.new_item", ...place, item }
    const read: EventBody = { seq: 2, type: "inbox.items_read", ...place, up_to_seq: 1, marked: 1 }
    const mine = new Set(["acc_1"])
    const deleted: EventBody = { seq: 3, type: "inbox.item_deleted", ...place, item_id: "itm_1" }
    finds(
      judgeIsolation("socket", "ws_1", mine, [born, read, deleted]),
      [judgeIsolation("socket", "ws_2", mine, [read]), "socket: 2 tells of another's ws_1"],
      [judgeIsolation("socket", "ws_1", new Set(), [born]), "socket: 1 tells of another's acc_1, ws_1"]
    )
    finds(
      judgeInbox([born, read], [{ ...item, is_read: true }]),
      [judgeInbox([born], [{ ...item, is_read: true }]), "is told as Hi, unread, open, nobody, and listed as Hi, read"],
      [judgeInbox([born], []), "listed as nothing"],
      [judgeInbox([], [item]), "told as nothing"],
      [judgeInbox([born], [{ ...item, assigned_to: "kim" }]), "listed as Hi, unread, open, kim"]
    )
  })

  it("sees a webhook that never came, came under two names, out of order, or for nobody", () => {
    const came = (...seqs: ReadonlyArray<number>) => seqs.map((seq) => ({ seq, id: `e.${seq}` }))
    const wanted = [3, 4, 6]
    finds(
      [
        ...judgeReceived("one", wanted, came(4, 3, 3, 6), false),
        ...judgeReceived("one", wanted, came(3, 3, 4, 6, 7), true),
        ...judgeReceived("one", wanted, came(3, 4, 3, 4, 6), true)
      ],
      [judgeReceived("one", wanted, came(3, 6), false), "one never got 4"],
      [judgeReceived("one", wanted, came(3, 5, 4, 6), false), "one got 5, which is none of its"],
      [judgeReceived("one", wanted, [...came(3, 4, 6), { seq: 3, id: "other" }], false), "3 events under 4 names"],
      [judgeReceived("one", wanted, came(3, 6, 4), true), "one got 4 after 6"]
    )
  })
})
