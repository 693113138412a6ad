import type { Credentials } from "./Credentials.ts"
import { LoopboxError } from "./LoopboxError.ts"
import type { LoopboxOptions, Socket } from "./LoopboxOptions.ts"
import { pageAddress } from "./pageAddress.ts"
import { type Members, toQuery } from "./requests.ts"
import { SocketLine } from "./SocketLine.ts"
import type { Transport } from "./Transport.ts"
import { orAborted } from "./waiting.ts"

const path = "/v1/inbox/ws"

/** What a path for WebSockets alone answers to a plain request: everything else about it was right. */
const upgradeRequired = 426

const unsupported = (message: string, cause?: unknown) =>
  new LoopboxError(message, { status: 0, code: "WEBSOCKET_UNSUPPORTED", cause })

/** The runtimes of servers, and the package `ws`, take headers in the second place; their types do not say so. */
type WithHeaders = new (url: string, options?: { readonly headers: Readonly<Record<string, string>> }) => Socket

const takesHeaders = (constructor: unknown): constructor is WithHeaders => typeof constructor === "function"

export interface SocketOpenerOptions {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly transport: Transport
  readonly WebSocket: LoopboxOptions["WebSocket"]
}

/** Opens sockets, and asks why one was not opened or was closed: a WebSocket does not tell. */
export class SocketOpener {
  readonly #options: SocketOpenerOptions

  constructor(options: SocketOpenerOptions) {
    this.#options = options
  }

  async open(query: Members, signal: AbortSignal | undefined): Promise<SocketLine> {
    const constructor: unknown = this.#options.WebSocket ?? globalThis.WebSocket
    if (!takesHeaders(constructor)) {
      throw unsupported("This runtime has no WebSocket. Give one: new Loopbox({ …, WebSocket }), such as that of `ws`.")
    }
    const { credentials } = this.#options
    const token = await orAborted(credentials.token(), signal)
    const authorization = token === undefined ? await credentials.header() : undefined
    const url = this.#address(toQuery({ ...query, token }))
    if (authorization === undefined) return new SocketLine(new constructor(url))
    try {
      return new SocketLine(new constructor(url, { headers: { authorization } }))
    } catch (error) {
      throw unsupported("This WebSocket can't carry an API key. In a browser give getToken instead of apiKey.", error)
    }
  }

  /** A relative address is that of the page. */
  #address(query: string): string {
    const url = new URL(`${this.#options.baseUrl}${path}${query}`, pageAddress())
    url.protocol = url.protocol.replace("http", "ws")
    return url.href
  }

  /** Why the host refuses such a socket now; undefined where it does not. */
  async refusalOf(query: Members, signal: AbortSignal | undefined): Promise<LoopboxError | undefined> {
    const refusal = await this.#ask(query, signal)
    // The token may have ended, and the next one is as good as the first.
    return refusal?.status === 401 && this.#options.credentials.forget() ? this.#ask(query, signal) : refusal
  }

  async #ask(query: Members, signal: AbortSignal | undefined): Promise<LoopboxError | undefined> {
    const { credentials, transport } = this.#options
    const token = await orAborted(credentials.token(), signal)
    try {
      await transport.send({
        method: "GET",
        path: path + toQuery({ ...query, token }),
        headers: {},
        isWithoutHeader: token !== undefined,
        retries: 0,
        signal
      })
      return undefined
    } catch (error) {
      if (!(error instanceof LoopboxError)) throw error
      return error.status === upgradeRequired ? undefined : error
    }
  }
}
