import { assert, describe, it } from "@effect/vitest"
import { type Account, groupsOf, hasWords } from "../../src/accounts/AccountGroup.ts"
import { readReturn, withoutReturn } from "../../src/accounts/ConnectReturn.ts"

const account = (id: string, external_user_id: string | null): Account => ({
  id,
  network: "instagram",
  name: "Demo Shop",
  username: "demo.shop",
  avatar_url: null,
  external_user_id,
  status: "connected",
  scopes: [],
  missing_scopes: [],
  token_expires_at: null,
  capabilities: [],
  health: { status: "ok", problems: [], last_webhook_at: null, last_poll_at: null },
  connected_at: "2026-11-21T07:00:00.000Z"
})

describe("accounts of many owners", () => {
  it("stand by managed user, the workspace's own first, each group in its order", () => {
    const all = [account("1", "zoe"), account("2", null), account("3", "ann"), account("4", "zoe")]
    const shown = groupsOf(all).map(({ accounts, externalUserId }) => [externalUserId, accounts.map(({ id }) => id)])
    assert.deepStrictEqual(shown, [
      [null, ["2"]],
      ["ann", ["3"]],
      ["zoe", ["1", "4"]]
    ])
  })

  it("are found by words of their name, network or owner", () => {
    const one = account("1", "customer_17")
    for (const words of ["shop", " DEMO ", "insta", "customer_17", ""]) assert.isTrue(hasWords(one, words), words)
    assert.isFalse(hasWords(one, "threads"))
  })
})

describe("the way back from a network", () => {
  const address = "https://app.test/accounts?tab=2&connect_session=con_1&connect_status=failed&reason=no_pages"

  it("is read from the address once, and the rest of the address stays", () => {
    assert.deepStrictEqual(readReturn(address), { sessionId: "con_1", status: "failed", reason: "no_pages" })
    assert.strictEqual(withoutReturn(address), "https://app.test/accounts?tab=2")
  })

  it("is none where a page uses these names for something else", () => {
    assert.isUndefined(readReturn("https://app.test/?connect_status=on&reason=1"))
    assert.isUndefined(readReturn("https://app.test/?connect_session=other&connect_status=on"))
    assert.isUndefined(readReturn("https://app.test/"))
  })
})
