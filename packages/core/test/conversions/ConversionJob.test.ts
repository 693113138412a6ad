import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BackgroundColor, failureCodes } from "../../src/conversions/ConversionJob.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { failure, machineFailure } from "../../src/conversions/failures.ts"

describe("IdempotencyKey (api.md §6)", () => {
  const isKey = Schema.is(IdempotencyKey)

  it.prop("is any visible ASCII text of 1 to 255 characters", [Schema.String], ([text]) => {
    const isVisible = Array.from(text).every((letter) => letter >= "!" && letter <= "~")
    assert.strictEqual(isKey(text), isVisible && text.length >= 1 && text.length <= 255)
  })

  it("has both sides of its limits", () => {
    assert.isFalse(isKey(""))
    assert.isTrue(isKey("!"))
    assert.isTrue(isKey("~".repeat(255)))
    assert.isFalse(isKey("~".repeat(256)))
    for (const text of ["a b", "a\n", "\u007f", "é", "a\u0000"]) assert.isFalse(isKey(text), JSON.stringify(text))
  })
})

describe("BackgroundColor", () => {
  it("is #RRGGBB in upper case", () => {
    const isColor = Schema.is(BackgroundColor)
    assert.isTrue(isColor("#00AAFF"))
    for (const text of ["#00aaff", "00AAFF", "#0AF", "#00AAFF0", "#00AAFG", "#00AAFF\n", ""])
      assert.isFalse(isColor(text), text)
  })
})

describe("failures (§7.3)", () => {
  it("have a sentence for the customer each, without details of the machine", () => {
    for (const code of failureCodes) {
      const { message } = failure(code)
      assert.match(message, /^[A-Z].*\.$/)
      assert.notMatch(message, /ffmpeg|postgres|stack|exit code/i)
    }
  })

  it("that may go away by themselves are retryable; a verdict on the file is not", () => {
    assert.isFalse(failure("gif_probe_failed").retryable)
    assert.isTrue(machineFailure.retryable)
    assert.strictEqual(machineFailure.code, "gif_conversion_failed")
  })
})
