import * as Predicate from "effect/Predicate"
import { type IncomingMessage, ServerResponse } from "node:http"
import { Server, Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { MountedApi } from "./MountedApi.ts"
import { addressOf } from "./nodeAddress.ts"
import { behind } from "./prefix.ts"
import { noteAddress } from "./requestAddress.ts"

const livePath = "/v1/inbox/ws"

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Answers a request as if nobody had asked to upgrade it, as Node does where nobody listens for that: our listener must
 * not break what was there before it. A body cannot be had any more.
 */
const handBack = (server: Server, request: IncomingMessage, socket: Duplex): void => {
  if (!(socket instanceof Socket) || (request.method !== "GET" && request.method !== "HEAD")) {
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    return
  }
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once("finish", () => socket.destroySoon())
  server.emit("request", request, response)
}

/** The servers whose upgrades we hear, for the live socket. */
export class SocketServers {
  readonly #api: MountedApi
  readonly #heard = new Map<Server, Map<string, Upgrade>>()

  constructor(api: MountedApi) {
    this.#api = api
  }

  /** Hears the upgrades of a server for the mount under a prefix; once for each, however often it is called. */
  hear(server: Server, prefix: string): void {
    const prefixes = this.#heard.get(server) ?? new Map<string, Upgrade>()
    if (prefixes.has(prefix)) return
    const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const rest = behind(prefix, request.url ?? "/")
      if (rest?.split("?", 1)[0] === livePath) this.#upgrade(request, rest, prefix, socket, head)
      // Whoever hears an upgrade last answers it, where nobody else may.
      else if (server.listeners("upgrade").every((one) => this.#isOurs(server, one))) {
        if (server.listeners("upgrade").at(-1) === listener && !this.#isTaken(server, request)) {
          handBack(server, request, socket)
        }
      }
    }
    prefixes.set(prefix, listener)
    this.#heard.set(server, prefixes)
    server.on("upgrade", listener)
  }

  /** For a server whose upgrades somebody else hears and hands over. */
  listenerFor(prefix: string): Upgrade {
    return (request, socket, head) =>
      this.#upgrade(request, behind(prefix, request.url ?? "/") ?? "/-", prefix, socket, head)
  }

  /** The same for the server that a connection came to, if it tells. */
  hearConnection(socket: unknown, prefix: string): void {
    if (Predicate.hasProperty(socket, "server") && socket.server instanceof Server) this.hear(socket.server, prefix)
  }

  /** Hears no upgrades any more. */
  leave(): void {
    for (const [server, prefixes] of this.#heard) {
      for (const listener of prefixes.values()) server.off("upgrade", listener)
    }
    this.#heard.clear()
  }

  #isOurs(server: Server, listener: unknown): boolean {
    return [...(this.#heard.get(server)?.values() ?? [])].some((own) => own === listener)
  }

  #isTaken(server: Server, { url = "/" }: IncomingMessage): boolean {
    return [...(this.#heard.get(server)?.keys() ?? [])].some(
      (prefix) => behind(prefix, url)?.split("?", 1)[0] === livePath
    )
  }

  #upgrade(request: IncomingMessage, rest: string, prefix: string, socket: Duplex, head: Buffer): void {
    noteAddress(request, addressOf(request, prefix))
    request.url = rest
    this.#api.node().then(
      ({ upgrade }) => upgrade(request, socket, head),
      () => socket.destroy()
    )
  }
}
