import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Duration from "effect/Duration"
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { SocketLimits } from "../server/system/HttpSettings.ts"
import type { LiveSocket } from "../server/sockets/LiveSocket.ts"
import { SameDelay } from "./SameDelay.ts"

/** What goes wrong ends the socket, and `close` tells of that. */
const ignore = (): void => {}

let lastFrame: Uint8Array = new Uint8Array(0)
let lastBuffer: Buffer = Buffer.alloc(0)

/** Node would make a `Buffer` of the same bytes for each of thousands of sockets that get a frame one after the other. */
const toBuffer = (frame: Uint8Array): Buffer => {
  if (frame !== lastFrame) {
    lastFrame = frame
    lastBuffer = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
  }
  return lastBuffer
}

/** A socket of `ws` and the connection under it. */
class Connected implements LiveSocket {
  readonly #socket: NodeWS.WebSocket
  readonly #connection: Socket

  constructor(socket: NodeWS.WebSocket, connection: Socket) {
    this.#socket = socket
    this.#connection = connection
  }

  get isOpen(): boolean {
    return this.#socket.readyState === NodeWS.WebSocket.OPEN
  }

  get writableLength(): number {
    return this.#connection.writableLength
  }

  get bytesWritten(): number {
    return this.#connection.bytesWritten
  }

  send(frame: Uint8Array): void {
    // `ws` would make a head for each socket, and write it and the text apart. Without compression it has no queue of
    // its own that this could overtake.
    this.#connection.write(toBuffer(frame))
  }

  cork(): void {
    this.#connection.cork()
  }

  uncork(): void {
    this.#connection.uncork()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  destroy(): void {
    this.#connection.destroy()
  }

  onEnd(listener: () => void): void {
    if (this.#socket.readyState === NodeWS.WebSocket.CLOSED) listener()
    else this.#socket.on("close", listener)
  }
}

/** Longest message of a client, in bytes; a longer one closes with 1009. */
const maxPayload = 4 * 1024

/** Pings those that it is given now and then, and tears the connections of who does not answer. */
const makeKeepAlive = ({ heartbeat, pongTimeout }: SocketLimits) => {
  // From the first ping without an answer on: the next ping may come sooner than the answer must.
  const silent = new SameDelay<NodeWS.WebSocket>(Duration.toMillis(pongTimeout), (socket) => {
    // One that is closing has its own deadline, and may still be reading.
    if (socket.readyState === NodeWS.WebSocket.OPEN) socket.terminate()
  })
  const beating = new SameDelay<NodeWS.WebSocket>(Duration.toMillis(heartbeat), (socket) => {
    if (socket.readyState !== NodeWS.WebSocket.OPEN) return
    socket.ping()
    if (!silent.has(socket)) silent.add(socket)
    beating.add(socket)
  })
  // One function each for all of them, that finds its socket in `this`.
  function onPong(this: NodeWS.WebSocket): void {
    silent.delete(this)
  }
  function onClose(this: NodeWS.WebSocket): void {
    silent.delete(this)
    beating.delete(this)
  }
  return (socket: NodeWS.WebSocket): void => {
    socket.on("pong", onPong)
    socket.on("close", onClose)
    beating.add(socket)
  }
}

/** A request that asks to become a WebSocket, until it is answered or has become one. */
export interface Upgrading {
  /** What the client has sent behind its request. */
  readonly head: Buffer
  /** Has nobody answer any more by HTTP. */
  readonly detach: () => void
}

/** The requests that ask to become WebSockets, and how they do. */
export const makeLiveWebSockets = (limits: SocketLimits) => {
  // Nobody looks at `ws`'s own list of them.
  const server = new NodeWS.WebSocketServer({ maxPayload, noServer: true, clientTracking: false })
  const upgrading = new WeakMap<object, Upgrading>()
  const keepAlive = makeKeepAlive(limits)
  const accept = (request: object): LiveSocket | undefined => {
    const found = upgrading.get(request)
    if (found === undefined || !(request instanceof IncomingMessage)) return undefined
    upgrading.delete(request)
    found.detach()
    let live: LiveSocket | undefined
    // It calls back before it returns, or has ended the connection.
    server.handleUpgrade(request, request.socket, found.head, (socket) => {
      socket.on("error", ignore)
      keepAlive(socket)
      live = new Connected(socket, request.socket)
    })
    return live
  }
  return {
    server,
    note: (request: IncomingMessage, found: Upgrading): void => void upgrading.set(request, found),
    accept
  }
}
export type LiveWebSockets = ReturnType<typeof makeLiveWebSockets>
