import { randomBytes } from "node:crypto"
import { performance } from "node:perf_hooks"
import type * as Redacted from "effect/Redacted"
import pg from "pg"
import { Pool } from "undici"
import { webhookHeaders } from "../packages/adapters-http/src/node/sending/webhookHeaders.ts"

/** What is sent where: the same to each of some endpoints, so often. */
export interface Sending {
  readonly origin: string
  readonly body: string
  readonly secret: Redacted.Redacted
  readonly endpoints: number
  /** Attempts of an endpoint at a time. */
  readonly atOnce: number
}

interface Delivery {
  readonly id: string
  readonly endpoint: number
  readonly seq: number
}

/** Rows of one statement, as the worker writes and settles them. */
const [writtenAtOnce, settledAtOnce] = [2_000, 128]

const write = `INSERT INTO bench_deliveries (workspace_id, id, endpoint_id, message_id, event_type, event_seq, body, status,
    attempts, attempts_in_schedule, due_at, created_at, epoch)
  SELECT 'ws', d.id, d.endpoint_id, d.id, 'inbox.new_item', d.seq, $4, 'pending', 0, 0, now(), now(), 1
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS d (id, endpoint_id, seq)`

const settle = `UPDATE bench_deliveries d SET status = 'delivered', attempts = 1, attempts_in_schedule = 1, due_at = NULL,
    log = d.log || c.attempt
  FROM unnest($1::text[], $2::jsonb[]) AS c (id, attempt)
  WHERE d.workspace_id = 'ws' AND d.id = c.id`

/** Hands on what comes in, and waits while there is nothing. */
const makeQueue = <A>() => {
  const values: Array<A> = []
  const waiting: Array<() => void> = []
  const offer = (some: ReadonlyArray<A>) => {
    values.push(...some)
    for (const wake of waiting.splice(0, some.length)) wake()
  }
  const take = async (count: number): Promise<ReadonlyArray<A>> => {
    while (values.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    return values.splice(0, count)
  }
  return { offer, take }
}

/**
 * The same bodies, signed and posted by undici, each with a row of the table that the worker has, with its indexes: written
 * before by the thousand, and once more with the answer by the hundred. Nothing is read again, and nobody else may do the same.
 */
export const sendOnRecord = async (
  databaseUrl: string,
  { atOnce, body, endpoints, origin, secret }: Sending,
  counts: readonly [warmUp: number, measured: number]
): Promise<number> => {
  const clients = [new pg.Client({ connectionString: databaseUrl }), new pg.Client({ connectionString: databaseUrl })]
  const [writer, settler] = clients
  if (writer === undefined || settler === undefined) throw new Error("no client")
  for (const client of clients) await client.connect()
  await writer.query("CREATE TABLE bench_deliveries (LIKE outgoing_deliveries INCLUDING ALL)")
  const pools = Array.from({ length: endpoints }, () => new Pool(origin, { connections: atOnce }))
  const named = randomBytes(8).toString("hex")
  let seq = 0

  const run = async (events: number): Promise<void> => {
    const waiting = pools.map(() => makeQueue<Delivery>())
    const answered = makeQueue<Delivery>()
    const left = pools.map(() => events)
    const send = async (pool: Pool, endpoint: number) => {
      for (let more = left[endpoint] ?? 0; more > 0; more = left[endpoint] ?? 0) {
        left[endpoint] = more - 1
        const [delivery] = (await waiting[endpoint]?.take(1)) ?? []
        if (delivery === undefined) throw new Error("nothing to send")
        const message = { body, id: delivery.id, timestamp_s: Math.floor(Date.now() / 1_000) }
        const headers = webhookHeaders(message, [secret])
        const answer = await pool.request({ method: "POST", path: "/hook", headers, body })
        await answer.body.dump()
        answered.offer([delivery])
      }
    }
    const writeAll = async () => {
      for (let from = 0; from < events; from += writtenAtOnce / endpoints) {
        const page: Array<Delivery> = []
        for (let n = from; n < Math.min(events, from + writtenAtOnce / endpoints); n++) {
          seq += 1
          for (let endpoint = 0; endpoint < endpoints; endpoint++) {
            page.push({ id: `whd_${named}_${seq}_${endpoint}`, endpoint, seq })
          }
        }
        const values = [
          page.map(({ id }) => id),
          page.map(({ endpoint }) => `ep${endpoint}`),
          page.map((one) => one.seq)
        ]
        await writer.query({ name: "write", text: write, values: [...values, body] })
        for (const [endpoint, queue] of waiting.entries()) queue.offer(page.filter((one) => one.endpoint === endpoint))
      }
    }
    const settleAll = async () => {
      for (let left = events * endpoints; left > 0;) {
        const some = await answered.take(settledAtOnce)
        const attempt = JSON.stringify({ at: Date.now(), status: 204, duration_ms: 1, response: "" })
        const values = [some.map(({ id }) => id), some.map(() => attempt)]
        await settler.query({ name: "settle", text: settle, values })
        left -= some.length
      }
    }
    const senders = pools.flatMap((pool, endpoint) => Array.from({ length: atOnce }, () => send(pool, endpoint)))
    await Promise.all([writeAll(), settleAll(), ...senders])
  }

  const [warmUp, measured] = counts
  await run(warmUp)
  // As autovacuum does, which has seen the worker's table.
  await writer.query("ANALYZE bench_deliveries")
  const start = performance.now()
  await run(measured)
  const seconds = (performance.now() - start) / 1_000
  await Promise.all([...pools.map((pool) => pool.close()), ...clients.map((client) => client.end())])
  return (measured * endpoints) / seconds
}
