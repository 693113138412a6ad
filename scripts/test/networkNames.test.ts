import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const names =
  /["'`](?:instagram|facebook|threads|x|meta|ig_comment|ig_dm|fb_comment|fb_dm|threads_reply|x_reply|mastodon(?:_reply)?)["'`]/

const linesOf = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root }).flatMap((file) =>
    readFileSync(`${root}/${file}`, "utf8")
      .split("\n")
      .filter((line) => names.test(line) && !/^\s*(\*|\/\*|\/\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`)
  )

describe("a network is a descriptor (style guide §1)", () => {
  it("core names no network, source or endpoint in its code", () => {
    assert.deepStrictEqual(linesOf("packages/core/src/**/*.ts"), [])
  })

  it("the look would find one", () => {
    assert.isAbove(linesOf("packages/adapters-social/src/*/descriptor.ts").length, 0)
  })
})
