import { assert, describe, it } from "@effect/vitest"
import { toOurType, toOurUrl } from "../../src/server/compatibility/unipostRequests.ts"

describe("addresses of UniPost's clients (api-2.md §17)", () => {
  const list = (query: string) => toOurUrl("GET /v1/inbox", `/v1/inbox?${query}`)

  it("ask for the usual page by a limit that is none, and for the largest by a large one", () => {
    for (const limit of ["0", "-1", "abc", "", "1.5", "1e3", "00"]) {
      assert.strictEqual(list(`limit=${limit}&is_read=false`), "/v1/inbox?is_read=false", limit)
      assert.strictEqual(list(`limit=${limit}`), "/v1/inbox", limit)
    }
    assert.strictEqual(list("limit=501"), "/v1/inbox?limit=500")
    assert.strictEqual(list("limit=99999999999999999999"), "/v1/inbox?limit=500")
    assert.strictEqual(list("limit=7"), "/v1/inbox?limit=7")
    assert.strictEqual(toOurUrl("GET /v1/media", "/v1/media?limit=500"), "/v1/media?limit=100")
  })

  it("are judged as they came, but for that", () => {
    for (const query of ["limit=0&limit=1", "x=%ZZ&inbox_scope=a+b", "is_read=true?", "Limit=0", ""]) {
      assert.strictEqual(list(query), `/v1/inbox?${query}`)
    }
    assert.strictEqual(toOurUrl("GET /v1/accounts", "/v1/accounts?limit=0"), "/v1/accounts?limit=0")
    assert.strictEqual(toOurUrl("GET /v1/inbox", "/v1/inbox"), "/v1/inbox")
  })

  it("open a dashboard's socket for the workspace when they name no scope", () => {
    const socket = (query: string) => toOurUrl("GET /v1/inbox/ws", `/v1/inbox/ws?${query}`)
    assert.strictEqual(socket("token=a.b.c"), "/v1/inbox/ws?token=a.b.c&inbox_scope=workspace")
    for (const query of ["after=1", "token=a&inbox_scope=managed_user", "token=a&external_user_id=u"]) {
      assert.strictEqual(socket(query), `/v1/inbox/ws?${query}`)
    }
  })
})

describe("media types by UniPost's names", () => {
  it("are those that are stored", () => {
    assert.strictEqual(toOurType("image/jpg"), "image/jpeg")
    assert.strictEqual(toOurType(" Image/JPG"), "image/jpeg")
    assert.strictEqual(toOurType("video/x-m4v"), "video/mp4")
    assert.strictEqual(toOurType("audio/x-wav"), "audio/wav")
    assert.strictEqual(toOurType("audio/x-m4a"), "audio/mp4")
    assert.strictEqual(toOurType("text/html"), "text/html")
  })
})
