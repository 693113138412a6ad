import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Mac from "effect/crypto/Mac"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Drain } from "../server/edge/Drain.ts"
import { makeRequestsInHand } from "../server/edge/RequestsInHand.ts"
import * as HttpRoutes from "../server/HttpRoutes.ts"
import { OpenSockets } from "../server/sockets/OpenSockets.ts"
import { SocketJudge } from "../server/sockets/SocketJudge.ts"

/**
 * The routes as a fetch handler: for Hono, Next's route handlers, Bun, Deno. Once the layer's scope ends, requests in hand are
 * answered, for `drain` at most, and others refused with 503.
 */
export class WebHandler extends Context.Service<WebHandler, (request: Request) => Promise<Response>>()(
  "@loopbox/adapters-http/web/WebHandler"
) {
  static readonly layer = Layer.effect(
    WebHandler,
    Effect.gen(function* () {
      const routes = yield* HttpRouter.toHttpEffect(HttpRoutes.layer)
      const context = yield* Effect.context<never>()
      const { atEnd, counted } = yield* makeRequestsInHand
      yield* atEnd
      yield* Drain.atEnd
      return HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(
        counted(routes)
      )
    })
  ).pipe(
    Layer.provide([Layer.provideMerge(Drain.layer, OpenSockets.layer), SocketJudge.layer]),
    Layer.provide([HttpRoutes.references, HttpServer.layerServices, Mac.layerWebCrypto])
  )
}
