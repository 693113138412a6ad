import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { isDeepStrictEqual } from "node:util"
import { Pool } from "pg"
import { customer } from "../examples/http-host/test/support/apiClient.ts"
import type { Benchmark } from "./Benchmark.ts"
import { compareServers, connections, poolSize, withBaseline } from "./compareServers.ts"
import { openConnection, type Request } from "./load.ts"
import type { SubmitBaselineConfig } from "./submitBaseline.ts"
import { type Submitter, submitStatements } from "./submitStatements.ts"
import { forgetful, withApiHost } from "./withManyItems.ts"
import { withServer } from "./withServer.ts"

/** Of each workspace: none is refused. */
const most = 1_000_000
const path = "/v1/media/gif-conversions"
/** A submit has three times the statements of a list. */
const warmUps = 20_000

const requestOf = (url: string, { key, mediaId }: Submitter): Request => ({
  url: `${url}${path}`,
  key,
  body: JSON.stringify({ gif_media_id: mediaId })
})

/** What is answered, without what is another at each submit. */
const answerOf = async (request: Request): Promise<unknown> => {
  const connection = await openConnection(request.url)
  const text = (await connection.ask(request)).toString()
  connection.close()
  return JSON.parse(text, (name, value: unknown) =>
    ["id", "created_at", "request_id"].includes(name) ? typeof value : value
  )
}

/** From the request of a conversion to the word that it is queued. */
export const submit: Benchmark = {
  name: "submit",
  description:
    "requests a second that queue a GIF conversion (202), against node:http and pg with the same SQL and JSON",
  better: "higher",
  wanted: 0.6,
  run: () =>
    withServer(forgetful, (server) =>
      withApiHost(server, async ({ admin, pid, url }) => {
        // One for each connection, for a workspace's submits take turns.
        const submitters: Array<Submitter> = []
        for (let n = 0; n < connections; n++) {
          const workspaceId = await admin.createWorkspace("enterprise", {
            active_jobs: most,
            gif_conversions_per_24h: most
          })
          const key = await admin.createKey(workspaceId)
          const mediaId = await customer(url, key).upload(Uint8Array.from(animatedGif([10, 10])))
          submitters.push({ key, workspaceId, mediaId })
        }
        const [by] = submitters
        if (by === undefined) throw new Error("nobody submits")
        const statements = await submitStatements(server.target, by)
        const config = { databaseUrl: server.url, connections: poolSize, statements, submitters, most }
        const pool = new Pool({ connectionString: server.url, max: 1 })
        // Admission counts a workspace's jobs: no round is to have more of them than another.
        const tidy = async () => {
          await pool.query("DELETE FROM media_jobs")
          await pool.query("VACUUM ANALYZE media_jobs")
        }
        try {
          return await withBaseline<SubmitBaselineConfig, Awaited<ReturnType<typeof compareServers>>>(
            "submitBaseline.ts",
            config,
            async (baselineUrl, baselinePid) => {
              const ours = submitters.map((one) => requestOf(url, one))
              const baseline = submitters.map((one) => requestOf(baselineUrl, one))
              for (const [n, request] of ours.entries()) {
                const other = baseline[n]
                if (other === undefined || !isDeepStrictEqual(await answerOf(request), await answerOf(other)))
                  throw new Error("the two servers answer differently")
              }
              return compareServers(
                { requests: ours, pid },
                { requests: baseline, pid: baselinePid },
                { tidy, warmUps }
              )
            }
          )
        } finally {
          await pool.end()
        }
      })
    )
}
