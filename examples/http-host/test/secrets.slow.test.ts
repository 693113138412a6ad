import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { startHost } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places

const fresh = `fresh:${Buffer.alloc(32, 9).toString("base64")}`
const keys = (...list: ReadonlyArray<string>) => ({ LOOPBOX_SECRET_KEYS: list.join(",") })

/** What doctor says of secrets and sealed tokens with these keys. */
const doctor = async (...list: ReadonlyArray<string>) => {
  const { code, output } = await runCli(["doctor", "--json"], folder, keys(...list))
  const findings: ReadonlyArray<{ name: string; status: string; message: string }> = JSON.parse(
    output.slice(output.indexOf("["), output.lastIndexOf("]") + 1)
  )
  const find = (name: string) => findings.find((finding) => finding.name === name)
  return { code, secrets: find("secrets"), credentials: find("credentials") }
}

const reseal = (...list: ReadonlyArray<string>) => runCli(["secrets", "reseal", "--json"], folder, keys(...list))

describe("a secret key that leaked", () => {
  it("is taken away without a pause, once no account's tokens are sealed by it", async () => {
    const first = await startHost(folder)
    await first.stop()
    const old = readFileSync(join(folder, ".loopbox", "secret-keys"), "utf8").trim()
    const oldId = old.split(":")[0] ?? ""

    const before = await doctor(fresh, old)
    assert.deepStrictEqual([before.code, before.secrets?.status, before.credentials?.status], [0, "ok", "ok"])
    assert.include(before.credentials?.message, `4 by "${oldId}"; \`loopbox secrets reseal\``)
    const tooEarly = await reseal(fresh, old)
    assert.strictEqual(tooEarly.code, 1)
    assert.include(tooEarly.output, 'No host has been started with "fresh"')

    const host = await startHost(folder, keys(fresh, old))
    const done = await reseal(fresh, old)
    assert.strictEqual(done.code, 0, done.output)
    const report: { resealed: number } = JSON.parse(done.output)
    const sealed = [{ key_id: "fresh", accounts: 4 }]
    assert.deepStrictEqual<unknown>(report, { key_id: "fresh", resealed: 4, left: 0, unopened: [], sealed })
    const again: { resealed: number } = JSON.parse((await reseal(fresh, old)).output)
    assert.strictEqual(again.resealed, 0)
    await host.stop()

    const after = await doctor(fresh)
    assert.deepStrictEqual([after.code, after.secrets?.status, after.credentials?.status], [0, "ok", "ok"])
    assert.include(after.credentials?.message, '4 by "fresh"')
    const without = await startHost(folder, keys(fresh))
    await without.stop()

    const leaked = await doctor(old)
    assert.deepStrictEqual([leaked.code, leaked.secrets?.status, leaked.credentials?.status], [1, "failed", "failed"])
    assert.include(leaked.credentials?.message, '4 by "fresh"')
  })
})
