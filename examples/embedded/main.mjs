// Loopbox inside another Node service: no HTTP, no Effect knowledge.
//
//   node main.mjs [input.gif] [output.mp4]
//
// Everything is kept in memory; with DATABASE_URL it is kept in PostgreSQL and in the folder ./blobs, and the tokens of
// accounts are sealed with LOOPBOX_SECRET_KEY (32 bytes, base64).
import { createHash, randomBytes } from "node:crypto"
import { createWriteStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { FileBlobStore } from "@loopbox/adapters-blobs"
import { MemoryAdapters } from "@loopbox/adapters-memory"
import { createLoopbox } from "@loopbox/embedded"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"

const [input, output = "output.mp4"] = process.argv.slice(2)

/** For those who have no GIF at hand: four colours, half a second each. */
const sample = animatedGif([50, 50, 50, 50], { width: 320, height: 240 })

const adaptersOnPostgres = async (databaseUrl) => {
  const { PgAdapters, PgCredentialVault } = await import("@loopbox/adapters-postgres")
  const NodeServices = await import("@effect/platform-node/NodeServices")
  const { Effect, Layer, Redacted } = await import("effect")
  const blobs = FileBlobStore.layer({
    folder: "blobs",
    createSha256: () => createHash("sha256"),
    writer: `example-${process.pid}`,
    isWriterGone: () => Effect.succeed(false)
  }).pipe(Layer.provide(NodeServices.layer))
  const secretKey = process.env.LOOPBOX_SECRET_KEY
  const bytes = secretKey ? Buffer.from(secretKey, "base64") : randomBytes(32)
  const vault = PgCredentialVault.layer(Redacted.make([{ id: "example", bytes }]))
  return Layer.mergeAll(PgAdapters.layer({ url: Redacted.make(databaseUrl) }), blobs, vault).pipe(
    Layer.provideMerge(MemoryAdapters.layerCrypto)
  )
}

const databaseUrl = process.env.DATABASE_URL
const adapters = databaseUrl ? await adaptersOnPostgres(databaseUrl) : MemoryAdapters.layer

await using loopbox = await createLoopbox(adapters, FfmpegEncoder.layer({ scratch: join(tmpdir(), "loopbox-example") }))

const workspace = await loopbox.workspaces.create({ name: "Example", plan: "growth" })
const gif = await loopbox.media.upload({
  workspaceId: workspace.id,
  bytes: input ? await readFile(input) : sample,
  filename: "example.gif"
})

const job = await loopbox.conversions.submit({
  workspaceId: workspace.id,
  gifMediaId: gif.id,
  backgroundColor: "#00A0FF",
  idempotencyKey: "example-1"
})
console.log(`${job.id} is ${job.status}`)

const ended = await loopbox.conversions.wait(job, { signal: AbortSignal.timeout(60_000) })
if (ended.error) throw new Error(`${ended.error.code}: ${ended.error.message}`)

const video = await loopbox.media.find(workspace.id, ended.outputMediaId)
await pipeline(await loopbox.media.read(workspace.id, video.id), createWriteStream(output))
console.log(`${output}: ${video.width}x${video.height}, ${video.durationMs} ms, ${video.sizeBytes} bytes`)

// The inbox: an account, what your own service heard of it, and whoever watches.
// A real id is the network's; this one is new in every run, as the workspace is.
const networkAccountId = workspace.id
await loopbox.accounts.connect({
  workspaceId: workspace.id,
  network: "instagram",
  networkAccountId,
  name: "Example",
  externalUserId: "customer_1",
  credentials: { accessToken: "the token that Instagram gave you" }
})
const scope = { workspaceId: workspace.id, externalUserId: "customer_1" }

/** Follows the inbox of one customer until there were two events; `after: 0` begins with the first that is kept. */
const watch = async () => {
  let seen = 0
  for await (const { change, seq } of loopbox.inbox.events(scope, { after: 0 })) {
    console.log(`event ${seq}: ${change.type}, "${change.item?.body}"`)
    if (++seen === 2) return
  }
}
const watching = watch()

const comment = { source: "ig_comment", networkAccountId, externalId: "comment-1" }
await loopbox.inbox.ingest([
  // In whatever order, and as often as it comes: it is one item.
  { ...comment, type: "posted", threadKey: "comment-1", authorName: "mira", body: "Blue?", receivedAt: new Date() }
])
await loopbox.inbox.ingest([
  { ...comment, type: "edited", body: "Is the blue one back?", version: 1, editedAt: new Date() }
])
await watching

const { items } = await loopbox.inbox.list(scope)
console.log(
  `${items.length} item, ${await loopbox.inbox.count(scope)} unread: ${items[0].authorName}: ${items[0].body}`
)
