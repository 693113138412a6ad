import { LoopboxError } from "@loopbox/client"
import { assert, describe, it } from "vitest"
import { englishParts } from "../../src/messages/english/parts.ts"
import { germanParts } from "../../src/messages/german/parts.ts"
import { describeFailure } from "../../src/parts/failure.ts"

describe("describeFailure", () => {
  it("gives the host's own sentence with its code and request", () => {
    const error = new LoopboxError("This thread is gone.", { status: 404, code: "NOT_FOUND", requestId: "req_1" })
    assert.deepStrictEqual(describeFailure(error, englishParts), {
      code: "NOT_FOUND",
      sentence: "This thread is gone.",
      requestId: "req_1"
    })
  })

  it("says in the reader's language what the connection is about", () => {
    const error = new LoopboxError("fetch failed", { status: 0, code: "CONNECTION_FAILED" })
    assert.strictEqual(describeFailure(error, englishParts).sentence, englishParts.connectionFailed)
  })

  it("says in German what a code means, with the host's own sentence where that says more, or is all that is known", () => {
    const told = (code: string) =>
      describeFailure(new LoopboxError("Said by the host.", { status: 422, code }), germanParts).sentence
    assert.strictEqual(told("NOT_FOUND"), germanParts.errors["NOT_FOUND"])
    assert.strictEqual(told("VALIDATION_ERROR"), "Eine Angabe stimmt nicht: Said by the host.")
    assert.strictEqual(told("CODE_OF_A_NEWER_HOST"), "Said by the host.")
  })

  it("tells nothing of an error that is not the API's", () => {
    assert.strictEqual(describeFailure(new TypeError("x is undefined"), englishParts).code, "PAGE_ERROR")
  })
})
