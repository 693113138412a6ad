import { makeRandom, type Random } from "@loopbox/testing/fixtures/seeded"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import { makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { call, portOf } from "../support.ts"
import { follow, handshakeText } from "./socketSupport.ts"

/** Frames of one connection; most connections end with the first that may not be. */
const framesOfOne = 20

const lengths = [0, 1, 2, 125, 126, 127, 200, 65_535, 65_536] as const

/** A client's frame of RFC 6455 §5.2, in which anything may be wrong: flags, kind, mask, length, and the bytes. */
const makeFrame = (random: Random): Uint8Array => {
  const kinds = [0, 1, 1, 2, 3, 8, 9, 9, 10, 10, 11, 15] as const
  const flags = random.chance(0.8) ? 0x80 : random.below(16) << 4
  const payload = Uint8Array.from({ length: random.below(random.chance(0.9) ? 126 : 2_000) }, () => random.below(256))
  const told = random.chance(0.85) ? payload.length : random.pick(lengths)
  const mask = random.chance(0.9) ? 0x80 : 0
  const size =
    told < 126
      ? [mask | told]
      : told < 65_536
        ? [mask | 126, told >> 8, told & 255]
        : [mask | 127, 0, 0, 0, 0, 0, 1, 0, 0]
  const key = mask === 0 ? [] : Array.from({ length: 4 }, () => random.below(256))
  const frame = Uint8Array.from([flags | random.pick(kinds), ...size, ...key, ...payload])
  return random.chance(0.05) ? frame.subarray(0, random.below(frame.length)) : frame
}

/** What a server says to a connection that sends these, until it ends it; nothing if it never does. */
const talk = (port: number, head: string, frames: ReadonlyArray<Uint8Array>) =>
  Effect.callback<string>((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1", () => socket.write(head))
    socket.on("data", (chunk) => {
      if (chunks.push(chunk) === 1) socket.end(Buffer.concat(frames))
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString("latin1"))))
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeoutOption("30 seconds"))

/** Sends the frames of the seeds from `from` on. Each connection ends, and nobody else's is touched. */
export const fuzzSockets = Effect.fnUntraced(function* ({
  count,
  from
}: {
  readonly from: number
  readonly count: number
}) {
  const port = yield* portOf
  const { key } = yield* makeInbox()
  const head = handshakeText(key, scopes.workspace)
  const bystander = yield* follow(scopes.workspace, { key })
  yield* bystander.until(1)
  const seeds = Array.from({ length: Math.ceil(count / framesOfOne) }, (_, n) => from + n)
  const send = Effect.fnUntraced(function* (seed: number) {
    const random = makeRandom(seed)
    const said = yield* talk(
      port,
      head,
      Array.from({ length: framesOfOne }, () => makeFrame(random))
    )
    if (said._tag === "None") return assert.fail(`seed ${seed}: the connection was never ended`)
    assert.match(said.value, /^HTTP\/1\.1 101 /, `seed ${seed}`)
  })
  yield* Effect.forEach(seeds, send, { concurrency: 8, discard: true })
  assert.strictEqual((yield* call("GET", "/readyz")).status, 200)
  assert.strictEqual(bystander.socket.readyState, bystander.socket.OPEN)
})
