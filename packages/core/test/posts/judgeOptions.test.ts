import { assert, describe, it } from "@effect/vitest"
import { judgeOptions } from "../../src/posts/judging/judgeOptions.ts"
import type { PublishDescription } from "../../src/networks/publishing/NetworkPublish.ts"

const rules: Pick<PublishDescription, "options" | "text"> = {
  options: [{ name: "link", value: { type: "address" } }],
  text: { length: 500, altText: 1_000 }
}

const codesOf = (link: string) =>
  judgeOptions(rules, { altTexts: {}, values: { link } }, []).map(({ code, path }) => `${path} ${code}`)

describe("options of a post that are addresses", () => {
  it("are http or https, and name whom a reader can reach", () => {
    for (const link of ["https://shop.example/a?b=c#d", "http://shop.example:8080"]) assert.deepEqual(codesOf(link), [])
    for (const link of [
      "ftp://shop.example",
      "shop.example",
      "https://shop.example:0/",
      "https://me:secret@shop.example"
    ]) {
      assert.deepEqual(codesOf(link), ["options.link invalid_option"], link)
    }
  })
})
