import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { hostOf, splitHosts, type Target } from "../../src/connection/Target.ts"

const split = (url: string) =>
  splitHosts({ url: Redacted.make(url) }).map((target) => Redacted.value(target.url ?? Redacted.make("")))

describe("splitHosts", () => {
  it("gives each host of an address with the rest of it, in its order", () => {
    assert.deepStrictEqual(split("postgres://me:p%40ss@one:5432,two,[::1]:6543/app?sslmode=require"), [
      "postgres://me:p%40ss@one:5432/app?sslmode=require",
      "postgres://me:p%40ss@two/app?sslmode=require",
      "postgres://me:p%40ss@[::1]:6543/app?sslmode=require"
    ])
    assert.deepStrictEqual(split("postgresql://one,two"), ["postgresql://one", "postgresql://two"])
  })

  it("leaves an address of one host as it is, whatever its password and options hold", () => {
    for (const url of [
      "postgres://me:a,b@one/app",
      "postgres://one/app?application_name=a,b",
      "postgres:///app?host=/var/run/postgresql",
      "postgres://me@one:5432"
    ]) {
      assert.deepStrictEqual(split(url), [url])
    }
    const parts: Target = { host: "/tmp", username: "me" }
    assert.deepStrictEqual(splitHosts(parts), [parts])
  })
})

describe("hostOf", () => {
  it("names the host and no password", () => {
    assert.strictEqual(hostOf({ url: Redacted.make("postgres://me:secret@one:5432/app") }), "one:5432")
    assert.strictEqual(hostOf({ host: "/tmp", password: Redacted.make("secret") }), "/tmp")
  })
})
