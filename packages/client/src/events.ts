import type { components } from "./generated/wire.ts"
import { LoopboxError } from "./LoopboxError.ts"
import { mayPass } from "./retrying.ts"
import type { Frame, SocketLine } from "./SocketLine.ts"
import type { SocketOpener } from "./SocketOpener.ts"
import { backoff, wait } from "./waiting.ts"

/** A frame with its number, or the word that what came before can't be told. */
export type InboxEvent = components["schemas"]["InboxEvent"] | components["schemas"]["InboxResyncRequired"]

export interface EventsOptions {
  readonly inbox_scope: "managed_user" | "workspace"
  readonly external_user_id?: string | undefined
  /** `seq` of the last event that was handled: what came since is told first. */
  readonly after?: number | undefined
  /** The workspace of a dashboard token that names none. */
  readonly workspace_id?: string | undefined
  /** Ends it at once; the loop fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Told when a connection stands, with the workspace's last number then, and when it is lost. Not for what to read. */
  readonly onConnection?: ((change: ConnectionChange) => void) | undefined
}

/** What is known of the line under `events`; it is made anew by itself. */
export type ConnectionChange = { readonly isConnected: true; readonly seq: number } | { readonly isConnected: false }

/** How long the first frame may take. */
const helloMs = 20_000

/** A page's script sees no pings. A line that is silent for so long is made anew, in case the other end is gone. */
const silentMs = 5 * 60_000

const firstBackoffMs = 500
const mostBackoffMs = 30_000

/** Its type is what the host's document says; a frame of a type that this version does not know is given as it is. */
const isEvent = (frame: Frame): frame is InboxEvent & Frame => frame.type !== "hello"

const numberOf = (frame: Frame): number | undefined => (typeof frame.seq === "number" ? frame.seq : undefined)

/** Where a subscription is, over all of its connections. */
class Position {
  /** What the next connection asks for. */
  after: number | undefined
  /** The workspace's last number when this connection began. */
  begun = 0
  hasBegun = false
  failures = 0

  constructor(after: number | undefined) {
    this.after = after
  }

  /** Notes a frame; true where the caller gets it. */
  take(frame: Frame): boolean {
    const seq = numberOf(frame)
    if (frame.type === "hello") {
      this.begun = seq ?? 0
      this.after ??= this.begun
      this.hasBegun = true
      this.failures = 0
      return false
    }
    if (frame.type === "resync_required") {
      this.after = this.begun
      return true
    }
    if (seq === undefined) return false
    if (this.after !== undefined && seq <= this.after) return false
    this.after = seq
    return true
  }
}

async function* framesOf(
  line: SocketLine,
  position: Position,
  { onConnection, signal }: Pick<EventsOptions, "onConnection" | "signal">
): AsyncGenerator<InboxEvent> {
  let hasBegun = false
  try {
    for (let withinMs = helloMs; ; withinMs = silentMs) {
      const frame = await line.read(withinMs, signal)
      if (frame.type === "closed") return
      if (position.take(frame) && isEvent(frame)) yield frame
      if (frame.type !== "hello") continue
      hasBegun = true
      onConnection?.({ isConnected: true, seq: position.begun })
    }
  } finally {
    line.close()
    if (hasBegun) onConnection?.({ isConnected: false })
  }
}

/**
 * Follows an inbox without an end: each event once and in order, over as many connections as it takes. After a lost one it
 * goes on behind the last event that was given.
 *
 * Before the first connection stands, it is tried as often as any request; afterwards until it stands again.
 */
export async function* follow(
  opener: SocketOpener,
  { after, onConnection, signal, ...scope }: EventsOptions,
  retries: number
): AsyncGenerator<InboxEvent, void, void> {
  const position = new Position(after)
  for (;;) {
    signal?.throwIfAborted()
    const line = await opener.open({ ...scope, after: position.after }, signal)
    const failuresBefore = position.failures
    yield* framesOf(line, position, { onConnection, signal })
    signal?.throwIfAborted()
    const refusal = await opener.refusalOf({ ...scope, after: position.after }, signal)
    if (refusal !== undefined && !mayPass(refusal, position.hasBegun)) throw refusal
    position.failures++
    if (!position.hasBegun && failuresBefore >= retries) throw refusal ?? unreachable()
    const asked = (refusal?.retryAfter ?? 0) * 1_000
    await wait(Math.min(asked, mostBackoffMs) + backoff(position.failures - 1, firstBackoffMs, mostBackoffMs), signal)
  }
}

const unreachable = () =>
  new LoopboxError("The host answers, but its WebSocket can't be opened: does a proxy in front pass `Upgrade` on?", {
    status: 0,
    code: "CONNECTION_FAILED"
  })
