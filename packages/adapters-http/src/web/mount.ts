import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Mac from "effect/crypto/Mac"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Drain } from "../server/edge/Drain.ts"
import { makeRequestsInHand } from "../server/edge/RequestsInHand.ts"
import * as HttpRoutes from "../server/HttpRoutes.ts"
import { OpenSockets } from "../server/sockets/OpenSockets.ts"
import { SocketJudge } from "../server/sockets/SocketJudge.ts"

/**
 * The routes as a fetch handler: for Hono, Next's route handlers, Bun, Deno. Once the layer's scope ends, requests in hand are
 * answered, for `drain` at most, and others refused with 503. What is left then is answered 503, and files on their way break off.
 */
export class WebHandler extends Context.Service<WebHandler, (request: Request) => Promise<Response>>()(
  "@loopbox/adapters-http/web/WebHandler"
) {
  static readonly layer = Layer.effect(
    WebHandler,
    Effect.gen(function* () {
      const routes = yield* HttpRouter.toHttpEffect(HttpRoutes.layer)
      const context = yield* Effect.context<never>()
      // A scope of their own: requests end after what is added to ours below.
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { atEnd, counted } = yield* makeRequestsInHand
      yield* atEnd
      yield* Drain.atEnd
      const answered = Effect.andThen(endsWith(scope), Effect.map(counted(routes), bodyEndsWith(scope)))
      return HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(answered)
    })
  ).pipe(
    Layer.provide([Layer.provideMerge(Drain.layer, OpenSockets.layer), SocketJudge.layer]),
    Layer.provide([HttpRoutes.references, HttpServer.layerServices, Mac.layerWebCrypto])
  )
}

/** What runs in this fiber is interrupted where it goes on longer than the scope. What comes later is refused by the edge. */
const endsWith = (scope: Scope.Scope) =>
  Effect.withFiber<void>((fiber) => {
    if (scope.state._tag !== "Closed") Fiber.runIn(fiber, scope)
    return Effect.void
  })

/** A body is given by a fiber of its own, when the request's has ended. */
const bodyEndsWith =
  (scope: Scope.Scope) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    const { body } = response
    if (body._tag !== "Stream") return response
    const stream = Stream.unwrap(Effect.as(endsWith(scope), body.stream))
    return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
  }
