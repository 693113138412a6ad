import type { Dispatcher } from "undici"

/** Most of an answer that is read; the rest closes the connection. */
const mostRead_bytes = 64 * 1024

/** Most of an answer that is kept. */
const mostKept_bytes = 4 * 1024

/** The beginning of an answer's body, as far as it has come. */
export class AnswerHead {
  #chunks: Array<Buffer> = []
  #read_bytes = 0

  /** Reads up to 64 KiB. A body that breaks off is what there is of it: the status has decided already. */
  async read(body: Dispatcher.ResponseData["body"], signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => body.destroy())
    for await (const chunk of body) {
      const part = Buffer.from(chunk)
      if (this.#read_bytes <= mostKept_bytes) this.#chunks.push(part)
      this.#read_bytes += part.length
      if (this.#read_bytes > mostRead_bytes) return
    }
  }

  /** Text of the first 4 KiB: what is not UTF-8 is U+FFFD, and so is NUL, which PostgreSQL does not keep in a text. */
  get text(): string {
    const bytes = Buffer.concat(this.#chunks)
    return (
      new TextDecoder("utf-8", { ignoreBOM: true })
        // A character that the cut divided is left out.
        .decode(bytes.subarray(0, mostKept_bytes), { stream: bytes.length > mostKept_bytes })
        .replaceAll("\0", "\uFFFD")
    )
  }
}
