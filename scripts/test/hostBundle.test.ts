import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { isFresh, listName, stateOf } from "../../examples/http-host/bin/freshBundle.mjs"
import { runCliProcess, temporaryFolder } from "../../examples/http-host/test/support/hostProcess.ts"

const { folder, remove } = temporaryFolder()
afterAll(remove)

const root = `${folder}/`
const bundle = join(folder, "bundle")
const source = join(folder, "a.ts")

/** A bundle of one source. */
const make = () => {
  mkdirSync(bundle, { recursive: true })
  writeFileSync(source, "export const a = 1\n")
  writeFileSync(join(bundle, listName), JSON.stringify({ inputs: { "a.ts": stateOf(source) }, chunks: {} }))
}

/** Until the file system's clock has moved on from a state. */
const changeUntilSeen = (change: () => void) => {
  const before = stateOf(source)
  do change()
  while (stateOf(source) === before)
}

describe("the bundle of a checkout", () => {
  it("is run while every file that it was made of is as it was", () => {
    make()
    assert.isTrue(isFresh(bundle, root))
  })

  it("is not run when a source has changed, even if its length and time are as before", () => {
    make()
    const then = new Date(0)
    utimesSync(source, then, then)
    writeFileSync(join(bundle, listName), JSON.stringify({ inputs: { "a.ts": stateOf(source) }, chunks: {} }))
    changeUntilSeen(() => {
      writeFileSync(source, "export const a = 2\n")
      utimesSync(source, then, then)
    })
    assert.isFalse(isFresh(bundle, root))
  })

  it("is not run when a source is gone, or when its build did not end", () => {
    make()
    writeFileSync(join(bundle, listName), JSON.stringify({ inputs: { "b.ts": 1 }, chunks: {} }))
    assert.isFalse(isFresh(bundle, root))
    assert.isFalse(isFresh(join(folder, "none"), root))
  })

  it("names the source of each place in a stack", async () => {
    mkdirSync(bundle, { recursive: true })
    const file = join(bundle, "main.mjs")
    const region = (name: string) => [
      `//#region packages/core/src/${name}.ts`,
      `export const ${name} = () => new Error("${name}")`,
      "//#endregion"
    ]
    writeFileSync(file, [...region("two"), ...region("one")].join("\n"))
    writeFileSync(
      join(folder, "ask.mjs"),
      `import { nameSources } from ${JSON.stringify(new URL("../../examples/http-host/bin/bundleStacks.js", import.meta.url).href)}
nameSources(new URL("bundle/", import.meta.url))
const { one, two } = await import("./bundle/main.mjs")
for (const error of [one(), two(), new Error("elsewhere")]) console.log(error.stack)`
    )
    const { code, output } = await runCliProcess([], folder, {}, join(folder, "ask.mjs"))
    assert.strictEqual(code, 0, output)
    assert.match(output, /Error: one\n    at one \(packages\/core\/src\/one\.ts, main\.mjs:5:\d+\)/)
    assert.match(output, /Error: two\n    at two \(packages\/core\/src\/two\.ts, main\.mjs:2:\d+\)/)
    assert.match(output, /Error: elsewhere\n    at .*\/ask\.mjs:4:/)
  })
})
