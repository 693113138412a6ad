import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { authorityFault } from "../../src/kernel/authorityFault.ts"

const faultOf = (url: string) => Option.getOrNull(authorityFault(url))

describe("whom an address names", () => {
  it("is a host that there can be, with a port from 1 to 65535 or none", () => {
    for (const url of [
      "https://app.example/hook",
      "https://app.example:1",
      "https://app.example:65535/",
      "https://app.example:/",
      "https://localhost.",
      "https://[::1]:8080/",
      "http://127.0.0.1:9?a=:0",
      `https://${"a".repeat(63)}.example`,
      "https://bücher.example/"
    ]) {
      assert.isNull(faultOf(url), url)
    }
    for (const port of ["0", "00", "65536", "70000", "-1", "1e3", "443abc", "1:2", "8080@"]) {
      const expected = port.includes("@") ? "user_info" : "port"
      assert.strictEqual(faultOf(`https://app.example:${port}/`), expected, port)
    }
    for (const url of [
      "https://",
      "https:///path",
      "https://:443/",
      "https://?a=b",
      "https://./",
      "https://../",
      "https://app.example../",
      "https://.app.example",
      "https://a..b.example/",
      "https://a\u3002\u3002b.example/",
      `https://${"a".repeat(64)}.example`,
      `https://${"a.".repeat(128)}`
    ]) {
      assert.strictEqual(faultOf(url), "host", url)
    }
    assert.strictEqual(faultOf("https://me@app.example:0/"), "user_info")
  })
})
