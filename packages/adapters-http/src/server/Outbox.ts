import * as Predicate from "effect/Predicate"

/** What is asked of the connection under a WebSocket; a socket of Node has it. */
export interface Transport {
  /** Bytes that wait in the server. */
  readonly writableLength: number
  /** Bytes that were ever written, those that wait included. */
  readonly bytesWritten: number
  readonly destroy: () => void
}

const isTransport = (value: unknown): value is Transport =>
  Predicate.hasProperty(value, "writableLength") &&
  Predicate.isNumber(value.writableLength) &&
  Predicate.hasProperty(value, "bytesWritten") &&
  Predicate.isNumber(value.bytesWritten) &&
  Predicate.hasProperty(value, "destroy") &&
  Predicate.isFunction(value.destroy)

/** The connection of a request, where the server is Node's. */
export const transportOf = (source: object): Transport | undefined =>
  Predicate.hasProperty(source, "socket") && isTransport(source.socket) ? source.socket : undefined

/**
 * What waits in the server for one client.
 *
 * A WebSocket takes whatever it is given: nobody else counts.
 */
export class Outbox {
  readonly #transport: Transport
  readonly #maxBytes: number
  readonly #maxFrames: number
  /** Where each frame that may still wait ends, in bytes ever written. */
  #ends: Array<number> = []

  constructor(transport: Transport, limits: { readonly maxQueuedBytes: number; readonly maxQueuedFrames: number }) {
    this.#transport = transport
    this.#maxBytes = limits.maxQueuedBytes
    this.#maxFrames = limits.maxQueuedFrames
  }

  get bytes(): number {
    return this.#transport.writableLength
  }

  /** Frames that wait, the one that is half sent included. */
  get frames(): number {
    const sent = this.#transport.bytesWritten - this.#transport.writableLength
    const waiting = this.#ends.findIndex((end) => end > sent)
    if (waiting !== 0) this.#ends = waiting < 0 ? [] : this.#ends.slice(waiting)
    return this.#ends.length
  }

  get isFull(): boolean {
    return this.bytes >= this.#maxBytes || (this.#ends.length >= this.#maxFrames && this.frames >= this.#maxFrames)
  }

  get isHalfEmpty(): boolean {
    return this.bytes <= this.#maxBytes / 2 && this.frames <= this.#maxFrames / 2
  }

  /** To be called after each frame. */
  wrote(): void {
    if (this.#transport.writableLength === 0) this.#ends.length = 0
    else this.#ends.push(this.#transport.bytesWritten)
  }

  destroy(): void {
    this.#transport.destroy()
  }
}
