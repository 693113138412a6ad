import { EventBody, HelloBody, ResyncBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import * as Schema from "effect/Schema"
import { sleep } from "../hostProcess.ts"
import { workspaceScope } from "../inboxStream.ts"
import type { Member } from "./hosts.ts"

const decodeFrame = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Union([HelloBody, ResyncBody, EventBody])))

/** What a client of a socket was told, over all its connections: events, and where it was told to look anew. */
export interface Followed {
  readonly name: string
  /** The number from which it follows. */
  readonly after: number
  readonly events: ReadonlyArray<EventBody>
  /** How many events it had each time when it was told to look anew. */
  readonly resyncs: ReadonlyArray<number>
}

/** A client that comes back, where it was, whenever its socket breaks or is told to hang up. */
export const makeFollower = (
  name: string,
  find: () => Member | undefined,
  key: string,
  scope: string,
  after: number
) => {
  const events: Array<EventBody> = []
  const resyncs: Array<number> = []
  let isWanted = true
  let sockets = 0
  let hangUp = (): void => undefined
  /** One connection, until it breaks; after a resync it goes on with what comes from then on. */
  const connect = () =>
    new Promise<void>((resolve) => {
      const from = events.at(-1)?.seq ?? after
      const address = `${find()?.url.replace(/^http/, "ws")}/v1/inbox/ws?${scope}&after=${from}`
      // Node's own takes headers, which a browser's does not; the types are the browser's.
      const socket: WebSocket = Reflect.construct(WebSocket, [address, { headers: { authorization: `Bearer ${key}` } }])
      let isOpen = true
      const end = () => {
        isOpen = false
        resolve()
      }
      hangUp = () => socket.close()
      socket.addEventListener("message", ({ data }: MessageEvent) => {
        // What comes after the end was decided is asked for anew.
        if (!isOpen) return
        const frame = decodeFrame(String(data))
        if (frame.type === "resync_required") resyncs.push(events.length)
        else if (frame.type === "hello") sockets += 1
        else events.push(frame)
      })
      socket.addEventListener("close", end)
      socket.addEventListener("error", end)
    })
  const following = (async () => {
    while (isWanted) {
      await connect()
      await sleep(100)
    }
  })()
  return {
    name,
    isOfUser: scope !== workspaceScope,
    sockets: () => sockets,
    last: (): number => events.at(-1)?.seq ?? after,
    hangUp: () => hangUp(),
    stop: async (): Promise<Followed> => {
      isWanted = false
      hangUp()
      await following
      return { name, after, events, resyncs }
    }
  }
}

export type Follower = ReturnType<typeof makeFollower>
