import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { guessedLinks, isReachableBy } from "../src/networkLinks.ts"

const live = { networks: "live", host: "127.0.0.1", publicUrl: Option.none<string>(), baseUrls: {} } as const

describe("whether a network can load files from the host (api-2.md §12)", () => {
  it("can, of simulated networks", () => {
    assert.isTrue(isReachableBy({ ...live, networks: "sandbox" })("instagram"))
  })

  it("can not, of live ones while the public address is the machine's own", () => {
    for (const host of ["127.0.0.1", "0.0.0.0", "localhost", "::1"]) {
      assert.isFalse(isReachableBy({ ...live, host })("instagram"), host)
    }
    assert.isFalse(isReachableBy({ ...live, publicUrl: Option.some("http://localhost:8080") })("threads"))
    assert.isTrue(isReachableBy({ ...live, publicUrl: Option.some("https://loopbox.example") })("threads"))
  })

  it("can, of one that lies on this machine, too", () => {
    const isReachable = isReachableBy({ ...live, baseUrls: { instagram: "http://127.0.0.1:9000/ig" } })
    assert.deepStrictEqual([isReachable("instagram"), isReachable("threads")], [true, false])
  })
})

describe("a worker that does not know the public address", () => {
  it("says at its start that networks can't load what it publishes, and which setting mends it", () => {
    const worker = { ...live, role: "worker" } as const
    assert.include(Option.getOrThrow(guessedLinks(worker)), "LOOPBOX_PUBLIC_URL")
    assert.deepStrictEqual(
      guessedLinks({ ...worker, publicUrl: Option.some("https://loopbox.example") }),
      Option.none()
    )
    assert.deepStrictEqual(guessedLinks({ ...worker, networks: "sandbox" }), Option.none())
    assert.deepStrictEqual(guessedLinks({ ...worker, role: "all" }), Option.none())
  })
})
