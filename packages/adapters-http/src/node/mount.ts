import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as HttpRoutes from "../server/HttpRoutes.ts"
import { OpenSockets } from "../server/OpenSockets.ts"
import { layerMac } from "./nodeMac.ts"

/**
 * The routes as a handler of Node requests, for a server that is somebody else's.
 *
 * The server must not have read the body: with Express, mount it before `express.json()`; with Fastify, in a scope
 * without content type parsers. Requests end with the layer's scope.
 */
export class NodeHandler extends Context.Service<
  NodeHandler,
  (request: IncomingMessage, response: ServerResponse) => void
>()("@loopbox/adapters-http/node/NodeHandler") {
  static readonly layer = Layer.effect(
    NodeHandler,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      return yield* NodeHttpServer.makeHandler(yield* HttpRouter.toHttpEffect(HttpRoutes.layer), { scope })
    })
  ).pipe(
    Layer.provide(OpenSockets.layer),
    Layer.provide([HttpRoutes.references, NodeHttpServer.layerHttpServices, layerMac])
  )
}
