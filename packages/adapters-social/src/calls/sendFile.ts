import * as http from "node:http"
import * as https from "node:https"
import { pipeline } from "node:stream/promises"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Bytes that are never all in memory; how many they are is known before. */
export interface FileBody {
  readonly bytes: Stream.Stream<Uint8Array, unknown>
  readonly size_bytes: number
}

export interface FileAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/**
 * How long an answer is waited for after sending has failed: who refuses a file by its headers closes the connection in the middle
 * of it, and why has come before or comes with that.
 */
const answerMayCome_ms = 200

/** Nothing that could be read came back. */
export class NotSent extends Data.TaggedError("NotSent")<{ readonly cause: unknown }> {}

/** An answer to an upload is a line. */
const mostAnswer_bytes = 64 * 1024

/**
 * Posts a file as it is, with its length. `fetch` sends what it streams in chunks without a length, which Meta's host of
 * uploads does not take (social-networks-write.md B2). Interrupting it breaks the connection.
 */
export const sendFile = (
  url: string,
  headers: Readonly<Record<string, string>>,
  { bytes, size_bytes }: FileBody
): Effect.Effect<FileAnswer, NotSent> =>
  Effect.tryPromise({
    try: async (signal) => {
      const { request } = url.startsWith("https:") ? https : http
      const sent = request(url, {
        method: "POST",
        headers: { "content-type": "application/octet-stream", ...headers, "content-length": size_bytes },
        signal
      })
      const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
        sent.on("response", resolve)
        sent.on("error", (cause) => setTimeout(reject, answerMayCome_ms, cause))
      })
      const sending = pipeline(Stream.toAsyncIterable(bytes), sent)
      // It is waited for only where the answer says that all is well.
      sending.catch(() => undefined)
      const read = async (): Promise<FileAnswer> => {
        const answer = await answered
        // What is accepted before it is through is sent to its end.
        if ((answer.statusCode ?? 0) < 300) await sending
        const chunks: Array<Buffer> = []
        let length = 0
        for await (const chunk of answer) {
          const part = Buffer.from(chunk)
          length += part.length
          if (length > mostAnswer_bytes) throw new Error("the answer is too long")
          chunks.push(part)
        }
        const named = Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()] as const)
        return { status: answer.statusCode ?? 0, headers: Object.fromEntries(named), body: Buffer.concat(chunks) }
      }
      return read().finally(() => {
        // Who refuses a file need not end the connection: the rest would be sent for nothing.
        if (!sent.writableFinished) sent.destroy()
      })
    },
    catch: (cause) => new NotSent({ cause })
  })
