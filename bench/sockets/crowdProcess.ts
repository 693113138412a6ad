/** Many WebSocket clients in a process of their own, which reads orders from its parent. */
import * as Schema from "effect/Schema"
import { connect } from "node:net"
import { type CrowdAnswer, CrowdOrder, now_ms } from "./crowdMessages.ts"
import { closeFrame, FrameCounter, pingFrame, shortText } from "./frameCounter.ts"

const tell = (answer: CrowdAnswer): void => {
  process.send?.(answer)
}

const handshakesAtOnce = 64
/** Opcode, and the mask that a client must give: of an empty pong it changes nothing. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

interface Client {
  isOpen: boolean
  pings: number
}

type Opening = Extract<CrowdOrder, { readonly _tag: "Open" }>

const clients: Array<Client> = []
let expected = Number.POSITIVE_INFINITY
let arrived = 0
let first_ms = 0

const count = (frames: number): void => {
  if (frames === 0) return
  if (arrived === 0) first_ms = now_ms()
  arrived += frames
  if (arrived < expected) return
  expected = Number.POSITIVE_INFINITY
  tell({ _tag: "Arrived", first_ms, last_ms: now_ms() })
}

const open = ({ authorization, greeting }: Opening, url: URL): Promise<void> =>
  new Promise((opened, failed) => {
    const client: Client = { isOpen: false, pings: 0 }
    const socket = connect(Number(url.port), url.hostname)
    const frames = new FrameCounter((opcode) => {
      if (opcode === closeFrame) socket.end()
      if (opcode !== pingFrame) return
      client.pings++
      socket.write(pong)
    })
    let head = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on("data", (chunk) => {
      if (client.isOpen) return count(frames.push(chunk))
      head = Buffer.concat([head, chunk])
      const end = head.indexOf("\r\n\r\n")
      if (end < 0) return
      if (!head.toString("latin1").startsWith("HTTP/1.1 101")) return failed(new Error(head.toString("latin1")))
      client.isOpen = true
      clients.push(client)
      if (greeting !== undefined) socket.write(shortText(greeting))
      count(frames.push(head.subarray(end + 4)))
      opened()
    })
    socket.on("error", failed)
    socket.on("close", () => {
      client.isOpen = false
    })
    socket.write(
      [
        `GET ${url.pathname}${url.search} HTTP/1.1`,
        `Host: ${url.host}`,
        `Authorization: ${authorization}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "\r\n"
      ].join("\r\n")
    )
  })

const openAll = async (opening: Opening): Promise<void> => {
  const url = new URL(opening.url)
  let begun = 0
  const openOneByOne = async () => {
    while (begun++ < opening.count) await open(opening, url)
  }
  await Promise.all(Array.from({ length: handshakesAtOnce }, openOneByOne))
}

const obey = async (order: CrowdOrder): Promise<void> => {
  switch (order._tag) {
    case "Open":
      await openAll(order)
      return tell({ _tag: "Opened" })
    case "Expect":
      arrived = 0
      expected = order.frames
      return tell({ _tag: "Expecting" })
    case "Look": {
      const alive = clients.filter(({ isOpen }) => isOpen)
      return tell({
        _tag: "Seen",
        open: alive.length,
        pings: alive.reduce((sum, { pings }) => sum + pings, 0),
        leastPings: Math.min(...alive.map(({ pings }) => pings))
      })
    }
  }
}

const decode = Schema.decodeUnknownSync(CrowdOrder)
process.on("message", (message) => {
  obey(decode(message)).catch((error: unknown) => tell({ _tag: "Failed", message: String(error) }))
})
process.on("disconnect", () => process.exit())
