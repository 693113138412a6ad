/** The submit's baseline, a process of its own: `node:http` and `pg`, written as one writes it for this request alone. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Pool, type QueryResultRow } from "pg"
import { toBase32 } from "@loopbox/core/kernel/Ids"
import { findKey, type KeyRow } from "./findKey.ts"
import { type JsonAnswer, serveJson } from "./serveJson.ts"
import type { SqlText } from "./listStatements.ts"
import type { Submitter, SubmitStatements } from "./submitStatements.ts"

export interface SubmitBaselineConfig {
  readonly databaseUrl: string
  readonly connections: number
  readonly statements: SubmitStatements
  readonly submitters: ReadonlyArray<Submitter>
  /** Of each workspace. */
  readonly most: number
}

interface MediaRow extends QueryResultRow {
  readonly status: string
  readonly content_type: string
  readonly size_bytes: number
}

interface FactsRow extends QueryResultRow {
  readonly active_jobs: number
  readonly conversions: number
}

const idOfKey = (key: string): string => key.slice(0, key.lastIndexOf("_"))

/** The statements with another submitter in place of the one who made them. */
const statementsFor = ({ by, key, media, told, transaction }: SubmitStatements, submitter: Submitter) => {
  const keyPart = (text: string) => idOfKey(text).slice(idOfKey(text).lastIndexOf("_") + 1)
  const replace = (text: string) =>
    text
      .replace(by.workspaceId, submitter.workspaceId)
      .replace(by.mediaId, submitter.mediaId)
      .replace(keyPart(by.key), keyPart(submitter.key))
  const replaced = (value: unknown): unknown =>
    typeof value === "string" ? replace(value) : Array.isArray(value) ? value.map(replaced) : value
  const own = ({ text, values }: SqlText): SqlText => ({ text, values: values.map(replaced) })
  return { key: key.map(own), media: own(media), told: own(told), transaction: transaction.map(own) }
}

const makeJobId = (now: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  return `mpj_${toBase32(bytes)}`
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const isReadyGif = (media: MediaRow | undefined): boolean =>
  media?.status === "ready" && media.content_type === "image/gif" && media.size_bytes <= 50_000_000

const serve = ({ connections, databaseUrl, most, statements, submitters }: SubmitBaselineConfig) => {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const known = new Map(submitters.map((one) => [one.key, { ...one, sends: statementsFor(statements, one) }]))
  let requests = 0
  const query = async <Row extends QueryResultRow>(name: string, { text, values }: SqlText) =>
    (await pool.query<Row>({ name, text, values: [...values] })).rows

  const isGood = (key: string, row: KeyRow | undefined): boolean => {
    if (row === undefined) return false
    const hash = createHash("sha256").update(key).digest("hex")
    if (!timingSafeEqual(Buffer.from(hash), Buffer.from(row.secret_hash))) return false
    if (row.expires_at !== null && row.expires_at.getTime() <= Date.now()) return false
    return row.creator_user_id === null || row.creator_role !== null
  }

  /** Whether the job was stored: within the limits, and its GIF was there. */
  const store = async (transaction: ReadonlyArray<SqlText>, id: string, now: number): Promise<boolean> => {
    const own = (value: unknown): unknown => {
      if (value instanceof Date) return new Date(now - (statements.at.getTime() - value.getTime()))
      return value === statements.jobId ? id : value
    }
    const client = await pool.connect()
    try {
      await client.query("BEGIN")
      const found: Array<QueryResultRow | undefined> = []
      for (const [n, { text, values }] of transaction.entries()) {
        if (n === transaction.length - 1) {
          const facts: FactsRow | undefined = found.find(
            (row): row is FactsRow => row !== undefined && "active_jobs" in row
          )
          const media: MediaRow | undefined = found.find(
            (row): row is MediaRow => row !== undefined && "size_bytes" in row
          )
          if (facts === undefined || facts.active_jobs >= most || facts.conversions >= most || !isReadyGif(media)) {
            await client.query("ROLLBACK")
            return false
          }
        }
        const { rows } = await client.query<QueryResultRow>({ name: `submit ${n}`, text, values: values.map(own) })
        found.push(rows[0])
      }
      await client.query("COMMIT")
      return true
    } finally {
      client.release()
    }
  }

  const submit = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    const submitter = known.get(request.headers.authorization?.slice("Bearer ".length) ?? "")
    if (submitter === undefined) return [401, { error: { code: "UNAUTHORIZED" } }]
    const { key, media, told, transaction } = submitter.sends
    if (!isGood(submitter.key, await findKey(query, key))) return [401, { error: { code: "UNAUTHORIZED" } }]
    const body: unknown = JSON.parse(await readBody(request))
    const isAsked = typeof body === "object" && body !== null && "gif_media_id" in body
    if (!isAsked || body.gif_media_id !== submitter.mediaId) return [404, { error: { code: "media_not_found" } }]
    const [record] = await query<MediaRow>("media", media)
    const now = Date.now()
    const id = makeJobId(now)
    if (!isReadyGif(record) || !(await store(transaction, id, now))) return [409, { error: { code: "refused" } }]
    await query("told", told)
    return [
      202,
      {
        data: {
          kind: "gif_to_mp4",
          gif_media_id: submitter.mediaId,
          background_color: "#FFFFFF",
          output_profile: "universal_mp4_v1",
          id,
          status: "queued",
          created_at: new Date(now).toISOString(),
          output_media_id: null,
          progress: null,
          attempts: 0,
          started_at: null,
          completed_at: null,
          error: null
        },
        request_id: `req_${(requests += 1)}`
      }
    ]
  }

  const answer = async (request: IncomingMessage): Promise<JsonAnswer> => {
    return request.method === "POST" && request.url === "/v1/media/gif-conversions"
      ? submit(request)
      : [404, { error: { code: "NOT_FOUND" } }]
  }

  serveJson(answer)
}

process.once("message", serve)
process.once("disconnect", () => process.exit())
