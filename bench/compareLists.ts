import { isDeepStrictEqual } from "node:util"
import { rich } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import { compareServers, poolSize, repeated, withBaseline } from "./compareServers.ts"
import type { BaselineConfig } from "./listBaseline.ts"
import { type List, listStatements } from "./listStatements.ts"
import { openConnection, type Request } from "./load.ts"
import type { ManyItems } from "./withManyItems.ts"

/** Of a page. */
export const limit = 50

interface OneServer {
  readonly request: Request
  readonly pid: number
}

/** Without what is judged of an item, which the baseline leaves out. */
const withoutJudged = (name: string, value: unknown): unknown =>
  name === "capabilities" || name === "reply_window" ? undefined : value

const dataOf = async (request: Request): Promise<unknown> => {
  const connection = await openConnection(request.url)
  const { data } = JSON.parse((await connection.ask(request)).toString(), withoutJudged)
  connection.close()
  return data
}

/** A managed user's list by the host, and by `node:http` and `pg` with the same statements and the same JSON. */
export const withSameList = async <A>(
  { list, q }: { readonly list: List; readonly q?: string },
  { key, pid, server, url }: ManyItems,
  use: (ours: OneServer, baseline: OneServer) => Promise<A>
): Promise<A> => {
  const statements = await listStatements(server.target, { key, limit, list, q })
  const config = { list, databaseUrl: server.url, connections: poolSize, statements }
  return withBaseline<BaselineConfig, A>("listBaseline.ts", config, async (baselineUrl, baselinePid) => {
    const path = `${list}?inbox_scope=managed_user&external_user_id=${rich}&limit=${limit}${q === undefined ? "" : `&q=${encodeURIComponent(q)}`}`
    const ours = { request: { url: `${url}${path}`, key }, pid }
    const baseline = { request: { url: `${baselineUrl}${path}`, key }, pid: baselinePid }
    if (!isDeepStrictEqual(await dataOf(ours.request), await dataOf(baseline.request))) {
      throw new Error("the two servers answer differently")
    }
    return use(ours, baseline)
  })
}

const asServer = ({ pid, request }: OneServer) => ({ pid, requests: repeated(request) })

/** How many requests each of them answers. */
export const compareLists = (list: List, items: ManyItems, options: { readonly warmUps?: number } = {}) =>
  withSameList({ list }, items, (ours, baseline) => compareServers(asServer(ours), asServer(baseline), options))
