import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as NetAddress from "effect/net/NetAddress"
import { ServeError } from "effect/http/HttpServerError"
import type { IncomingMessage, Server } from "node:http"
import { answerParserErrors } from "./parserErrors.ts"

/** The port of operations, where there is one. */
export class OperationsPort extends Context.Service<
  OperationsPort,
  { readonly address: Option.Option<NetAddress.InetAddress> }
>()("@loopbox/adapters-http/node/OperationsPort") {
  /** One port is for everything. */
  static readonly none: Layer.Layer<OperationsPort> = Layer.succeed(OperationsPort, { address: Option.none() })
}

/** Hands what comes in by a second port to the same routes, and remembers which requests those are. */
export const makeOperations = (main: Server) => {
  const noted = new WeakSet<object>()
  const hand = (request: IncomingMessage, response: unknown) => {
    noted.add(request)
    main.emit("request", request, response)
  }
  const upgrade = (request: IncomingMessage, socket: unknown, head: unknown) => {
    noted.add(request)
    main.emit("upgrade", request, socket, head)
  }
  const listen = (server: Server, options: { readonly host: string; readonly port: number }) =>
    Effect.acquireRelease(
      Effect.callback<void, ServeError>((resume) => {
        const onError = (cause: Error) => resume(Effect.fail(new ServeError({ cause })))
        server.once("error", onError)
        server.listen(options.port, options.host, () => {
          server.off("error", onError)
          resume(Effect.void)
        })
      }),
      // It stays open until the other port's requests are answered, so that `/readyz` says why.
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
  const layer = (options: { readonly host: string; readonly port: number; readonly server: Server }) =>
    Layer.effect(
      OperationsPort,
      Effect.gen(function* () {
        const { server } = options
        yield* answerParserErrors(server)
        server.on("request", hand)
        server.on("upgrade", upgrade)
        yield* listen(server, options)
        const bound = server.address()
        const address =
          bound === null || typeof bound === "string"
            ? Option.none()
            : Option.some(
                yield* Effect.orDie(Effect.fromResult(NetAddress.inetAddressFromIpString(bound.address, bound.port)))
              )
        return OperationsPort.of({ address })
      })
    )
  return { has: (source: object) => noted.has(source), layer }
}
