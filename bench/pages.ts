import { Schema } from "effect"
import { type Connection, openConnection, type Request } from "./load.ts"

const Page = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ id: Schema.String })),
    next_cursor: Schema.NullOr(Schema.String)
  })
)
const decode = Schema.decodeUnknownSync(Page)

const get = async (connection: Connection, request: Request) => decode((await connection.ask(request)).toString())

/** Ids of a list's page. */
export const idsOf = async (request: Request): Promise<ReadonlyArray<string>> => {
  const connection = await openConnection(request.url)
  const { data } = await get(connection, request)
  connection.close()
  return data.map(({ id }) => id)
}

/** Items of a page, and of each page on the way to a deep one: a cursor is good for any limit. */
const pageSize = 50
const strideSize = 500

/** The request for a page of 50 items of a list, by the cursor of the page before; `list` has a query. */
export const walkTo = async (list: Request, page: number): Promise<Request> => {
  const connection = await openConnection(list.url)
  let request: Request = { ...list, url: `${list.url}&limit=${pageSize}` }
  for (let left = (page - 1) * pageSize; left > 0;) {
    const limit = Math.min(left, strideSize)
    const cursor = new URL(request.url).searchParams.get("cursor")
    const url = `${list.url}&limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`
    const { data, next_cursor } = await get(connection, { ...list, url })
    if (next_cursor === null || data.length !== limit) throw new Error(`the list ends before page ${page}`)
    left -= data.length
    request = { ...list, url: `${list.url}&limit=${pageSize}&cursor=${next_cursor}` }
  }
  connection.close()
  return request
}
