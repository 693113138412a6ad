import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { customer, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { toneWav } from "../src/cli/toneWav.ts"

const dataOf = <S extends Schema.ConstraintDecoder<unknown>>(data: S) =>
  Schema.decodeUnknownSync(Schema.Struct({ data }))
const idOf = dataOf(Schema.Struct({ id: Schema.String }))
const overlayOf = dataOf(
  Schema.Struct({
    status: Schema.String,
    progress: Schema.NullOr(Schema.Number),
    output_media_id: Schema.NullOr(Schema.String)
  })
)
const mediaOf = dataOf(
  Schema.Struct({ source: Schema.String, content_type: Schema.String, duration_ms: Schema.NullOr(Schema.Int) })
)
const accountsOf = dataOf(Schema.Array(Schema.Struct({ id: Schema.String, network: Schema.String })))
const postOf = dataOf(Schema.Struct({ status: Schema.String }))

const places = await preparedFolder()
const { folder } = places
let host: HostProcess
let key: string
beforeAll(async () => {
  host = await startHost(folder)
  key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
}, 300_000)
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

const get = (path: string) => request(`${host.url}${path}`, { token: key })
const send = (path: string, body: unknown) =>
  request(`${host.url}${path}`, {
    method: "POST",
    token: key,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** What ffmpeg finds in a file: its streams as text, and seconds of its decoded sound. */
const look = async (bytes: Uint8Array) => {
  const ffmpeg = await ffmpegPath()
  const file = join(folder, "overlaid.mp4")
  writeFileSync(file, bytes)
  const streams = spawnSync(ffmpeg, ["-hide_banner", "-i", file], { encoding: "utf8" }).stderr
  const raw = ["-v", "error", "-i", file, "-map", "0:a", "-ar", "48000", "-ac", "1", "-f", "s16le", "-"]
  const { stdout } = spawnSync(ffmpeg, raw, { maxBuffer: 64 * 1024 * 1024 })
  return { streams, sound_s: stdout.length / 2 / 48_000 }
}

describe("a GIF's video", () => {
  it("gets a sound that is as long as its picture, and is a reel then", async () => {
    const { download, settled, submit, upload } = customer(host.url, key)
    const converted = await settled((await submit(await upload(new Uint8Array(animatedGif([100, 100]))))).id)
    const video_media_id = converted.output_media_id ?? assert.fail(String(converted.error?.code))
    const wav = await request(`${host.url}/v1/media`, {
      method: "POST",
      token: key,
      headers: { "content-type": "audio/wav" },
      body: toneWav(2)
    })
    const audio_media_id = idOf(wav.json).data.id
    const asked = { video_media_id, audio_media_id, fit: "loop_to_video", audio_volume: 80 }
    const submitted = await send("/v1/media/audio-overlays", asked)
    assert.strictEqual(submitted.status, 202, submitted.text)
    const ended = await until(
      "the end of the overlay",
      async () => {
        const now = await get(`/v1/media/audio-overlays/${idOf(submitted.json).data.id}`)
        const { data } = overlayOf(now.json)
        return data.status === "succeeded" || data.status === "failed" ? { ...data, text: now.text } : undefined
      },
      120_000
    )
    assert.deepStrictEqual([ended.status, ended.progress], ["succeeded", 1], ended.text)
    const output = ended.output_media_id ?? assert.fail()
    const record = mediaOf((await get(`/v1/media/${output}`)).json).data
    assert.deepStrictEqual([record.source, record.content_type], ["audio_overlay", "video/mp4"])
    assert.approximately(record.duration_ms ?? 0, 6_000, 1_150)
    const { sound_s, streams } = await look(await download(output))
    assert.match(streams, /Video: h264/)
    assert.match(streams, /Audio: aac.*48000 Hz, stereo/)
    assert.approximately(sound_s, (record.duration_ms ?? 0) / 1000, 0.15)

    const accounts = accountsOf((await get("/v1/accounts")).json).data
    const social_account_id = accounts.find(({ network }) => network === "instagram")?.id ?? assert.fail()
    const targets = [{ social_account_id, options: { kind: "reel" } }]
    const made = await send("/v1/posts", { text: "With sound", media_ids: [output], targets })
    assert.strictEqual(made.status, 202, made.text)
    const post = await until(
      "the end of the post",
      async () => {
        const now = await get(`/v1/posts/${idOf(made.json).data.id}`)
        return postOf(now.json).data.status === "publishing" ? undefined : now
      },
      120_000,
      100
    )
    assert.strictEqual(postOf(post.json).data.status, "published", post.text)
  }, 300_000)
})
