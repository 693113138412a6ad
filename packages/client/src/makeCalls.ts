import { makeList } from "./List.ts"
import type { Make } from "./Operation.ts"
import { fileParts, fill, headersOf, type Members, split, toQuery } from "./requests.ts"
import type { Body, Transport } from "./Transport.ts"

const membersOf = (given: unknown): Members => ({ ...Object(given) })

const jsonParts = (
  body: Members,
  headers: Record<string, string>
): { headers: Record<string, string>; body?: Body } => ({
  headers: { ...headers, "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** What makes functions of the lines of the table of operations. */
export const makeCalls = (transport: Transport): Make => ({
  list:
    (method, path) =>
    (...given) => {
      const { members, options, path: filled } = fill(path, given)
      return makeList(async (cursor) => {
        const query = toQuery({ ...membersOf(members), ...(cursor === undefined ? {} : { cursor }) })
        const { signal } = options
        return transport.send({ method, path: filled + query, headers: headersOf(options), signal })
      })
    },
  query:
    (method, path, answer) =>
    async (...given) => {
      const { members, options, path: filled } = fill(path, given)
      const target = filled + toQuery(membersOf(members))
      const sent = { headers: headersOf(options), answer }
      return dataOf(transport.send({ method, path: target, ...sent, signal: options.signal }))
    },
  json:
    (method, path, query = [], shared = []) =>
    async (...given) => {
      const { members, options, path: filled } = fill(path, given)
      const parts = split(membersOf(members), query, shared)
      const target = filled + toQuery(parts.query)
      const sent = jsonParts(parts.body, headersOf(options))
      return dataOf(transport.send({ method, path: target, ...sent, signal: options.signal }))
    },
  file:
    (method, path) =>
    async (...given) => {
      const { members: body, options, path: filled } = fill(path, given)
      const target = filled + toQuery(options.query ?? {})
      return dataOf(transport.send({ method, path: target, ...fileParts(body, options), signal: options.signal }))
    }
})

const dataOf = async <Data>(received: Promise<{ readonly data: Data }>): Promise<Data> => (await received).data
