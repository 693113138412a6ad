import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { makeIsShaped, makeIsShapedInPlace } from "../../src/rows/isShaped.ts"
import { ListedRow, toListedRow } from "../../src/rows/ListedRow.ts"
import { ListedThreadRow, toListedThreadRow } from "../../src/rows/ListedThreadRow.ts"

const moment = new Date("2026-01-01T00:00:00Z")

const item = {
  workspace_id: "ws_00000000000000000000000001",
  account_id: "acc_00000000000000000000000001",
  source: "ig_comment",
  external_id: "1",
  id: "itm_00000000000000000000000001",
  thread_key: "1",
  is_read: false,
  is_own: false,
  is_hidden: false,
  received_at: moment,
  created_at: moment,
  edited_at: null,
  parent_external_id: null,
  linked_post_id: "2",
  author_id: null,
  author_name: "ann",
  author_avatar_url: null,
  body: "Is it still there?",
  attachments: [{ type: "image", url: null }],
  url: null,
  is_liked: null,
  private_replied_at: null,
  is_on_own_post: true,
  post_id: null,
  summons: null,
  thread_status: "open",
  assignee: "",
  newest_inbound_at: null,
  network: "instagram",
  network_account_id: "3",
  account_name: "Acme",
  username: null,
  avatar_url: null,
  external_user_id: "customer",
  account_status: "connected",
  login: null,
  permissions: ["read"],
  is_end: false,
  is_match: true
}
const thread = {
  ...item,
  snoozed_until: null,
  labels: ["Urgent"],
  item_count: 2,
  unread_count: 1,
  thread_created_at: moment,
  people: [{ authorId: null, authorName: "ann", authorAvatarUrl: null }]
}

/** What no column of a list has. */
const strange = [undefined, 1n, Symbol("a"), { a: 1 }, [1], [{ type: "image" }], [{ type: "none", url: null }], "none"]

describe("the shapes of rows", () => {
  for (const [name, schema, row, toNamed] of [
    ["an item", ListedRow, item, toListedRow],
    ["a thread", ListedThreadRow, thread, toListedThreadRow]
  ] as const) {
    const isShaped = makeIsShaped(schema)
    const decode = Schema.decodeUnknownExit(schema, { disableChecks: true })

    it(`are known of ${name} without decoding it`, () => {
      assert.isTrue(isShaped(row))
      assert.deepStrictEqual<unknown>(decode(row), Exit.succeed(row))
    })

    it(`are wrong of ${name} wherever the schema says so`, () => {
      for (const column of Object.keys(row)) {
        for (const value of [...strange, null, "text", 1, true, moment]) {
          const altered = { ...row, [column]: value }
          if (isShaped(altered))
            assert.deepStrictEqual<unknown>(decode(altered), Exit.succeed(altered), `${column} ${String(value)}`)
        }
        const without = Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))
        assert.isFalse(isShaped(without), `without ${column}`)
      }
    })

    it(`are judged of ${name} before its values have names as they are after it`, () => {
      const judge = makeIsShapedInPlace(schema, toNamed)
      const isShapedInPlace = (...rows: ReadonlyArray<ReadonlyArray<unknown>>) => judge(rows, rows.map(toNamed))
      const names = Object.keys(toNamed([]))
      const values = new Map<string, unknown>(Object.entries(row))
      const whole = names.map((column) => values.get(column))
      assert.isTrue(isShapedInPlace(whole, whole))
      for (const [place, column] of names.entries()) {
        for (const value of [...strange, null, "text", 1, true, moment]) {
          const altered = whole.with(place, value)
          const isShapedByName = isShaped(toNamed(altered))
          assert.strictEqual(isShapedInPlace(whole, altered), isShapedByName, `${column} ${String(value)}`)
        }
      }
      assert.isFalse(isShapedInPlace(whole.slice(0, -1)), "without the last value")
    })

    it(`are not known of ${name} where a column has no name`, () => {
      const isShapedInPlace = makeIsShapedInPlace(schema, (of) => ({ ...toNamed(of), body: undefined }))
      assert.isFalse(isShapedInPlace([], []))
    })
  }

  it("are not known of rows that are decoded to others", () => {
    const isShapedInPlace = makeIsShapedInPlace(Schema.Struct({ at: Schema.DateTimeUtcFromString }), ([at]) => ({ at }))
    assert.isFalse(isShapedInPlace([["2026-01-01T00:00:00Z"]], [{ at: "2026-01-01T00:00:00Z" }]))
  })
})
