import type { Dispatcher } from "undici"

/** Most of an answer that is read; the rest closes the connection. */
const mostRead_bytes = 64 * 1024

/** Most of an answer that is kept. */
const mostKept_bytes = 4 * 1024

const utf8 = () => new TextDecoder("utf-8", { ignoreBOM: true })
const whole = utf8()

/** Ends a connection with an answer that nobody wants to the end. */
class Enough extends Error {}

/**
 * One request and the beginning of its answer, as undici tells of them: without streams, promises and signals, which
 * cost as much as all the rest. The body is read up to 64 KiB; one that breaks off is what there is of it, for the
 * status has decided already.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Of the answer; undefined until it has come. */
  status: number | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isGivenUp = false
  #read_bytes = 0
  readonly #chunks: Array<Buffer> = []
  readonly #onStatus: () => void
  readonly #onEnd: (cause: unknown) => void

  /** `onEnd` is called once, with what went wrong, if something did. */
  constructor(onStatus: () => void, onEnd: (cause: unknown) => void) {
    this.#onStatus = onStatus
    this.#onEnd = onEnd
  }

  /** Breaks the connection, or never begins. */
  giveUp(): void {
    this.#isGivenUp = true
    this.#controller?.abort(new Enough())
  }

  /** Text of the first 4 KiB: what is not UTF-8 is U+FFFD, and so is NUL, which PostgreSQL does not keep in a text. */
  get text(): string {
    if (this.#chunks.length === 0) return ""
    const bytes = Buffer.concat(this.#chunks)
    // A character that the cut divided is left out.
    const text =
      bytes.length > mostKept_bytes
        ? utf8().decode(bytes.subarray(0, mostKept_bytes), { stream: true })
        : whole.decode(bytes)
    return text.replaceAll("\0", "\uFFFD")
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isGivenUp) controller.abort(new Enough())
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    // 100 Continue and the like come before the answer.
    if (status < 200) return
    this.status = status
    this.#onStatus()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read_bytes <= mostKept_bytes) this.#chunks.push(chunk)
    this.#read_bytes += chunk.length
    if (this.#read_bytes > mostRead_bytes) controller.abort(new Enough())
  }

  onResponseEnd(): void {
    this.#onEnd(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#onEnd(cause)
  }
}
