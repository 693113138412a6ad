import { ReplyFailure } from "@loopbox/core/items/ShownOperation"
import { Option } from "effect"
import { assert, describe, it } from "vitest"
import { failureText } from "../../src/api/inbox/OperationBody.ts"

const refusedFor = (reason: string) =>
  failureText(
    new ReplyFailure({
      kind: "refused",
      networkCode: Option.none(),
      reason: Option.some(reason),
      retryAt: Option.none(),
      missingScopes: []
    })
  )

describe("why a reply was not sent, in words", () => {
  it("is not the network's doing where the account is another managed user's", () => {
    const { code, message } = refusedFor("account_not_found")
    assert.strictEqual(code, "PLATFORM_ERROR")
    assert.strictEqual(message, "The account belongs to another managed user by now. Nothing was sent.")
  })

  it("names what the network said", () => {
    assert.strictEqual(refusedFor("too_long").message, "The network refused the reply (too_long). Nothing was posted.")
  })
})
