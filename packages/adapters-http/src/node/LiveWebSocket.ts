import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Duration from "effect/Duration"
import type { SocketLimits } from "../server/HttpSettings.ts"

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
    clearTimeout(deadline)
    deadline = setTimeout(giveUp, wait_ms)
  }, every_ms)
  socket.on("pong", () => clearTimeout(deadline))
  socket.once("close", () => {
    clearInterval(beat)
    clearTimeout(deadline)
  })
  return beat
}

/** Longest message of a client, in bytes; a longer one closes with 1009. */
const maxPayload = 4 * 1024

/** How `ws` has to behave under `GET /v1/inbox/ws`. */
export const webSocketOptions = ({
  heartbeat,
  pongTimeout
}: SocketLimits): Pick<NodeWS.ServerOptions, "maxPayload" | "WebSocket"> => {
  const every_ms = Duration.toMillis(heartbeat)
  const wait_ms = Duration.toMillis(pongTimeout)
  class LiveWebSocket extends NodeWS.WebSocket {
    // A field, for a constructor of its own would not have the type that `ws` asks for.
    readonly heartbeat = keepAlive(this, every_ms, wait_ms)
  }
  return { maxPayload, WebSocket: LiveWebSocket }
}
