import { WebSocket } from "@effect/platform-node/NodeWS"
import { now_ms } from "./crowdMessages.ts"

/** A text frame, and when it came. */
export interface HeardFrame {
  readonly text: string
  readonly at_ms: number
}

/** One WebSocket that looks at what it gets. */
export const listenTo = async (url: string, key: string) => {
  const heard: Array<HeardFrame> = []
  const waiting = new Set<() => void>()
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } })
  let failure: Error | undefined
  const wake = () => {
    for (const look of waiting) look()
  }
  socket.on("message", (data) => {
    heard.push({ text: String(data), at_ms: now_ms() })
    wake()
  })
  socket.on("error", (error) => {
    failure = error
    wake()
  })
  socket.on("close", (code) => {
    failure ??= new Error(`the socket was closed with ${code}`)
    wake()
  })
  /** The first frame, from `from` on, that has a text in it. */
  const find = (part: string, from = 0): Promise<HeardFrame> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = heard.slice(from).find(({ text }) => text.includes(part))
        if (found === undefined && failure === undefined) return
        waiting.delete(look)
        if (found === undefined) reject(failure)
        else resolve(found)
      }
      waiting.add(look)
      look()
    })
  await find('"type":"hello"')
  return { heard, find, close: () => socket.close() }
}
export type Listener = Awaited<ReturnType<typeof listenTo>>
