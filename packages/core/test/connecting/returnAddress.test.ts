import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import * as fc from "fast-check"
import { type ConnectFailure, ConnectSession } from "../../src/connecting/ConnectSession.ts"
import { judgeReturnUrl, returnAddress } from "../../src/connecting/returnAddress.ts"
import { ConnectSessionId, WorkspaceId } from "../../src/kernel/Ids.ts"

const reasonOf = (url: string) =>
  Result.match(judgeReturnUrl(url), { onSuccess: () => "accepted", onFailure: ({ reason }) => reason })

const at = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const id = "00000000000000000000000000"

const sessionBackTo = (returnUrl: string, change: Partial<ConnectSession> = {}) =>
  new ConnectSession({
    id: ConnectSessionId.make(`con_${id}`),
    workspaceId: WorkspaceId.make(`ws_${id}`),
    network: "x",
    login: "x",
    externalUserId: Option.none(),
    status: "completed",
    returnUrl: Option.some(returnUrl),
    features: [],
    socialAccountId: Option.none(),
    accountIds: [],
    failure: Option.none(),
    createdAt: at,
    expiresAt: at,
    completedAt: Option.none(),
    ...change
  })

describe("return addresses (api-2.md §11)", () => {
  it("are https, or http on a loopback host with any port", () => {
    for (const url of [
      "https://app.example/back?a=b",
      "https://app.example",
      "http://localhost:3000/x",
      "http://127.0.0.1/",
      "http://127.8.9.1:1",
      "http://[::1]:8080/back",
      "HTTPS://App.Example/"
    ]) {
      assert.strictEqual(reasonOf(url), "accepted", url)
    }
    for (const url of [
      "http://app.example/",
      "http://localhost.evil.com/",
      "http://127.0.0.1.evil.com/",
      "ftp://app.example/",
      "javascript:alert(1)",
      "data:text/html,x",
      "http://[::2]/"
    ]) {
      assert.strictEqual(reasonOf(url), "scheme", url)
    }
  })

  it("have no user info, no fragment, and nothing that browsers rewrite", () => {
    assert.strictEqual(reasonOf("https://user@app.example/"), "user_info")
    assert.strictEqual(reasonOf("https://@app.example/"), "user_info")
    assert.strictEqual(reasonOf("https://a:b@app.example/"), "user_info")
    assert.strictEqual(reasonOf("https://app.example/#"), "fragment")
    assert.strictEqual(reasonOf("https:///app.example"), "host")
    assert.strictEqual(reasonOf("http://localhost:0/"), "port")
    for (const url of [
      "https:\\\\app.example/",
      "https://app.example\\@evil.com/",
      " https://app.example/",
      "https://app.example/a b",
      "https://app.example/\n",
      "https://app.example/\u0000",
      "https:/app.example",
      "https:app.example",
      "//app.example/",
      "/back",
      ""
    ]) {
      assert.strictEqual(reasonOf(url), "malformed", JSON.stringify(url))
    }
  })

  it("have at most 2,048 characters", () => {
    const long = `https://app.example/${"a".repeat(2_048)}`
    assert.strictEqual(reasonOf(long), "too_long")
    assert.strictEqual(reasonOf(long.slice(0, 2_048)), "accepted")
  })

  it.prop("lead a browser only to https or to this machine", [Schema.String], ([text]) => {
    for (const url of [text, `https://${text}`, `http://localhost${text}`]) {
      if (reasonOf(url) !== "accepted") continue
      const { hash, hostname, password, protocol, username } = new URL(url)
      const isHere = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")
      assert.isTrue(protocol === "https:" || (protocol === "http:" && isHere), url)
      assert.deepStrictEqual([hash, password, username], ["", "", ""])
    }
  })

  it("keep their query letter by letter, and get ours in place of what has the same name", () => {
    const back = (url: string, change?: Partial<ConnectSession>) =>
      Option.getOrThrow(returnAddress(sessionBackTo(url, change)))
    const ours = `connect_session=con_${id}&connect_status=completed`
    assert.strictEqual(back("https://a.example"), `https://a.example?${ours}`)
    assert.strictEqual(back("https://a.example/?x=%20+&y"), `https://a.example/?x=%20+&y&${ours}`)
    assert.strictEqual(
      back("https://a.example/?connect_status=1&%63onnect_session=2&reason=3&x=?"),
      `https://a.example/?x=?&${ours}`
    )
    const failure: ConnectFailure = { code: "no_pages", detail: "" }
    const failed = { status: "failed", failure: Option.some(failure) } as const
    assert.strictEqual(
      back("https://a.example/", failed),
      `https://a.example/?connect_session=con_${id}&connect_status=failed&reason=no_pages`
    )
    assert.include(back("https://a.example/", { status: "expired" }), "connect_status=failed&reason=code_expired")
  })

  it("lead to the same place with ours as without", () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }), (url) => {
        if (reasonOf(url) !== "accepted") return
        const address = new URL(Option.getOrThrow(returnAddress(sessionBackTo(url))))
        assert.strictEqual(address.origin + address.pathname, new URL(url).origin + new URL(url).pathname)
        assert.strictEqual(address.searchParams.getAll("connect_status").length, 1)
      })
    )
  })
})
