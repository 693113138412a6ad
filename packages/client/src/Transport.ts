import { LoopboxError } from "./LoopboxError.ts"
import type { Credentials } from "./Credentials.ts"
import { retryAfterOf, retryDelay } from "./retrying.ts"
import { deadline, orAborted, wait } from "./waiting.ts"

/** What fetch takes as a body. */
export type Body = Exclude<RequestInit["body"], null | undefined>

export interface Sent {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Body | undefined
  /** What is answered when all is well, data unless said otherwise; `unknown` where only the caller knows. */
  readonly answer?: "file" | "nothing" | "unknown" | undefined
  readonly signal?: AbortSignal | undefined
  /** Files come and go as long as they take. */
  readonly isFile?: boolean | undefined
  /** The token stands in the query. */
  readonly isWithoutHeader?: boolean | undefined
  /** Instead of the client's. */
  readonly retries?: number | undefined
}

export interface Received<Data> {
  readonly data: Data
  readonly requestId: string | null
  readonly nextCursor: string | null
  /** The answer; its body is read already, unless it is a file. */
  readonly response: Response
}

export interface TransportOptions {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly retries: number
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => ({ ...Object(value) })
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const isStream = (body: Body | undefined): boolean =>
  typeof ReadableStream === "function" && body instanceof ReadableStream

/** What is no JSON is no answer of the API: undefined, in which nobody finds a member. */
const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The refusal in an answer. What stands between us and the host answers in ways of its own. */
const toError = (response: Response, text: string): LoopboxError => {
  const envelope = recordOf(parse(text))
  const error = recordOf(envelope["error"])
  const code = textOf(error["code"])
  const message = textOf(error["message"]) ?? `The answer was ${response.status}, not that of a host.`
  return new LoopboxError(message, {
    status: response.status,
    code: code ?? (response.status === 503 || response.status === 429 ? "TEMPORARILY_UNAVAILABLE" : "INVALID_ANSWER"),
    details: recordOf(error["details"]),
    requestId: textOf(envelope["request_id"]) ?? response.headers.get("x-request-id"),
    retryAfter: retryAfterOf(response.headers.get("retry-after"), response.headers.get("date"))
  })
}

/** No file of the API is a text or a page: one that came was written by what stands between us and the host. */
const isFile = (response: Response): boolean =>
  !/^(application\/json\b|text\/)/i.test(response.headers.get("content-type") ?? "")

/** Whether nothing is to be read here: there is no data, or there is a file, which the caller reads. */
const isLeft = (response: Response, { answer, method }: Sent): boolean => {
  if (response.status === 204) return answer === "nothing" || (answer === "unknown" && method !== "GET")
  return answer !== undefined && answer !== "nothing" && isFile(response)
}

/**
 * What was answered, or the error in it. A page that says 200, as that of a login or of an app does for any address, is no
 * success. Of the API, an answer is believed to be what the host's document says of it: the types of this
 * package were made of that, and members that are not known are kept.
 */
const receive = async <Data>(response: Response, sent: Sent): Promise<Received<Data>> => {
  const header = response.headers.get("x-request-id")
  if (response.ok && isLeft(response, sent)) {
    const { data } = Object({ data: response.status === 204 ? undefined : response })
    return { data, requestId: header, nextCursor: null, response }
  }
  const text = await response.text()
  const envelope = parse(text)
  // 202 X_REMOTE_ACCEPTED_RECONCILING is a success that carries an error.
  if (!response.ok || !("data" in recordOf(envelope))) throw toError(response, text)
  return {
    data: envelope.data,
    requestId: textOf(envelope.request_id) ?? header,
    nextCursor: textOf(envelope.next_cursor),
    response
  }
}

/** Sends requests with credentials, time-outs and the retries that are safe. */
export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  async send<Data>(sent: Sent): Promise<Received<Data>> {
    const hasKey = Object.keys(sent.headers).some((name) => name.toLowerCase() === "idempotency-key")
    const isReplayable = !isStream(sent.body)
    let hasRenewed = false
    for (let tries = 1; ; tries++) {
      try {
        return await this.#sendOnce<Data>(sent)
      } catch (error) {
        if (!(error instanceof LoopboxError)) throw error
        const mayRenew = error.status === 401 && isReplayable && !hasRenewed && sent.isWithoutHeader !== true
        if (mayRenew && this.#options.credentials.forget()) {
          hasRenewed = true
          continue
        }
        const attempt = { method: sent.method, hasKey, isReplayable, tries }
        const delay = retryDelay(error, attempt, sent.retries ?? this.#options.retries)
        if (delay === undefined) throw error
        await wait(delay, sent.signal)
      }
    }
  }

  async #sendOnce<Data>(sent: Sent): Promise<Received<Data>> {
    sent.signal?.throwIfAborted()
    const header = sent.isWithoutHeader === true ? undefined : this.#options.credentials.header()
    const authorization = await orAborted(Promise.resolve(header), sent.signal)
    const limit = deadline(sent.signal, sent.isFile === true ? Infinity : this.#options.timeoutMs)
    try {
      const init = {
        method: sent.method,
        headers: { ...(authorization === undefined ? {} : { authorization }), ...sent.headers },
        signal: limit.signal,
        ...(sent.body === undefined ? {} : { body: sent.body }),
        ...(isStream(sent.body) ? { duplex: "half" } : {})
      }
      const response = await this.#options.fetch(`${this.#options.baseUrl}${sent.path}`, init)
      const received = await receive<Data>(response, sent)
      // A file is still to come: the caller's signal ends that, too.
      if (received.response.bodyUsed || received.response.body === null) limit.release()
      else limit.stopClock()
      return received
    } catch (error) {
      limit.release()
      sent.signal?.throwIfAborted()
      if (error instanceof LoopboxError) throw error
      if (limit.isOver()) {
        const message = `There was no answer within ${this.#options.timeoutMs} ms.`
        throw new LoopboxError(message, { status: 0, code: "TIMED_OUT", cause: error })
      }
      throw new LoopboxError("The host could not be reached.", { status: 0, code: "CONNECTION_FAILED", cause: error })
    }
  }
}
