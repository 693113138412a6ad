import { assert, describe, it } from "@effect/vitest"
import {
  accountOf,
  changeBody,
  draftOf,
  emptyPost,
  localTime,
  postBody,
  withOwn
} from "../../src/console/posts/PostDraft.ts"

const draft = { ...emptyPost, text: "Hello", accountIds: ["acc_1", "acc_2"] }

describe("a post as it is written", () => {
  it("is published now, later or kept, with its file and accounts", () => {
    assert.deepStrictEqual(postBody(draft), {
      text: "Hello",
      media_ids: [],
      targets: [{ social_account_id: "acc_1" }, { social_account_id: "acc_2" }]
    })
    const later = postBody({ ...draft, when: "later", at: "2026-11-24T09:30", mediaIds: ["med_1"] })
    assert.deepStrictEqual(later.media_ids, ["med_1"])
    assert.strictEqual(later.scheduled_at, new Date("2026-11-24T09:30").toISOString())
    assert.isNull(postBody({ ...draft, when: "later" }).scheduled_at)
    assert.strictEqual(postBody({ ...draft, when: "draft" }).status, "draft")
    assert.isNull(postBody(emptyPost).text)
  })

  it("is another one for an account that has its own text or a first comment", () => {
    const own = withOwn(withOwn(draft, "acc_2", { text: "For you" }), "acc_2", { firstComment: "More soon" })
    assert.deepStrictEqual(postBody(own).targets, [
      { social_account_id: "acc_1" },
      { social_account_id: "acc_2", text: "For you", first_comment: "More soon" }
    ])
    assert.deepStrictEqual(postBody(withOwn(own, "acc_2", { text: null, firstComment: " " })).targets[1], {
      social_account_id: "acc_2"
    })
  })

  it("that was kept is changed without losing what this page does not show", () => {
    const target = {
      id: "ptg_1",
      social_account_id: "acc_1",
      network: "instagram",
      status: "pending" as const,
      text: null,
      media_ids: ["med_2"],
      first_comment: "First",
      options: { kind: "reel" },
      external_id: null,
      url: null,
      attempts: 0,
      error: null,
      published_at: null
    }
    const kept = draftOf({
      id: "pst_1",
      status: "draft",
      text: "Kept",
      media_ids: ["med_1"],
      scheduled_at: null,
      published_at: null,
      warnings: [],
      targets: [target],
      created_at: "2026-11-21T07:00:00.000Z",
      updated_at: "2026-11-21T07:00:00.000Z"
    })
    assert.strictEqual(kept.changes, "pst_1")
    assert.strictEqual(kept.when, "draft")
    assert.deepStrictEqual(changeBody({ ...kept, text: "Changed" }), {
      text: "Changed",
      media_ids: ["med_1"],
      targets: [
        { social_account_id: "acc_1", media_ids: ["med_2"], first_comment: "First", options: { kind: "reel" } }
      ],
      scheduled_at: null
    })
  })

  it("keeps its time over the way into a field and back", () => {
    const moment = "2026-11-24T09:30:00.000Z"
    assert.strictEqual(changeBody({ ...draft, when: "later", at: localTime(moment) }).scheduled_at, moment)
  })

  it("tells whose fault a path is", () => {
    assert.strictEqual(accountOf("targets[1].text", draft), "acc_2")
    assert.isUndefined(accountOf("text", draft))
    assert.isUndefined(accountOf("targets[9]", draft))
  })
})
