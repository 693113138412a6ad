import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Effect from "effect/Effect"
import type { Wire } from "../support.ts"
import { portOf } from "../support.ts"

export interface Follower {
  readonly frames: ReadonlyArray<Wire>
  readonly socket: NodeWS.WebSocket
  /** Ends when there are so many frames. */
  readonly until: (count: number) => Effect.Effect<ReadonlyArray<Wire>>
  readonly closed: Effect.Effect<number>
}

export interface FollowOptions {
  readonly key?: string
  readonly headers?: Record<string, string>
}

/** The port of the server under test, or of another. */
export interface FollowAt extends FollowOptions {
  readonly port: number
  /** What stands before `/v1`. */
  readonly below?: string
}

/** A handshake as text, for clients that are no WebSocket. */
export const handshakeText = (key: string, query: string): string =>
  [
    `GET /v1/inbox/ws?${query} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${key}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n"
  ].join("\r\n")

const headersOf = ({ headers, key }: FollowOptions) => ({
  ...headers,
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
})

/** Follows an inbox; dies when the handshake is refused. */
export const follow = Effect.fnUntraced(function* (query: string, options: FollowOptions = {}) {
  return yield* followAt(query, { ...options, port: yield* portOf })
})

/** The same at a server of its own. */
export const followAt = Effect.fnUntraced(function* (query: string, options: FollowAt) {
  const url = `ws://127.0.0.1:${options.port}${options.below ?? ""}/v1/inbox/ws?${query}`
  return yield* Effect.acquireRelease(
    Effect.callback<Follower>((resume) => {
      const frames: Array<Wire> = []
      const waiting = new Set<() => void>()
      const socket = new NodeWS.WebSocket(url, { headers: headersOf(options) })
      let code: number | undefined
      socket.on("message", (data) => {
        frames.push(JSON.parse(String(data)))
        for (const wake of waiting) wake()
      })
      socket.on("close", (given) => {
        code = given
        for (const wake of waiting) wake()
      })
      const waitFor = <A>(look: () => A | undefined) =>
        Effect.callback<A>((done) => {
          const wake = () => {
            const found = look()
            if (found === undefined) return
            waiting.delete(wake)
            done(Effect.succeed(found))
          }
          waiting.add(wake)
          wake()
          return Effect.sync(() => waiting.delete(wake))
        })
      socket.on("error", (error) => resume(Effect.die(error)))
      socket.on("open", () =>
        resume(
          Effect.succeed({
            frames,
            socket,
            until: (count) => waitFor(() => (frames.length >= count ? frames : undefined)),
            closed: waitFor(() => code)
          })
        )
      )
    }),
    ({ socket }) => Effect.sync(() => socket.terminate())
  )
})

/** The types of frames, or their numbers. */
export const typesOf = (frames: ReadonlyArray<Wire>) => frames.map((frame) => String(frame["type"]))
export const seqsOf = (frames: ReadonlyArray<Wire>) => frames.map((frame) => Number(frame["seq"]))
