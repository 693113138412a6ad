import { assert, describe, it } from "@effect/vitest"
import { libraryLinks } from "../../src/embedded/binaries.ts"

describe("libraryLinks", () => {
  it("makes every name that a versioned library is looked up by, on Linux and macOS", () => {
    assert.deepStrictEqual(libraryLinks(["libicuuc.so.60.2", "libz.so.1", "postgres", "plpgsql.so"]), [
      ["libicuuc.so", "libicuuc.so.60.2"],
      ["libicuuc.so.60", "libicuuc.so.60.2"],
      ["libz.so", "libz.so.1"]
    ])
    assert.deepStrictEqual(libraryLinks(["libicudata.77.1.dylib", "libpq.5.dylib"]), [
      ["libicudata.dylib", "libicudata.77.1.dylib"],
      ["libicudata.77.dylib", "libicudata.77.1.dylib"],
      ["libpq.dylib", "libpq.5.dylib"]
    ])
  })

  it("leaves the names that are there", () => {
    assert.deepStrictEqual(libraryLinks(["libpq.so.5.18", "libpq.so.5", "libpq.so"]), [])
  })
})
