import { once } from "node:events"
import { performance } from "node:perf_hooks"
import { randomBytes } from "node:crypto"
import { Worker } from "node:worker_threads"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import pg from "pg"
import { Pool } from "undici"
import { until } from "../examples/http-host/test/support/hostProcess.ts"
import { webhookHeaders } from "../packages/adapters-http/src/node/sending/webhookHeaders.ts"
import type { Benchmark } from "./Benchmark.ts"
import { cpuTimeOf } from "./cpuTime.ts"
import { type Sending, sendOnRecord } from "./sendOnRecord.ts"
import { type EndpointHost, withEndpointHost } from "./webhookEndpoints.ts"
import { withServer } from "./withServer.ts"

const endpoints = 8
const events = 2_500
/** Events before the measured ones: the programs are compiled, and the connections open, as in a worker that runs. */
const warmUp = 500
const perWebhook = 100
/** Deliveries of one endpoint at once, as the worker has them. */
const atOnce = 8

/** Answers 204 and counts, in a thread of its own: neither of those that send waits for it. */
const receiver = `
  const { parentPort, workerData } = require("node:worker_threads")
  const counter = new Int32Array(workerData)
  require("node:http").createServer((request, response) => {
    const parts = []
    request.on("data", (part) => parts.push(part)).on("end", () => {
      if (Atomics.add(counter, 0, 1) === 0) parentPort.postMessage({ body: Buffer.concat(parts).toString() })
      response.writeHead(204).end()
    })
  }).listen(0, "127.0.0.1", function () { parentPort.postMessage({ port: this.address().port }) })`

const messageOf = <S extends Schema.ConstraintDecoder<unknown>>(fields: S) =>
  Schema.decodeUnknownSync(Schema.Tuple([fields]))
const portMessage = messageOf(Schema.Struct({ port: Schema.Int }))
const bodyMessage = messageOf(Schema.Struct({ body: Schema.String }))

const startReceiver = async () => {
  const shared = new SharedArrayBuffer(4)
  const counter = new Int32Array(shared)
  const worker = new Worker(receiver, { eval: true, workerData: shared })
  const [{ port }] = portMessage(await once(worker, "message"))
  return { worker, port, received: () => Atomics.load(counter, 0) }
}

const countAnswer = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ count: Schema.Int }) }))
const itemsAnswer = Schema.decodeUnknownSync(
  Schema.Struct({ data: Schema.TupleWithRest(Schema.Tuple([Schema.Struct({ id: Schema.String })]), [Schema.Unknown]) })
)

/** The same bodies with the same headers, signed and posted as fast as they go, and nothing written down. */
const sendBare = async ({ body, origin, secret }: Sending) => {
  const pools = Array.from({ length: endpoints }, () => new Pool(origin, { connections: atOnce }))
  const send = (count: number) =>
    Promise.all(
      pools.flatMap((pool) =>
        Array.from({ length: atOnce }, async () => {
          for (let n = 0; n < count / atOnce; n++) {
            const message = { body, id: `msg_${n}`, timestamp_s: Math.floor(Date.now() / 1_000) }
            const headers = webhookHeaders(message, [secret])
            const answer = await pool.request({ method: "POST", path: "/hook", headers, body })
            await answer.body.dump()
          }
        })
      )
    )
  // As the worker, which has sent as many before.
  await send(warmUp)
  const start = performance.now()
  const before = process.cpuUsage()
  await send(events)
  const used = process.cpuUsage(before)
  const seconds = (performance.now() - start) / 1_000
  await Promise.all(pools.map((pool) => pool.close()))
  return { rate: (events * endpoints) / seconds, cpu_s: (used.user + used.system) / 1_000_000 }
}

const postmasterRow = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ pid: Schema.Int })]))

/** Begins to count the CPU time of the host, of PostgreSQL and of this process, which has the receiver. */
const countCpu = async (host: number, database: pg.Client) => {
  const { rows } = await database.query("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid")
  const readers = {
    host: cpuTimeOf(host),
    PostgreSQL: cpuTimeOf(postmasterRow(rows)[0].pid),
    receiver: cpuTimeOf(process.pid, "alone")
  }
  const before = Object.entries(readers).flatMap(([what, read]) =>
    read === undefined ? [] : [{ what, read, from: read() }]
  )
  return () => before.map(({ from, read, what }) => `${what} ${perDelivery(read() - from)}`).join(", ")
}

const perDelivery = (cpu_s: number): string => `${Math.round((cpu_s * 1_000_000) / (events * endpoints))} µs`

/** Lets the network tell of comments, and waits until all of them are items. */
const makeItems = async ({ call, comment }: EndpointHost, name: string, count: number) => {
  const unread = async () => countAnswer(await call("GET", "/v1/inbox/unread-count")).data.count
  const before = await unread()
  for (let n = 0; n < count / perWebhook; n++) {
    await comment(Array.from({ length: perWebhook }, (_, m) => `${name}-${n}-${m}`))
  }
  await until("the last item", async () => ((await unread()) >= before + count ? true : undefined))
}

const lastRow = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ last: Schema.NumberFromString })]))

/**
 * What a worker does with events that it finds in the log, from its wake-up to the last delivery that a receiver has: it
 * reads them, writes a delivery for each endpoint, sends and settles. They are made while the endpoints are disabled, so
 * that neither their ingest nor a client that asks for a replay is measured; then the log is said to be unread from there.
 */
export const webhooksOut: Benchmark = {
  name: "webhooks-out",
  description: `events a second of one worker to ${endpoints} webhook endpoints, each delivery on record, against undici alone`,
  better: "higher",
  wanted: 0.7,
  run: () =>
    withServer({}, async ({ url: databaseUrl }) => {
      const { port, received, worker } = await startReceiver()
      const database = new pg.Client({ connectionString: databaseUrl })
      await database.connect()
      try {
        return await withEndpointHost(databaseUrl, async (host) => {
          const { addEndpoint, call, workspace } = host
          const made: Array<string> = []
          for (let n = 0; n < endpoints; n++)
            made.push(await addEndpoint(`http://127.0.0.1:${port}/hook?endpoint=${n}`))
          const first = once(worker, "message")
          await makeItems(host, "warm", warmUp)
          await until("the first deliveries", () => (received() >= warmUp * endpoints ? true : undefined), 60_000, 20)
          const { rows } = await database.query("SELECT last FROM workspace_seq WHERE workspace_id = $1", [workspace])
          const [{ last }] = lastRow(rows)
          for (const id of made) await call("PATCH", `/v1/webhook-endpoints/${id}`, { status: "disabled" })
          await makeItems(host, "c", events)
          for (const id of made) await call("PATCH", `/v1/webhook-endpoints/${id}`, { status: "enabled" })
          const item = itemsAnswer(await call("GET", "/v1/inbox")).data[0].id
          const wanted = received() + events * endpoints
          const cpuSince = await countCpu(host.pid, database)
          const start = performance.now()
          await database.query("UPDATE outgoing_endpoints SET since_seq = $1", [last])
          await database.query("UPDATE outgoing_positions SET position = $1", [last])
          // An event that no endpoint wants wakes the worker.
          await call("POST", `/v1/inbox/${item}/read`)
          await until("the last delivery", () => (received() >= wanted ? true : undefined), 300_000, 20)
          const ours = (events * endpoints) / ((performance.now() - start) / 1_000)
          const cpu = cpuSince()
          const secret = Redacted.make(`whsec_${randomBytes(24).toString("base64")}`)
          const [{ body }] = bodyMessage(await first)
          const sending = { origin: `http://127.0.0.1:${port}`, body, secret, endpoints, atOnce }
          const bare = await sendBare(sending)
          const onRecord = await sendOnRecord(databaseUrl, sending, [warmUp, events])
          return {
            ours,
            baseline: bare.rate,
            unit: "deliveries a second",
            beside: [{ what: "undici with two writes by pg for each delivery", ratio: ours / onRecord, wanted: 0.7 }],
            notes: [
              `with two writes by pg: ${Math.round(onRecord)} deliveries a second`,
              `CPU of a delivery: ${cpu}; of a bare one, with its receiver, ${perDelivery(bare.cpu_s)}`
            ]
          }
        })
      } finally {
        await database.end()
        await worker.terminate()
      }
    })
}
