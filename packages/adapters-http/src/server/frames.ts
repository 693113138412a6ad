import type { FeedMessage } from "@loopbox/core/inbox/EventFeed"
import type { DeliveredEvent } from "@loopbox/core/inbox/InboxEvent"
import { toEventBody } from "../api/EventBody.ts"

/** Encodes what a subscriber gets; what several get, because their scope is one, is encoded once for all of them. */
export const makeToFrame = (heartbeatSeconds: number) => {
  const texts = new WeakMap<DeliveredEvent, string>()
  const encode = (event: DeliveredEvent): string => {
    const known = texts.get(event)
    if (known !== undefined) return known
    const text = JSON.stringify(toEventBody(event))
    texts.set(event, text)
    return text
  }
  return (message: FeedMessage): string => {
    switch (message._tag) {
      case "Hello":
        return JSON.stringify({ type: "hello", seq: message.seq, heartbeat_seconds: heartbeatSeconds })
      case "ResyncRequired":
        return '{"type":"resync_required"}'
      case "Delivered":
        return encode(message.event)
    }
  }
}
