import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as NetAddress from "effect/net/NetAddress"
import { CommandFailed } from "./CommandFailed.ts"

/** Where a server shall listen, and what each part of that was given as. */
export interface Wanted {
  readonly host: string
  readonly hostGivenAs: string
  readonly ports: ReadonlyArray<{ readonly port: number; readonly givenAs: string }>
}

/** Any free port, of which no setting tells. */
export const anyPortOf = (host: string): Wanted => ({
  host,
  hostGivenAs: "--host",
  ports: [{ port: 0, givenAs: "--port" }]
})

const reasons: Readonly<Record<string, (port: string, host: string) => string>> = {
  EADDRINUSE: (port) => `it is taken by another program. Choose another with ${port}, or 0 for any free one`,
  EACCES: (port) => `this account may not listen there. Choose a port from 1024 on with ${port}`,
  EADDRNOTAVAIL: (_, host) => `this machine has no such address. ${host} names it`,
  ENOTFOUND: (_, host) => `this machine knows no such name. ${host} names it`
}

/** Why a port could not be opened, and what to do. */
export const explainServeError =
  ({ host, hostGivenAs, ports }: Wanted) =>
  ({ cause }: ServeError): CommandFailed => {
    const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""
    const refused = ports.filter(({ port }) => cause instanceof Error && "port" in cause && cause.port === port)
    // A name that is not known is refused before any port.
    const asked = refused.length > 0 ? refused : ports
    const reason = reasons[code]?.(asked.map(({ givenAs }) => givenAs).join(" or "), hostGivenAs)
    return new CommandFailed({
      message:
        `Cannot listen on ${host}:${asked.map(({ port }) => port).join(" or ")}: ` +
        `${reason ?? (cause instanceof Error ? cause.message : code)}.`
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
