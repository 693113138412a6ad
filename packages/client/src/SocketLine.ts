import type { Socket } from "./LoopboxOptions.ts"

/** The connection is over; no frame follows. */
export interface Closed {
  readonly type: "closed"
  readonly code: number
}

export type Frame = { readonly type: string; readonly seq?: unknown }

/** More frames than this are not kept for a reader that is slow: the line is closed, and the reader goes on with `after`. */
const mostWaiting = 1_000

/** A code of our own for closing: going away. RFC 6455 lets a client send 1000 and 3000–4999 only. */
const normalClosure = 1000

const isFrame = (value: unknown): value is Frame =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const parse = (data: unknown): Frame | undefined => {
  try {
    const frame: unknown = JSON.parse(String(data))
    return isFrame(frame) ? frame : undefined
  } catch {
    return undefined
  }
}

/** One connection: its frames in order, then how it ended. */
export class SocketLine {
  readonly #socket: Socket
  readonly #waiting: Array<Frame> = []
  #closed: Closed | undefined
  #wake: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.addEventListener("message", ({ data }) => this.#take(parse(data)))
    socket.addEventListener("close", ({ code }) => this.#end(code))
    // What went wrong is told by the end that follows; without a listener some runtimes end the process.
    socket.addEventListener("error", () => this.#wake?.())
  }

  #take(frame: Frame | undefined) {
    if (this.#closed !== undefined || frame === undefined) return
    this.#waiting.push(frame)
    if (this.#waiting.length >= mostWaiting) this.close()
    this.#wake?.()
  }

  #end(code: number) {
    this.#closed ??= { type: "closed", code }
    this.#wake?.()
  }

  /** The next frame, or the end; the end, too, when nothing came for so long. Fails with the signal's reason. */
  async read(withinMs: number, signal: AbortSignal | undefined): Promise<Frame | Closed> {
    signal?.throwIfAborted()
    const frame = this.#waiting.shift()
    if (frame !== undefined) return frame
    if (this.#closed !== undefined) return this.#closed
    await this.#change(withinMs, signal)
    return this.read(withinMs, signal)
  }

  /** Resolves when something came, or the line is over; closes it after that time. */
  #change(withinMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", done)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(() => {
        this.close()
        done()
      }, withinMs)
      signal?.addEventListener("abort", done, { once: true })
      this.#wake = done
    })
  }

  /** Takes no further frame; those that came may still be read. */
  close() {
    this.#end(normalClosure)
    this.#socket.close(normalClosure)
  }
}
