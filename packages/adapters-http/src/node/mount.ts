import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Drain } from "../server/edge/Drain.ts"
import { inDeepContext } from "../server/edge/inDeepContext.ts"
import { makeRequestsInHand } from "../server/edge/RequestsInHand.ts"
import * as HttpRoutes from "../server/HttpRoutes.ts"
import { HttpSettings } from "../server/system/HttpSettings.ts"
import { LiveSockets } from "../server/sockets/LiveSocket.ts"
import { OpenSockets } from "../server/sockets/OpenSockets.ts"
import { SocketJudge } from "../server/sockets/SocketJudge.ts"
import { type LiveWebSockets, makeLiveWebSockets } from "./LiveWebSocket.ts"
import { givenHeaders } from "./givenHeaders.ts"
import { layerMac } from "./nodeMac.ts"
import { makeUpgradeHandler } from "./upgrades.ts"

/** Answers requests of a Node server; `upgrade` answers what asks to become a WebSocket. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** For `server.on("upgrade", …)`. Without it `GET /v1/inbox/ws` is refused with 426. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/**
 * The routes as a handler of Node requests, for a server that is somebody else's.
 *
 * The server must not have read the body: with Express, mount it before `express.json()`; with Fastify, in a scope
 * without content type parsers. Once the layer's scope ends, WebSockets are told 1012, requests in hand are answered, for
 * `drain` at most, and others refused with 503.
 */
export class NodeHandler extends Context.Service<NodeHandler, NodeListener>()(
  "@loopbox/adapters-http/node/NodeHandler"
) {
  static readonly layer = Layer.unwrap(
    Effect.map(HttpSettings, ({ sockets }) => {
      const live = makeLiveWebSockets(sockets)
      return inDeepContext(Layer.effect(NodeHandler, makeListener(live))).pipe(
        Layer.provide([Layer.provideMerge(Drain.layer, OpenSockets.layer), SocketJudge.layer]),
        Layer.provide([
          Layer.succeed(LiveSockets, live),
          HttpRoutes.references,
          NodeHttpServer.layerHttpServices,
          layerMac
        ])
      )
    })
  )
}

const makeListener = Effect.fnUntraced(function* (live: LiveWebSockets) {
  const routes = yield* HttpRouter.toHttpEffect(HttpRoutes.layer)
  // A scope of their own: requests end after what is added to ours below.
  const scope = yield* Scope.fork(yield* Effect.scope)
  const { atEnd, counted } = yield* makeRequestsInHand
  const handler = yield* NodeHttpServer.makeHandler(counted(routes), { scope })
  const listener = (request: IncomingMessage, response: ServerResponse) => handler(request, givenHeaders(response))
  const upgrade = yield* makeUpgradeHandler(routes, live, scope)
  yield* atEnd
  yield* Drain.atEnd
  return Object.assign(listener, { upgrade })
})
