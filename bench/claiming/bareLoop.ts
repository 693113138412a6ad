import { randomBytes } from "node:crypto"
import { Client } from "pg"
import type { Contestant } from "./Contestant.ts"
import type { Recording } from "./recordStatements.ts"

/** A row of a claim, as far as the next statements need it. */
interface TakenRow {
  readonly id?: string
  readonly task?: { readonly gifMediaId: string } | null
}

/** The same statements by `pg` in a loop, with nothing around them. */
export const openBareLoop = async (
  connectionString: string,
  { at_ms, inputId, jobId, outputId, token, units }: Recording,
  queue: Contestant["queue"]
): Promise<Contestant> => {
  const client = new Client({ connectionString })
  await client.connect()

  const workOnOne = async (begun: () => void): Promise<void> => {
    const names = new Map([
      [token, randomBytes(16).toString("hex")],
      [outputId, `med_${randomBytes(16).toString("hex").slice(0, 26)}`],
      [jobId, ""],
      [inputId, ""]
    ])
    const later_ms = Date.now() - at_ms
    const rename = (value: unknown): unknown => {
      if (value instanceof Date) return new Date(value.getTime() + later_ms)
      if (Array.isArray(value)) return value.map(rename)
      if (typeof value !== "string") return value
      let renamed = value
      for (const [recorded, own] of names) if (renamed.includes(recorded)) renamed = renamed.replaceAll(recorded, own)
      return renamed
    }
    let isTaken = false
    for (const [n, { isTransaction, statements }] of units.entries()) {
      if (isTransaction) await client.query("BEGIN")
      for (const [m, { text, values }] of statements.entries()) {
        const { rows } = await client.query<TakenRow>({ name: `${n}.${m}`, text, values: values.map(rename) })
        const [{ id, task } = {}] = rows
        if (id !== undefined && !isTaken) names.set(jobId, id)
        if (task === undefined || task === null || isTaken) continue
        names.set(inputId, task.gifMediaId)
        isTaken = true
        begun()
      }
      if (isTransaction) await client.query("COMMIT")
    }
    if (!isTaken) throw new Error("there was no job to take")
  }

  return {
    name: "bare pg",
    queue,
    work: async (jobs, begun) => {
      for (let n = 0; n < jobs; n++) await workOnOne(begun)
    },
    stop: () => client.end()
  }
}
