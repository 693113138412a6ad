import * as Predicate from "effect/Predicate"
import { type IncomingMessage, ServerResponse } from "node:http"
import { Server, Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { MountedApi } from "./MountedApi.ts"
import { addressOf } from "./nodeAddress.ts"
import { behind, trimPrefix } from "./prefix.ts"
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

/**
 * Prefixes that are known of one server; the one that was not asked for the longest is forgotten. A client chooses what it types:
 * Express takes each spelling of a prefix, and one with a parameter is another for each of its values.
 */
const mostPrefixes = 10_000

interface Heard {
  /** Each as `trimPrefix` gives it and in small letters, the one that was asked for last at the end. */
  readonly prefixes: Set<string>
  readonly listener: Upgrade
}

/** The servers whose upgrades we hear, for the live socket. */
export class SocketServers {
  readonly #api: MountedApi
  readonly #heard = new Map<Server, Heard>()

  constructor(api: MountedApi) {
    this.#api = api
  }

  /** Hears the upgrades of a server for the mount under a prefix, by one listener for all of them. */
  hear(server: Server, prefix: string): void {
    const { prefixes } = this.#heard.get(server) ?? this.#listen(server)
    const known = trimPrefix(prefix).toLowerCase()
    prefixes.delete(known)
    prefixes.add(known)
    if (prefixes.size <= mostPrefixes) return
    const [oldest] = prefixes
    if (oldest !== undefined) prefixes.delete(oldest)
  }

  #listen(server: Server): Heard {
    const prefixes = new Set<string>()
    const listener: Upgrade = (request, socket, head) => {
      const url = request.url ?? "/"
      const path = url.split("?", 1)[0] ?? "/"
      const prefix = path.slice(0, -livePath.length)
      if (path.endsWith(livePath) && prefixes.has(trimPrefix(prefix).toLowerCase())) {
        this.#upgrade(request, url.slice(prefix.length), prefix, socket, head)
      } else if (server.listenerCount("upgrade") === 1) {
        handBack(server, request, socket)
      }
    }
    const heard: Heard = { prefixes, listener }
    this.#heard.set(server, heard)
    server.on("upgrade", listener)
    return heard
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
    for (const [server, { listener }] of this.#heard) server.off("upgrade", listener)
    this.#heard.clear()
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
