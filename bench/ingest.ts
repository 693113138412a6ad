import { randomBytes } from "node:crypto"
import { performance } from "node:perf_hooks"
import { Pool } from "pg"
import { administrator } from "../examples/http-host/test/support/apiClient.ts"
import { startHost, temporaryFolder, until } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { countingServer, countStatements, prepareCounting } from "./statementCount.ts"
import { type Comment, deliver } from "./webhooks.ts"
import { withServer } from "./withServer.ts"

/** A batch is a delivery of 25 comments to each of four accounts. */
const pages = ["1001", "1002", "1003", "1004"]
const batch = 100
const batches = 200
/** What comes one by one, as on a quiet day. */
const singles = 500
/** Requests of the network at once, and connections of the plain inserts. */
const atOnce = 10

const appSecret = "the-secret-of-an-app"

const inTurn = async <A>(all: ReadonlyArray<A>, use: (one: A) => Promise<unknown>): Promise<void> => {
  const left = all.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of left) await use(one)
    })
  )
}

const commentsOf = (name: string, count: number): ReadonlyArray<Comment> =>
  Array.from({ length: count }, (_, n) => ({ page: pages[n % pages.length] ?? "", id: `${name}-${n}` }))

interface Measured {
  readonly perSecond: number
  /** Statements for each item. */
  readonly statements: number
}

/** Runs with a host in production's way, which ingests what is delivered. */
const withIngest = async <A>(databaseUrl: string, use: (url: string) => Promise<A>): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const adminToken = randomBytes(24).toString("hex")
  const host = await startHost(folder, {
    DATABASE_URL: databaseUrl,
    LOOPBOX_SECRET_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    // Nobody outside is asked for anything.
    LOOPBOX_NETWORKS: "sandbox",
    LOOPBOX_META_APP_SECRETS: appSecret
  })
  try {
    const admin = administrator(host.url, adminToken)
    const workspace = await admin.createWorkspace("enterprise")
    for (const page of pages) await admin.connectAccount(workspace, "instagram", page)
    return await use(host.url)
  } finally {
    await host.stop()
    remove()
  }
}

/** Delivers, and waits until the last of it is an item. */
const ingestAll = async (
  url: string,
  onlooker: Pool,
  deliveries: ReadonlyArray<ReadonlyArray<Comment>>
): Promise<Measured> => {
  const items = deliveries.flat().length
  const known = async () =>
    (await onlooker.query<{ n: number }>("SELECT count(*)::int AS n FROM items")).rows[0]?.n ?? 0
  const before = await known()
  await onlooker.query("SELECT pg_stat_statements_reset()")
  const start = performance.now()
  await inTurn(deliveries, (comments) => deliver(url, appSecret, comments))
  await until(
    "the last item",
    async () => {
      const { rows } = await onlooker.query("SELECT 1 FROM webhook_deliveries WHERE state = 'pending' LIMIT 1")
      return rows.length === 0 ? true : undefined
    },
    120_000,
    20
  )
  const seconds = (performance.now() - start) / 1_000
  const statements = await countStatements(onlooker)
  const stored = (await known()) - before
  if (stored !== items) throw new Error(`${stored} of ${items} items were stored`)
  return { perSecond: items / seconds, statements: statements / items }
}

/** The same rows into a table with the same indexes, each by an INSERT of its own, and nothing else. */
const insertAll = async (pool: Pool, onlooker: Pool): Promise<Measured> => {
  await pool.query("CREATE TABLE plain_items (LIKE items INCLUDING ALL)")
  const { rows } = await pool.query<{ row: unknown }>("SELECT to_jsonb(i) AS row FROM items i")
  await onlooker.query("SELECT pg_stat_statements_reset()")
  const start = performance.now()
  const text = "INSERT INTO plain_items SELECT * FROM jsonb_populate_record(NULL::plain_items, $1)"
  await inTurn(rows, ({ row }) => pool.query({ name: "insert", text, values: [JSON.stringify(row)] }))
  const seconds = (performance.now() - start) / 1_000
  return { perSecond: rows.length / seconds, statements: (await countStatements(onlooker)) / rows.length }
}

const sentence = (what: string, { perSecond, statements }: Measured): string =>
  `${what}: ${Math.round(perSecond)} items a second, ${statements.toFixed(2)} statements for each`

/** From a network's POST to the item, its thread, its event and its count. */
export const ingest: Benchmark = {
  name: "ingest",
  description: `SQL statements for each of ${batch * batches} comments out of webhooks of ${batch}, against one INSERT each`,
  better: "lower",
  wanted: 2,
  run: () =>
    withServer(countingServer, async ({ url }) => {
      const pool = new Pool({ connectionString: url, max: atOnce })
      const onlooker = new Pool({ connectionString: url, max: 1, options: "-c role=onlooker" })
      // The server that ends tells it also those that are just ending; whoever waits for an answer hears of it there.
      for (const one of [pool, onlooker]) one.on("error", () => undefined)
      try {
        await prepareCounting(pool)
        return await withIngest(url, async (hostUrl) => {
          await ingestAll(hostUrl, onlooker, [commentsOf("warm", 2_000)])
          const all = commentsOf("batched", batch * batches)
          const deliveries = Array.from({ length: batches }, (_, n) => all.slice(n * batch, (n + 1) * batch))
          const batched = await ingestAll(hostUrl, onlooker, deliveries)
          const single = await ingestAll(
            hostUrl,
            onlooker,
            commentsOf("single", singles).map((comment) => [comment])
          )
          const plain = await insertAll(pool, onlooker)
          const notes = [
            sentence(`webhooks of ${batch}`, batched),
            sentence("webhooks of one", single),
            sentence("plain INSERTs by pg", plain)
          ]
          return { ours: batched.statements, baseline: plain.statements, unit: "statements for each item", notes }
        })
      } finally {
        await Promise.all([pool.end(), onlooker.end()])
      }
    })
}
