import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const Lockfile = Schema.fromJsonString(
  Schema.Struct({
    packages: Schema.Record(
      Schema.String,
      Schema.Struct({ license: Schema.optionalKey(Schema.String), link: Schema.optionalKey(Schema.Boolean) })
    )
  })
)
const root = new URL("../../", import.meta.url)
const read = (file: string) => Schema.decodeUnknownSync(Lockfile)(readFileSync(new URL(file, root), "utf8")).packages

const ours = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause)$/

/** What others bring along: docs/decisions/0003 and 0017. */
const exceptions: ReadonlyArray<readonly [name: RegExp, licence: RegExp]> = [
  [/^(ffmpeg-static|@ffmpeg-installer\/.*)$/, /GPL|ffmpeg/],
  [/^lightningcss(-.*)?$/, /^MPL-2\.0$/],
  [/^axe-core$/, /^MPL-2\.0$/],
  [/^fast-sha256$/, /^Unlicense$/],
  [/^tslib$/, /^0BSD$/],
  [/^caniuse-lite$/, /^CC-BY-4\.0$/],
  [/^@img\/sharp-(libvips-.*|wasm32|win32-.*)$/, /LGPL-3\.0-or-later$|LGPL-3\.0-or-later AND MIT$/],
  // They say it elsewhere than where npm reads: BSD-3-Clause and Apache-2.0.
  [/^parse-cache-control$|^twitter-text$/, /^$/]
]

/** Name and licence of each package of others that is under another licence than those we take. */
const others = (file: string): ReadonlyArray<readonly [name: string, licence: string]> =>
  Object.entries(read(file)).flatMap(([path, { license = "", link = false }]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? []
    return name === undefined || link || ours.test(license) ? [] : [[name, license] as const]
  })

describe("the licences of dependencies", () => {
  for (const file of ["package-lock.json", "examples/embedded/next/package-lock.json"]) {
    it(`are those that we take, or named on a page of decisions: ${file}`, () => {
      const unknown = others(file).filter(
        ([name, licence]) => !exceptions.some(([names, licences]) => names.test(name) && licences.test(licence))
      )
      assert.deepStrictEqual(unknown, [])
    })
  }

  it("has no exception that nothing needs", () => {
    const known = ["package-lock.json", "examples/embedded/next/package-lock.json"].flatMap(others)
    for (const [names] of exceptions)
      assert.isTrue(
        known.some(([name]) => names.test(name)),
        String(names)
      )
  })
})
