import { assert, describe, it } from "@effect/vitest"
import { afterOf, prettyBody } from "../../src/console/webhooks/deliveryText.ts"
import { bodyOf, emptyDraft } from "../../src/console/webhooks/WebhooksStore.ts"

describe("an address for webhooks as it is typed", () => {
  it("names types however they are separated, and all by naming none", () => {
    const draft = { ...emptyDraft, url: " https://app.example/hook ", events: "inbox.*,  post.published\npost.failed," }
    assert.deepStrictEqual(bodyOf(draft), {
      url: "https://app.example/hook",
      events: ["inbox.*", "post.published", "post.failed"],
      description: null,
      is_ordered: false
    })
    assert.isNull(bodyOf({ ...draft, events: " , " }).events)
  })

  it("a body is shown in lines where it is JSON, and as it came where not", () => {
    assert.strictEqual(prettyBody('{"a":1}'), '{\n  "a": 1\n}')
    assert.strictEqual(prettyBody("<html>"), "<html>")
  })

  it("everything kept is replayed where no event is named, and nothing for what is no number", () => {
    assert.strictEqual(afterOf(" "), 0)
    assert.strictEqual(afterOf(" 41 "), 41)
    for (const typed of ["-1", "1.5", "abc", "1".repeat(16)]) assert.isUndefined(afterOf(typed), typed)
  })
})
