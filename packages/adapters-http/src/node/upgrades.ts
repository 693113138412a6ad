import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { LiveWebSockets } from "./LiveWebSocket.ts"

const isForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade === undefined || headers.upgrade.toLowerCase() === "websocket"

/** The connection's end is told otherwise; without a listener an error would end the process. */
const ignore = (): void => {}

/**
 * Answers what asks for an upgrade, by the same routes as all else.
 *
 * A request that becomes a WebSocket ends there, like one that is answered: effect's own upgrade keeps the request, its
 * fiber and all that is known of them until the socket's end, which is most of the memory that an idle socket takes.
 */
export const makeUpgradeHandler = Effect.fnUntraced(function* <E, R>(
  routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  sockets: LiveWebSockets,
  scope: Scope.Scope
) {
  const answer = yield* NodeHttpServer.makeHandler(routes, { scope })
  // What asks for another protocol becomes nothing, and is answered; it may come with a body.
  const answerOther = yield* NodeHttpServer.makeUpgradeHandler(Effect.succeed(sockets.server), routes, { scope })
  return (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    if (!isForWebSocket(request)) return answerOther(request, connection, head)
    const { socket } = request
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    response.on("finish", () => socket.end())
    socket.on("error", ignore)
    const detach = () => {
      response.detachSocket(socket)
      // Nothing is written any more: it has ended, and goes nowhere.
      response.end()
    }
    sockets.note(request, { head, detach })
    answer(request, response)
  }
})
