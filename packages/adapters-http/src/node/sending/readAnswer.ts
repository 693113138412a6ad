import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"

/** Most of an answer that is read; the rest closes the connection. */
const mostRead_bytes = 64 * 1024

/** Most of an answer that is kept. */
const mostKept_bytes = 4 * 1024

/** How long the body of an answer may take, whose status has come already. */
const patience = "5 seconds"

/** Text of the first bytes: what is not UTF-8 is U+FFFD, and so is NUL, which PostgreSQL does not keep in a text. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true })
    // A character that the cut divided is left out.
    .decode(bytes.subarray(0, mostKept_bytes), { stream: bytes.length > mostKept_bytes })
    .replaceAll("\0", "\uFFFD")

/**
 * The first 4 KiB of an answer's body, read up to 64 KiB and for five seconds. What breaks off is what there is: the
 * status has decided already.
 */
export const readAnswer = (body: Dispatcher.ResponseData["body"]): Effect.Effect<string> =>
  Effect.suspend(() => {
    const kept: Array<Buffer> = []
    let read_bytes = 0
    const reading = Effect.tryPromise(async (signal) => {
      signal.addEventListener("abort", () => body.destroy())
      for await (const chunk of body) {
        const part = Buffer.from(chunk)
        if (read_bytes <= mostKept_bytes) kept.push(part)
        read_bytes += part.length
        if (read_bytes > mostRead_bytes) break
      }
    })
    return reading.pipe(
      Effect.timeoutOption(patience),
      Effect.ignore,
      Effect.map(() => textOf(Buffer.concat(kept)))
    )
  })
