import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as NetAddress from "effect/net/NetAddress"
import { CommandFailed } from "./CommandFailed.ts"

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is taken by another program. Choose another with --port, or 0 for any free one",
  EACCES: "this account may not listen there. Choose a port from 1024 on with --port",
  EADDRNOTAVAIL: "this machine has no such address. --host names it",
  ENOTFOUND: "this machine knows no such name. --host names it"
}

/** Why a port could not be opened, and what to do. */
export const explainServeError =
  (host: string, port: string) =>
  ({ cause }: ServeError): CommandFailed => {
    const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""
    return new CommandFailed({
      message: `Cannot listen on ${host}:${port}: ${reasons[code] ?? (cause instanceof Error ? cause.message : code)}.`
    })
  }

/** Where this machine reaches a server: one that listens everywhere is called on the loopback. */
export const urlOf = Effect.fnUntraced(function* (address: NetAddress.SocketAddress) {
  if (NetAddress.isUnixPathAddress(address)) return HttpServer.formatAddress(address)
  const url = yield* Effect.orDie(Effect.fromResult(NetAddress.toUrl(address)))
  if (NetAddress.isUnspecified(address.address)) url.hostname = "127.0.0.1"
  return url.origin
})

/** The same of the server at hand. */
export const boundUrl = Effect.flatMap(HttpServer.HttpServer, ({ address }) => urlOf(address))
