import * as Context from "effect/Context"

/** A WebSocket after its upgrade, as this API uses it: text frames out, at once. */
export interface LiveSocket {
  /** Whether frames may still be sent; not once either side has begun to close. */
  readonly isOpen: boolean
  /** Bytes that wait in the server. */
  readonly writableLength: number
  /** Bytes that were ever written, those that wait included. */
  readonly bytesWritten: number
  /** Sends a whole frame, whose bytes may be shared with other sockets. */
  readonly send: (frame: Uint8Array) => void
  /** Holds frames back until `uncork`, which writes them in one go. */
  readonly cork: () => void
  readonly uncork: () => void
  readonly close: (code: number, reason: string) => void
  /** Tears the connection. */
  readonly destroy: () => void
  /** Calls once the connection has ended, also if that was before. */
  readonly onEnd: (listener: () => void) => void
}

/** Makes a request a WebSocket, which ends the request: 101 goes out. None where the server takes no upgrade. */
export const LiveSockets = Context.Reference<{
  readonly accept: (source: object) => LiveSocket | undefined
}>("@loopbox/adapters-http/server/LiveSockets", { defaultValue: () => ({ accept: () => undefined }) })
