import { assert, describe, it } from "@effect/vitest"
import { refusedPage } from "../../src/node/refusedPage.ts"

const pageOf = (...lines: ReadonlyArray<string>) =>
  refusedPage(undefined, Buffer.from(["GET /v1/inbox HTTP/1.1", "Host: x", ...lines].join("\r\n")))

describe("whose page asked for what Node's parser refuses", () => {
  it("is what the head says, in any case and between spaces", () => {
    assert.strictEqual(pageOf("ORIGIN:  https://a.example \t", "X: y"), "https://a.example")
    assert.strictEqual(pageOf("Origin: https://a.example", "", ""), "https://a.example")
  })

  it("is not known of a line that has not come whole, of two, and of what stands behind the head", () => {
    assert.isUndefined(pageOf("Origin: https://a.exam"))
    assert.isUndefined(pageOf("Origin: https://a.example", "Origin: https://b.example", ""))
    assert.isUndefined(pageOf("", "Origin: https://a.example", ""))
  })

  it("is found in a line of spaces as soon as in any other", () => {
    assert.strictEqual(pageOf(`Origin:${" ".repeat(60_000)}\n`, ""), "")
  })
})
