import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { withoutSecrets } from "../../src/calls/withoutSecrets.ts"

const request = {
  url: "https://network.example/token",
  query: { input_token: Redacted.make("token of/somebody"), access_token: Redacted.make("11|secret-of-the-app") },
  basic: { username: "client", password: Redacted.make("password") }
}
const form = { grant_type: "authorization_code", code: "the-code" }

describe("what a network refuses", () => {
  it("names no secret of the request, in whichever form and member it is said back", () => {
    const said = {
      error: {
        message: "the-code is bad",
        type: "secret-of-the-app",
        "11|secret-of-the-app": ["token%20of%2Fsomebody"]
      },
      authorization: "Basic Y2xpZW50OnBhc3N3b3Jk",
      code: 190
    }
    assert.deepStrictEqual(withoutSecrets(request, { form }, 400, said), {
      error: { message: "<token> is bad", type: "<token>", "<token>": ["<token>"] },
      authorization: "Basic <token>",
      code: 190
    })
    // Meta refuses with a 200 at times.
    assert.deepStrictEqual(withoutSecrets(request, { form }, 200, { error: "the-code" }), { error: "<token>" })
  })

  it("is no answer that gives what was asked for", () => {
    const given = { access_token: "token of/somebody", data: [{ access_token: "the-code" }] }
    assert.strictEqual(withoutSecrets(request, { form }, 200, given), given)
  })

  it("is read however deep it is", () => {
    let deep: unknown = "the-code"
    for (let level = 0; level < 100_000; level++) deep = [deep]
    assert.notInclude(JSON.stringify(withoutSecrets(request, { form }, 400, { deep })), "the-code")
  })
})
