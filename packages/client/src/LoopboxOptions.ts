/** The part of a WebSocket that is used; that of browsers and Node has it, and that of the package `ws`. */
export interface Socket {
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void
  addEventListener(type: "error", listener: () => void): void
  close(code?: number): void
}

export interface LoopboxOptions {
  /** Where the host is, with its prefix if it has one: `https://api.example` or `https://app.example/social`. */
  readonly baseUrl: string
  /** A workspace's API key, or the admin token for `admin` and `accounts`. For servers only. */
  readonly apiKey?: string | undefined
  /** Gives a dashboard token, in a browser; asked when one is needed, and again when it has ended. */
  readonly getToken?: (() => string | Promise<string>) | undefined
  /** Instead of the runtime's own. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Instead of the runtime's own, which Node has from 22 on: `import WebSocket from "ws"`. */
  readonly WebSocket?: (new (url: string, protocols?: string | Array<string>) => Socket) | undefined
  /** Milliseconds that one try may take, 60,000 unless said otherwise; files are not timed. */
  readonly timeout?: number | undefined
  /** Tries after the first of what may be repeated, 2 unless said otherwise. */
  readonly retries?: number | undefined
}

/** What a single call may say besides its members. */
export interface CallOptions {
  /** Ends the call at once; it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** 1 to 255 visible characters of ASCII. The same key never does the same thing twice, so that the call may be repeated. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
