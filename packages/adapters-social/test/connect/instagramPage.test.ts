import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { graphError, kind } from "../meta/graph.ts"
import { facebook, page } from "./facebookAnswers.ts"
import { accountOf, answering, exchange, loginOf, shown } from "./support.ts"

describe("Instagram by Facebook's login", () => {
  const account = { id: "1784", username: "acme", name: "Acme", profile_picture_url: "https://cdn.example/a.jpg" }

  it.live("offers the accounts that are linked to Pages, and says which Page has none", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* facebook(
        {
          "me/accounts": {
            body: {
              data: [
                page("1001", { instagram_business_account: account }),
                page("1002"),
                page("1003", { instagram_business_account: { id: "1785" }, tasks: ["ANALYZE"] })
              ]
            }
          }
        },
        {},
        "instagram"
      )
      assert.isTrue(connect.alwaysChooses)
      const candidates = yield* exchange(connect)
      assert.deepStrictEqual(
        candidates.map(shown).map(({ hindrance, id, name, through, token }) => [id, through, name, token, hindrance]),
        [
          ["1784", "1001", "Acme", "token-of-page-1001", null],
          ["1002", "1002", "Page 1002", null, "account_not_eligible"],
          ["1785", "1003", "Page 1003", null, "page_permission_required"]
        ]
      )
      assert.include(
        received.find(({ path }) => path.endsWith("me/accounts"))?.query.get("fields") ?? "",
        "instagram_business_account"
      )
    })
  )

  it.live("is the host's choice for new accounts, whose permissions are then the host's", () =>
    Effect.gen(function* () {
      const settings = { instagramLogin: "facebook", connectScopes: { instagram: ["instagram_basic"] } }
      const { connect } = yield* facebook({}, settings, "instagram")
      assert.deepStrictEqual(connect.permissionsFor(["inbox"]), ["instagram_basic"])
      const other = yield* loginOf("instagram", answering({}), { ...settings, instagramLogin: "facebook" })
      assert.notDeepEqual(other.connect.permissionsFor(["inbox"]), ["instagram_basic"])
    })
  )

  it.live("inspects the account by its Page's token", () =>
    Effect.gen(function* () {
      const linked = accountOf("1784", { login: Option.some("facebook"), throughAccountId: Option.some("1001") })
      const { connect } = yield* facebook(
        { "1784": { body: account }, debug_token: { body: { data: { is_valid: true, scopes: ["instagram_basic"] } } } },
        {},
        "instagram"
      )
      const found = yield* connect.inspect(linked)
      assert.deepStrictEqual(found.ids, ["1784"])
      assert.deepStrictEqual(found.permissions, Option.some(["instagram_basic"]))
      const dead = yield* facebook({ "1784": graphError(400, 190, 460) }, {}, "instagram")
      const failed = yield* Effect.flip(dead.connect.inspect(linked))
      assert.deepStrictEqual([kind(failed), failed.network], ["AuthExpired token", "instagram"])
    })
  )
})
