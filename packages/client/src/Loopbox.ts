import { makeCredentials } from "./Credentials.ts"
import { type EventsOptions, follow, type InboxEvent } from "./events.ts"
import { Operations } from "./generated/operations.ts"
import { judgeOptions } from "./judgeOptions.ts"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { makeCalls } from "./makeCalls.ts"
import { makeConvert, makeLayOver } from "./mediaWork.ts"
import { makeRequest, type Request } from "./request.ts"
import { SocketOpener } from "./SocketOpener.ts"
import { Transport } from "./Transport.ts"

const defaultTimeoutMs = 60_000
const defaultRetries = 2

/** The runtime's own, looked up when it is called, so that what replaces it later is used. */
const runtimeFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)

/**
 * A client of one host: every operation as `loopbox.<tag>.<operation>(…)`, after the operation ids of its OpenAPI document.
 *
 * A call takes the path's ids in order, then one object with the members of query and body, then `{ signal, idempotencyKey,
 * headers }`, and gives `data`. It fails with a `LoopboxError`.
 */
export class Loopbox extends Operations {
  declare readonly inbox: Operations["inbox"] & {
    /** Follows an inbox without an end: each event once and in order, whatever happens to the connection. */
    readonly events: (options: EventsOptions) => AsyncGenerator<InboxEvent, void, void>
  }
  declare readonly conversions: Operations["conversions"] & {
    /** Uploads a GIF unless it is an id, has it converted, waits, and downloads the video. */
    readonly convert: ReturnType<typeof makeConvert>
  }
  declare readonly overlays: Operations["overlays"] & {
    /** Uploads a video and a sound unless they are ids, lays one over the other, waits, and downloads the video. */
    readonly layOver: ReturnType<typeof makeLayOver>
  }
  /** Sends any request, with the client's credentials, time-outs and retries. */
  readonly request: Request

  constructor(options: LoopboxOptions) {
    judgeOptions(options)
    const baseUrl = options.baseUrl.replace(/\/+$/, "")
    const retries = options.retries ?? defaultRetries
    const credentials = makeCredentials(options.apiKey, options.getToken)
    const transport = new Transport({
      baseUrl,
      credentials,
      fetch: options.fetch ?? runtimeFetch,
      timeoutMs: options.timeout ?? defaultTimeoutMs,
      retries
    })
    super(makeCalls(transport))
    const opener = new SocketOpener({ baseUrl, credentials, transport, WebSocket: options.WebSocket })
    this.request = makeRequest(transport)
    Object.assign(this.inbox, { events: (given: EventsOptions) => follow(opener, given, retries) })
    Object.assign(this.conversions, { convert: makeConvert(this.media, this.conversions) })
    Object.assign(this.overlays, { layOver: makeLayOver(this.media, this.overlays) })
  }
}
