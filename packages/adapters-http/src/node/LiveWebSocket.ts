import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Duration from "effect/Duration"
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { SocketLimits } from "../server/system/HttpSettings.ts"
import type { LiveSocket } from "../server/sockets/LiveSocket.ts"

/** Pings the peer now and then, and tears the connection down when it does not answer. */
const keepAlive = (socket: NodeWS.WebSocket, every_ms: number, wait_ms: number) => {
  let deadline: NodeJS.Timeout | undefined
  const giveUp = () => {
    // One that is closing has its own deadline, and may still be reading.
    if (socket.readyState === NodeWS.WebSocket.OPEN) socket.terminate()
  }
  const beat = setInterval(() => {
    if (socket.readyState !== NodeWS.WebSocket.OPEN) return
    socket.ping()
    // From the first ping without an answer on: the next ping may come sooner than the answer must.
    deadline ??= setTimeout(giveUp, wait_ms)
  }, every_ms)
  socket.on("pong", () => {
    clearTimeout(deadline)
    deadline = undefined
  })
  socket.once("close", () => {
    clearInterval(beat)
    clearTimeout(deadline)
  })
  return beat
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
    this.#connection.write(frame)
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
}

/** Longest message of a client, in bytes; a longer one closes with 1009. */
const maxPayload = 4 * 1024

/** How `ws` has to behave under `GET /v1/inbox/ws`, and the sockets that it makes. */
export const makeLiveWebSockets = ({ heartbeat, pongTimeout }: SocketLimits) => {
  const every_ms = Duration.toMillis(heartbeat)
  const wait_ms = Duration.toMillis(pongTimeout)
  const found = new WeakMap<object, LiveSocket>()
  // `ws` makes a socket in the same breath in which it asks whether the client may have one.
  let upgrading: IncomingMessage | undefined
  const note = (socket: NodeWS.WebSocket): LiveSocket | undefined => {
    if (upgrading === undefined) return undefined
    const live = new Connected(socket, upgrading.socket)
    found.set(upgrading, live)
    upgrading = undefined
    return live
  }
  class LiveWebSocket extends NodeWS.WebSocket {
    // Fields, for a constructor of its own would not have the type that `ws` asks for.
    readonly heartbeat = keepAlive(this, every_ms, wait_ms)
    readonly live = note(this)
  }
  const websocket: Pick<NodeWS.ServerOptions, "maxPayload" | "verifyClient" | "WebSocket"> = {
    maxPayload,
    WebSocket: LiveWebSocket,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) => {
      upgrading = req
      return true
    }
  }
  return { websocket, find: (source: object) => found.get(source) }
}
