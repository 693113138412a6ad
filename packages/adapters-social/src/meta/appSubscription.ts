import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { repeatable } from "../calls/repeatable.ts"
import { Id, OptionalId, optionalParts, reader } from "../payloads/payload.ts"
import type { GraphApi, GraphCall } from "./graphApi.ts"

/** Subscriptions of an app are read and made in the name of an account, or of its Page. */
type Call = Omit<GraphCall, "query">

const readApps = reader(
  Schema.Struct({ data: optionalParts(Schema.Struct({ id: OptionalId, subscribed_fields: optionalParts(Id) })) })
)

const anything = () => Result.succeed(undefined)

/** What an app is told of an account. */
export interface AppSubscription {
  /** The fields that our app is told of; none where it is not subscribed. */
  readonly fields: (call: Call) => Effect.Effect<ReadonlyArray<string>, ReadFailed>
  /** Our app is told of these fields from now on, and of no others. */
  readonly set: (call: Call, fields: ReadonlyArray<string>) => Effect.Effect<void, ReadFailed>
  readonly end: (call: Call) => Effect.Effect<void, ReadFailed>
}

/** `{account}/subscribed_apps`. `appId` tells our app among those that a Page may have. */
export const makeAppSubscription = (graph: GraphApi, appId: string | undefined): AppSubscription => {
  const isOurs = (id: Option.Option<string>): boolean => appId === undefined || Option.isNone(id) || id.value === appId
  return {
    fields: (call) =>
      Effect.map(graph.read(call, readApps), ({ data }) =>
        data.filter(({ id }) => isOurs(id)).flatMap(({ subscribed_fields }) => subscribed_fields)
      ),
    set: (call, fields) =>
      repeatable(graph.write({ ...call, query: { subscribed_fields: fields.join(",") } }, { form: {} }, anything)),
    end: (call) => repeatable(graph.delete(call, anything))
  }
}

/** The call of an account's subscriptions; `node` is the account, its Page, or `me`. */
export const subscriptionCall = (access: AccountAccess, node: string, scopes: ReadonlyArray<string>): Call => ({
  access,
  endpoint: "content",
  scopes,
  path: [node, "subscribed_apps"]
})
