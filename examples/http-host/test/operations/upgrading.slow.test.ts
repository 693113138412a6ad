import { assert } from "@effect/vitest"
import { EmbeddedPostgres, Migrations, PgAdapters, targetOf } from "@loopbox/adapters-postgres"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, it } from "vitest"
import { clusterFolder } from "../support/embeddedServer.ts"
import { temporaryFolder, startHost } from "../support/hostProcess.ts"
import { serverPrograms } from "../support/ownServer.ts"
import { pageCommands } from "../support/pageCommands.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const places = temporaryFolder()
const { folder } = places
afterAll(places.remove)

// npm brings one major version only: the older one is the system's.
describeUnmoved("it is about the embedded server", serverPrograms !== undefined)("docs/operations/upgrading.md", () => {
  it("migrates, and moves the data of an older embedded PostgreSQL to this release's", async () => {
    const data = join(folder, ".loopbox")
    const older = Effect.gen(function* () {
      const server = yield* EmbeddedPostgres
      yield* PgAdapters.withLongRunningClient(targetOf(server), {}, Migrations.run)
      return server.major
    }).pipe(Effect.provide(EmbeddedPostgres.layer({ folder: join(data, "postgres"), programs: "system" })))
    const major = await Effect.runPromise(older)
    // A host of a release that has another PostgreSQL goes on with the older one.
    const before = await startHost(folder)
    assert.include((await before.stop()).output, `PostgreSQL ${major}`)

    const commands = pageCommands("docs/operations/upgrading.md", folder)
    const migrated = await commands.run("migrate", {})
    assert.strictEqual(migrated.code, 0, migrated.output)
    const { code, output } = await commands.run("db-upgrade", {})
    assert.strictEqual(code, 0, output)
    assert.include(output, `moved from PostgreSQL ${major} to 18`)
    assert.isTrue(existsSync(join(clusterFolder(data), `data-${major}`)))
    const host = await startHost(folder)
    assert.strictEqual((await host.stop()).code, 0)
    assert.deepStrictEqual(commands.left(), [])
  })
})
