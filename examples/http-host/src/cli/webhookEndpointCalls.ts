import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { ask, hostOf, unreadable, withQuery } from "./hostAnswers.ts"
import { callHost, listAll, segment } from "./hostCalls.ts"
import { print, printFields, printJson } from "./output.ts"
import { given } from "./sandboxInputs.ts"
import {
  Delivery,
  DeliveryDetail,
  deliveryLines,
  deliveryTable,
  Endpoint,
  endpointTable
} from "./webhookEndpointText.ts"

/** What every command of endpoints is told. */
export interface EndpointAsker {
  readonly connection: Connection
  readonly json: boolean
}

interface NewEndpoint {
  readonly address: string
  /** As given: separated by commas. */
  readonly events: Option.Option<string>
  readonly externalUserId: Option.Option<string>
  readonly description: Option.Option<string>
  readonly isOrdered: boolean
}

/** Endpoints are the workspace's, and the API wants to hear so. */
const pathOf = (more: string, query: Readonly<Record<string, string>> = {}): string =>
  withQuery(`/v1/webhook-endpoints${more}`, { inbox_scope: "workspace", ...query })

const endpointPath = (endpoint: string, more = ""): string => pathOf(`/${segment(endpoint)}${more}`)

const deliveryPath = (endpoint: string, delivery: string, more = ""): string =>
  endpointPath(endpoint, `/deliveries/${segment(delivery)}${more}`)

const toTypes = (events: string): ReadonlyArray<string> => events.split(",").map((type) => type.trim())

export const createEndpoint = Effect.fnUntraced(function* (
  { connection, json }: EndpointAsker,
  { address, description, events, externalUserId, isOrdered }: NewEndpoint
) {
  const host = yield* hostOf(connection)
  const body = {
    url: address,
    ...given({ external_user_id: externalUserId, description }),
    ...Option.match(events, { onNone: () => ({}), onSome: (types) => ({ events: toTypes(types) }) }),
    is_ordered: isOrdered
  }
  const { data } = yield* callHost(host, { method: "POST", path: pathOf(""), body })
  if (json) return yield* printJson(data)
  yield* printFields(data)
  yield* print("The secret is shown this once. Keep it where secrets are kept: it proves that a post is ours.")
})

const decodeEndpoints = Schema.decodeUnknownOption(Schema.Array(Endpoint))

export const listEndpoints = Effect.fnUntraced(function* ({ connection, json }: EndpointAsker) {
  const host = yield* hostOf(connection)
  const found = yield* listAll(host, pathOf(""))
  if (json) return yield* printJson(found)
  const endpoints = decodeEndpoints(found)
  if (Option.isNone(endpoints)) return yield* unreadable(host.url)
  yield* print(endpoints.value.length === 0 ? "Nothing here." : endpointTable(endpoints.value))
})

/** Posts an example and shows what came of it; fails unless it was taken, so that a script sees it. */
export const sendExample = Effect.fnUntraced(function* (
  { connection, json }: EndpointAsker,
  endpoint: string,
  type: Option.Option<string>
) {
  const host = yield* hostOf(connection)
  const call = { method: "POST", path: endpointPath(endpoint, "/test"), body: given({ type }) } as const
  const sent = yield* ask(host, call, Delivery)
  const path = deliveryPath(endpoint, sent.read.id)
  const { data, read } = yield* ask(host, { method: "GET", path }, DeliveryDetail)
  yield* json ? printJson(data) : print(deliveryLines(read))
  if (read.status !== "delivered") return yield* new CommandFailed({ message: `The example was not taken.` })
})

const decodeDeliveries = Schema.decodeUnknownOption(Schema.Array(Delivery))

export const listDeliveries = Effect.fnUntraced(function* (
  { connection, json }: EndpointAsker,
  endpoint: string,
  {
    cursor,
    limit,
    status
  }: {
    readonly status: Option.Option<string>
    readonly limit: Option.Option<number>
    readonly cursor: Option.Option<string>
  }
) {
  const host = yield* hostOf(connection)
  const query = {
    limit: String(Option.getOrElse(limit, () => 50)),
    ...Option.match(status, { onNone: () => ({}), onSome: (one) => ({ status: one }) }),
    ...Option.match(cursor, { onNone: () => ({}), onSome: (one) => ({ cursor: one }) })
  }
  const path = pathOf(`/${segment(endpoint)}/deliveries`, query)
  const { data, next_cursor = null } = yield* callHost(host, { method: "GET", path })
  if (json) return yield* printJson({ data, next_cursor })
  const deliveries = decodeDeliveries(data)
  if (Option.isNone(deliveries)) return yield* unreadable(host.url)
  yield* print(deliveries.value.length === 0 ? "Nothing here." : deliveryTable(deliveries.value))
  if (next_cursor !== null) yield* print(`\nThere is more: --cursor ${next_cursor}`)
})

export const showDelivery = Effect.fnUntraced(function* (
  { connection, json }: EndpointAsker,
  endpoint: string,
  delivery: string
) {
  const host = yield* hostOf(connection)
  const { data, read } = yield* ask(host, { method: "GET", path: deliveryPath(endpoint, delivery) }, DeliveryDetail)
  yield* json ? printJson(data) : print(deliveryLines(read))
})

export const redeliver = Effect.fnUntraced(function* (
  { connection, json }: EndpointAsker,
  endpoint: string,
  delivery: string
) {
  const host = yield* hostOf(connection)
  const call = { method: "POST", path: deliveryPath(endpoint, delivery, "/redeliver") } as const
  const { data, read } = yield* ask(host, call, Delivery)
  yield* json ? printJson(data) : print(deliveryTable([read]))
})

export const deleteEndpoint = Effect.fnUntraced(function* ({ connection, json }: EndpointAsker, endpoint: string) {
  const host = yield* hostOf(connection)
  yield* callHost(host, { method: "DELETE", path: endpointPath(endpoint) })
  yield* json ? printJson({ id: endpoint, deleted: true }) : print(`${endpoint} is deleted, and its deliveries.`)
})
