import * as PgClient from "@effect/sql-pg/PgClient"
import { EmbeddedPostgres, PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { TestProject } from "vitest/node"
import { makeClusterTemplate, withDatabase } from "./testCluster.ts"

/** How a test worker reaches the server; a password of a throw-away server is no secret. */
export interface TestServer {
  readonly url?: string
  readonly host?: string
  readonly username?: string
  readonly password?: string
  /** The migrated database that test files copy. */
  readonly template: string
  /** The other nodes of a distributed PostgreSQL, of which `url` is the coordinator. */
  readonly workers?: ReadonlyArray<string>
}

declare module "vitest" {
  export interface ProvidedContext {
    readonly loopboxTestServer: TestServer
  }
}

// What a run left that was killed may have this process's id.
const template = `loopbox_test_${process.pid}_${Date.now()}`

const makeTemplate = (target: PgAdapters.Target) =>
  Effect.gen(function* () {
    const make = Effect.flatMap(PgClient.PgClient, (sql) => sql`CREATE DATABASE ${sql(template)}`)
    yield* PgAdapters.withLongRunningClient(target, {}, make)
    const inside = withDatabase(target, template)
    yield* Effect.scoped(Layer.build(PgAdapters.layerTarget(inside, { maxConnections: 1 })))
  })

/** The template, and those that tests filled of it (testDatabase.ts). */
const drop = (target: PgAdapters.Target) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const made = yield* sql<{
        datname: string
      }>`SELECT datname FROM pg_database WHERE starts_with(datname, ${template})`
      yield* Effect.forEach(made, ({ datname }) => sql`DROP DATABASE IF EXISTS ${sql(datname)} WITH (FORCE)`)
    })
  )

/** A server that is there already: CI runs the suites on the floor's version, too. */
const useServer = async (project: TestProject, url: string) => {
  const target = { url: Redacted.make(url) }
  await Effect.runPromise(makeTemplate(target))
  project.provide("loopboxTestServer", { url, template })
  return () => Effect.runPromise(drop(target))
}

/** A coordinator with its workers: each has a database of the name, and a copy of all of them is a copy of the whole. */
const useCluster = async (project: TestProject, url: string) => {
  const workers = await Effect.runPromise(makeClusterTemplate(url, template))
  project.provide("loopboxTestServer", { url, template, workers })
  return async () => {
    for (const node of [url, ...workers]) await Effect.runPromise(drop({ url: Redacted.make(node) }))
  }
}

/** One server for the whole run, which forgets what it is told when the machine fails. */
const startServer = async (project: TestProject) => {
  const place = process.env["LOOPBOX_TEST_CLUSTER"] ?? os.tmpdir()
  const folder = fs.mkdtempSync(path.join(place, "loopbox-test-"))
  fs.chmodSync(folder, 0o755)
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" }
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ folder, settings }))
  const { password, socketFolder, username, database } = await runtime.runPromise(EmbeddedPostgres)
  await Effect.runPromise(makeTemplate({ host: socketFolder, username, password, database }))
  project.provide("loopboxTestServer", {
    host: socketFolder,
    username,
    password: Redacted.value(password),
    template
  })
  return async () => {
    await runtime.dispose()
    fs.rmSync(folder, { recursive: true, force: true })
    fs.rmSync(socketFolder, { recursive: true, force: true })
  }
}

const makeServer = (project: TestProject) => {
  const cluster = process.env["LOOPBOX_TEST_CITUS"] ?? ""
  const url = process.env["LOOPBOX_TEST_DATABASE_URL"] ?? ""
  if (cluster !== "") return useCluster(project, cluster)
  return url === "" ? startServer(project) : useServer(project, url)
}

/** Starts one cluster, and makes one migrated database in it, for all test files. */
export const setup = async (project: TestProject) => {
  const close = await makeServer(project)
  return async () => {
    await close()
    // What the host's tests copy (examples/http-host/test/support/preparedFolder).
    fs.rmSync(path.join(os.tmpdir(), template), { recursive: true, force: true })
  }
}
