import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import { controlRoutes } from "./controlRoutes.ts"
import { dialogRoutes, networkRoutes } from "../networkRoutes.ts"
import { Sandbox } from "../Sandbox.ts"

/** No request is larger than a text and some ids, except for those that bring a file. */
const mostBody = ByteSize.kibibytes(256)

/**
 * The networks' APIs under `/instagram`, `/facebook`, `/threads` and `/x`, for the connectors' base URLs, and the
 * people's actions, faults and records under `/sandbox`. For loopback only: whoever reaches it can act.
 */
export const layer = (options: {
  /** What Facebook's `appsecret_proof` is checked against. */
  readonly metaAppSecret: Redacted.Redacted<string>
}): Layer.Layer<never, never, HttpRouter.HttpRouter | Sandbox> =>
  HttpRouter.addAll(
    Effect.map(Effect.service(Sandbox), (sandbox) =>
      [...networkRoutes(sandbox, options.metaAppSecret), ...controlRoutes(sandbox)].map((route) =>
        HttpRouter.route(
          route.method,
          route.path,
          Effect.provideService(route.handler, HttpIncomingMessage.MaxBodySize, mostBody)
        )
      )
    )
  )

/** The dialogs alone, at the same paths: for people whose browser is on another machine. */
export const dialogs = (options: {
  readonly metaAppSecret: Redacted.Redacted<string>
}): Layer.Layer<never, never, HttpRouter.HttpRouter | Sandbox> =>
  HttpRouter.addAll(Effect.map(Effect.service(Sandbox), (sandbox) => dialogRoutes(sandbox, options.metaAppSecret)))
