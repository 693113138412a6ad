import { makeList } from "./List.ts"
import type { Make } from "./Operation.ts"
import { fileParts, fill, headersOf, type Members, split, toQuery } from "./requests.ts"
import type { Body, Received, Sent, Transport } from "./Transport.ts"

const membersOf = (given: unknown): Members => ({ ...Object(given) })

const jsonParts = (
  body: Members,
  headers: Record<string, string>
): { headers: Record<string, string>; body?: Body } => ({
  headers: { ...headers, "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** What makes functions of the lines of the table of operations. */
export const makeCalls = (transport: Transport): Make => {
  const send = async <Data>(
    method: string,
    { options, path }: ReturnType<typeof fill>,
    query: Members,
    parts?: Partial<Sent>
  ): Promise<Received<Data>> =>
    transport.send({
      method,
      path: path + toQuery(query),
      headers: headersOf(options),
      ...parts,
      signal: options.signal
    })
  return {
    list:
      (method, path) =>
      (...given) => {
        const call = fill(path, given)
        const members = membersOf(call.members)
        return makeList(members["cursor"], async (cursor) => send(method, call, { ...members, cursor }))
      },
    query:
      (method, path, answer) =>
      async (...given) => {
        const call = fill(path, given)
        return dataOf(send(method, call, membersOf(call.members), { answer }))
      },
    json:
      (method, path, query = [], shared = []) =>
      async (...given) => {
        const call = fill(path, given)
        const parts = split(membersOf(call.members), query, shared)
        return dataOf(send(method, call, parts.query, jsonParts(parts.body, headersOf(call.options))))
      },
    file:
      (method, path) =>
      async (...given) => {
        const call = fill(path, given)
        return dataOf(send(method, call, call.options.query ?? {}, fileParts(method, call.members, call.options)))
      }
  }
}

const dataOf = async <Data>(received: Promise<{ readonly data: Data }>): Promise<Data> => (await received).data
