import { EmbeddedPostgres, Migrations, PgAdapters, targetOf } from "@loopbox/adapters-postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"

/** A PostgreSQL server that several processes share. */
export interface DatabaseServer {
  readonly target: PgAdapters.Target
  /** The same as `DATABASE_URL`. */
  readonly url: string
}

/** Runs with a server of its own, whose database is migrated and empty; `settings` are postgresql.conf's. */
export const withServer = async <A>(
  settings: Readonly<Record<string, string>>,
  use: (server: DatabaseServer) => Promise<A>
): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ folder: join(folder, "database"), settings }))
  let socketFolder: string | undefined
  try {
    const target = targetOf(await runtime.runPromise(EmbeddedPostgres))
    socketFolder = target.host
    await Effect.runPromise(PgAdapters.withLongRunningClient(target, {}, Migrations.run))
    const url = new URL(`postgres://localhost/${target.database}`)
    url.username = target.username
    url.password = Redacted.value(target.password)
    url.searchParams.set("host", target.host)
    return await use({ target, url: url.toString() })
  } finally {
    await runtime.dispose()
    if (socketFolder !== undefined) rmSync(socketFolder, { recursive: true, force: true })
    remove()
  }
}
