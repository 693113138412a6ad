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

const idOf = Effect.map(HttpRouter.RouteContext, ({ params }) => params["id"] ?? "")

const layerThreads = Layer.unwrap(
  Effect.map(Threads, (threads) =>
    HttpApiMiddleware.layerSchemaErrorTransform(
      ThreadPresence,
      Effect.fnUntraced(function* (error: HttpApiSchemaError) {
        if (error.kind === "Query") yield* threads.find(yield* CurrentEntitlement, yield* idOf)
        return yield* Effect.fail(error)
      }, Effect.catchTags(threadFindRefusals))
    )
  )
)

const layerEndpoints = Layer.unwrap(
  Effect.map(WebhookEndpoints, (endpoints) =>
    HttpApiMiddleware.layerSchemaErrorTransform(
      EndpointPresence,
      Effect.fnUntraced(function* (error: HttpApiSchemaError) {
        if (error.kind === "Query") yield* endpoints.find(yield* CurrentEntitlement, yield* idOf)
        return yield* Effect.fail(error)
      }, Effect.catchTags(endpointRefusals))
    )
  )
)

/** Queries that can't be read are refused only to whoever may see what they ask of (api.md §2, rows 4 and 5). */
export const layer = Layer.merge(layerThreads, layerEndpoints)
