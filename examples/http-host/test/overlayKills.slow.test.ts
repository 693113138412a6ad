import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { customer, request } from "./support/apiClient.ts"
import { slowFfmpeg } from "./support/ffmpeg.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { toneWav } from "../src/cli/toneWav.ts"

const Overlay = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  attempts: Schema.Int,
  output_media_id: Schema.NullOr(Schema.String)
})
const overlayOf = Schema.decodeUnknownSync(Schema.Struct({ data: Overlay }))
const listOf = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Array(Overlay) }))
const idOf = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ id: Schema.String }) }))

const places = await preparedFolder()
const { folder } = places
let host: HostProcess | undefined
afterAll(async () => {
  await host?.stop("SIGKILL")
  places.remove()
})

const kills = 5

describe("accepted overlays", () => {
  it("survive five kills -9 of the host that works on them, each with one output", async () => {
    const settings = { LOOPBOX_FFMPEG: await slowFfmpeg(folder, 1), LOOPBOX_LEASE: "5 seconds" }
    let running = (host = await startHost(folder, settings))
    const port = new URL(running.url).port
    const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
    const api = customer(running.url, key)
    const converted = await api.settled((await api.submit(await api.upload(new Uint8Array(animatedGif([100]))))).id)
    const wav = await request(`${running.url}/v1/media`, {
      method: "POST",
      token: key,
      headers: { "content-type": "audio/wav" },
      body: toneWav(1)
    })
    const body = JSON.stringify({
      video_media_id: converted.output_media_id,
      audio_media_id: idOf(wav.json).data.id
    })
    const read = async (id: string) => {
      const answer = await request(`${running.url}/v1/media/audio-overlays/${id}`, { token: key })
      return overlayOf(answer.json).data
    }
    const outputs = new Set<string | null>()
    for (let n = 0; n < kills; n++) {
      const headers = { "content-type": "application/json", "idempotency-key": `overlay-${n}` }
      const submit = () =>
        request(`${running.url}/v1/media/audio-overlays`, { method: "POST", token: key, headers, body })
      const { id } = overlayOf((await submit()).json).data
      await until("a worker", async () => ((await read(id)).status === "processing" ? true : undefined), 60_000, 20)
      await running.stop("SIGKILL")
      running = host = await startHost(folder, settings, ["--port", port])
      assert.strictEqual(overlayOf((await submit()).json).data.id, id)
      const ended = await until(
        "the end of the overlay",
        async () => {
          const now = await read(id)
          return now.status === "succeeded" || now.status === "failed" ? now : undefined
        },
        120_000
      )
      assert.deepStrictEqual([ended.status, ended.attempts], ["succeeded", 2])
      outputs.add(ended.output_media_id)
    }
    assert.strictEqual(outputs.size, kills)
    const listed = await request(`${running.url}/v1/media/audio-overlays`, { token: key })
    assert.deepStrictEqual(
      listOf(listed.json).data.map(({ status }) => status),
      Array.from({ length: kills }, () => "succeeded")
    )
  }, 600_000)
})
