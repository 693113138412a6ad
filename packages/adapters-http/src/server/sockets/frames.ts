import type { FeedMessage } from "@loopbox/core/feed/FeedMessage"
import type { DeliveredEvent } from "@loopbox/core/items/InboxEvent"
import { type EventBody, toEventBody } from "../../api/inbox/EventBody.ts"

const encoder = new TextEncoder()

/** A whole text frame as a server sends it: unmasked, in one piece (RFC 6455 §5.2). */
const toTextFrame = (text: string): Uint8Array => {
  const payload = encoder.encode(text)
  const { length } = payload
  const head_bytes = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = new Uint8Array(head_bytes + length)
  const view = new DataView(frame.buffer)
  view.setUint8(0, 0x81)
  view.setUint8(1, head_bytes === 2 ? length : head_bytes === 4 ? 126 : 127)
  if (head_bytes === 4) view.setUint16(2, length)
  if (head_bytes === 10) view.setBigUint64(2, BigInt(length))
  frame.set(payload, head_bytes)
  return frame
}
const encode = (body: unknown): Uint8Array => toTextFrame(JSON.stringify(body))

/**
 * Encodes what a subscriber gets; what several get, because their scope is one, is encoded once for all of them.
 * `complete` adds to an event what clients of another product look for.
 */
export const makeToFrame = (heartbeatSeconds: number, complete: (event: EventBody) => object) => {
  const frames = new WeakMap<DeliveredEvent, Uint8Array>()
  const encodeEvent = (event: DeliveredEvent): Uint8Array => {
    const known = frames.get(event)
    if (known !== undefined) return known
    const frame = encode(complete(toEventBody(event)))
    frames.set(event, frame)
    return frame
  }
  const resync = encode({ type: "resync_required" })
  return (message: FeedMessage): Uint8Array => {
    switch (message._tag) {
      case "Hello":
        return encode({ type: "hello", seq: message.seq, heartbeat_seconds: heartbeatSeconds })
      case "ResyncRequired":
        return resync
      case "Delivered":
        return encodeEvent(message.event)
    }
  }
}
