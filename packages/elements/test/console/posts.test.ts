import { assert, describe, it } from "@effect/vitest"
import { accountOf, emptyPost, postBody } from "../../src/console/posts/PostDraft.ts"

const draft = { ...emptyPost, text: "Hello", accountIds: ["acc_1", "acc_2"] }

describe("a post as it is written", () => {
  it("is published now, later or kept, with its file and accounts", () => {
    assert.deepStrictEqual(postBody(draft), {
      text: "Hello",
      media_ids: [],
      targets: [{ social_account_id: "acc_1" }, { social_account_id: "acc_2" }]
    })
    const later = postBody({ ...draft, when: "later", at: "2026-11-24T09:30", mediaId: "med_1" })
    assert.deepStrictEqual(later.media_ids, ["med_1"])
    assert.strictEqual(later.scheduled_at, new Date("2026-11-24T09:30").toISOString())
    assert.isNull(postBody({ ...draft, when: "later" }).scheduled_at)
    assert.strictEqual(postBody({ ...draft, when: "draft" }).status, "draft")
    assert.isNull(postBody(emptyPost).text)
  })

  it("tells whose fault a path is", () => {
    assert.strictEqual(accountOf("targets[1].text", draft), "acc_2")
    assert.isUndefined(accountOf("text", draft))
    assert.isUndefined(accountOf("targets[9]", draft))
  })
})
