import * as PgClient from "@effect/sql-pg/PgClient"
import { assert } from "@effect/vitest"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { startHost, temporaryFolder } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"
import { makeDatabase } from "./support/testServer.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const untouched = temporaryFolder()
const places = await preparedFolder()
afterAll(() => {
  untouched.remove()
  places.remove()
})
const { folder } = places
const data = join(folder, ".loopbox")
const adminToken = "an-admin-token-out-of-the-environment"

/** Files at the top of the data folder, and what secrets are in them; the host notes that its tour was shown a little later. */
const files = () =>
  readdirSync(data)
    .filter((name) => name !== "tour-shown")
    .toSorted()
    .map((name) => [name, /-(key|keys|token)$/.test(name) ? readFileSync(join(data, name), "utf8") : ""] as const)

describe("loopbox doctor", () => {
  it("makes nothing in a folder in which no host has run, and finds nothing wrong", async () => {
    const { code, output } = await runCli(["doctor"], untouched.folder)
    assert.isFalse(existsSync(join(untouched.folder, ".loopbox")), output)
    assert.strictEqual(code, 0, output)
    assert.include(output, "loopbox serve")
    writeFileSync(join(untouched.folder, "a-file"), "")
    const ofFile = await runCli(["doctor"], untouched.folder, { LOOPBOX_DATA: "a-file" })
    assert.strictEqual(ofFile.code, 1, ofFile.output)
    assert.include(ofFile.output, "LOOPBOX_DATA must be a folder")
  })

  it("says of each server of a database why it takes no writes, waits for none and asks for nothing more", async () => {
    const { code, output } = await runCli(["doctor"], untouched.folder, {
      DATABASE_URL: "postgresql://me:secret@127.0.0.1:1,127.0.0.1:2/app",
      LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`
    })
    assert.strictEqual(code, 1)
    for (const port of [1, 2]) {
      assert.include(output, `127.0.0.1:${port} does not answer (connect ECONNREFUSED 127.0.0.1:${port})`)
    }
    assert.notInclude(output, "secret@")
    assert.match(output, /failed +credentials +keys and sealed tokens cannot be compared now/)
    assert.match(output, /failed +counters +the unread counters cannot be compared now/)
  })
})

describeUnmoved("rows of a distributed database lie on its nodes")(
  "loopbox doctor of a database without statistics",
  () => {
    it("names the large tables that have none, and makes them if asked", async () => {
      const DATABASE_URL = await makeDatabase()
      const variables = { DATABASE_URL, LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}` }
      const migrated = await runCli(["migrate"], untouched.folder, variables)
      assert.strictEqual(migrated.code, 0, migrated.output)
      const fill = Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        yield* sql`ALTER TABLE author_profiles SET (autovacuum_enabled = false)`
        yield* sql`INSERT INTO author_profiles (workspace_id, account_id, person_id, source, attempts)
        SELECT 'ws_1', 'acc_' || repeat('0', 60), lpad(n::text, 60, '0'), 'ig_comment', 0 FROM generate_series(1, 60000) n`
      })
      await Effect.runPromise(PgAdapters.withLongRunningClient({ url: Redacted.make(DATABASE_URL) }, {}, fill))
      const found = await runCli(["doctor"], untouched.folder, variables)
      assert.match(
        found.output,
        /^failed +statistics +PostgreSQL has no statistics of author_profiles, .*--repair makes them/m
      )
      assert.strictEqual(found.code, 1, found.output)
      const mended = await runCli(["doctor", "--repair"], untouched.folder, variables)
      assert.match(mended.output, /^ok +statistics .*author_profiles.* were made now/m)
      const after = await runCli(["doctor"], untouched.folder, variables)
      assert.match(after.output, /^ok +statistics +PostgreSQL has statistics of all large tables/m)
    })
  }
)

describeUnmoved("its folder has the secrets of the time before")("loopbox doctor beside a host", () => {
  it("makes no secret that the host has from its environment", async () => {
    const host = await startHost(folder, { LOOPBOX_ADMIN_TOKEN: adminToken })
    const before = files()
    assert.notInclude(
      before.map(([name]) => name),
      "admin-token"
    )
    const beside = await runCli(["doctor"], folder)
    assert.strictEqual(beside.code, 0, beside.output)
    assert.deepStrictEqual(files(), before)
    await host.stop()
    const stopped = files()
    const alone = await runCli(["doctor"], folder)
    assert.strictEqual(alone.code, 0, alone.output)
    assert.deepStrictEqual(files(), stopped)
  })

  it("says of a place for files that can't be opened that the files are not well, and goes on with the rest", async () => {
    writeFileSync(join(folder, "no-folder"), "")
    const { code, output } = await runCli(["doctor"], folder, { LOOPBOX_BLOBS: "no-folder" })
    assert.strictEqual(code, 1, output)
    assert.match(output, /^failed +blobs +no files can be stored: /m)
    assert.match(output, /^ok +database /m)
    assert.match(output, /^ok +migrations /m)
  })

  it("makes no folder for files where a wrong one is named, and says that it is not the database's", async () => {
    const { code, output } = await runCli(["doctor", "--files"], folder, { LOOPBOX_BLOBS: "misspelt" })
    assert.isFalse(existsSync(join(folder, "misspelt")), output)
    assert.strictEqual(code, 1, output)
    assert.match(output, /^ok +blobs .*misspelt is not there yet/m)
    assert.match(output, /^failed +secrets /m)
    assert.match(output, /^failed +files .*misspelt is not there yet/m)
  })
})
