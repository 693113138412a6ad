import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { Threads } from "@loopbox/core/threads/Threads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { EndpointPresence } from "../../api/endpoints/EndpointPresence.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { ThreadPresence } from "../../api/inbox/ThreadPresence.ts"
import { endpointRefusals } from "../endpoints/endpointRefusals.ts"
import { threadFindRefusals } from "./inboxRefusals.ts"

/** Looks for what the path names before a query is refused that can't be read. */
const unlessAbsent =
  <A, E, R>(find: (caller: EntitledCaller, id: string) => Effect.Effect<A, E, R>) =>
  (error: HttpApiSchemaError) =>
    Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      if (error.kind === "Query") yield* find(yield* CurrentEntitlement, params["id"] ?? "")
      return yield* Effect.fail(error)
    })

const layerThreads = Layer.unwrap(
  Effect.map(Threads, (threads) => {
    const judge = unlessAbsent(threads.find)
    return HttpApiMiddleware.layerSchemaErrorTransform(ThreadPresence, (error) =>
      Effect.catchTags(judge(error), threadFindRefusals)
    )
  })
)

const layerEndpoints = Layer.unwrap(
  Effect.map(WebhookEndpoints, (endpoints) => {
    const judge = unlessAbsent(endpoints.find)
    return HttpApiMiddleware.layerSchemaErrorTransform(EndpointPresence, (error) =>
      Effect.catchTags(judge(error), endpointRefusals)
    )
  })
)

/** Queries that can't be read are refused only to whoever may see what they ask of (api.md §2, rows 4 and 5). */
export const layer = Layer.merge(layerThreads, layerEndpoints)
