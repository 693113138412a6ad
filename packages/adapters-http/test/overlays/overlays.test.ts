import { assert, describe, layer } from "@effect/vitest"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import type { ReadyMedia } from "@loopbox/core/media/Media"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeSound, makeVideo } from "@loopbox/testing/fixtures/overlayFixtures"
import { DateTime, Effect, Option, Stream } from "effect"
import { call, codeOf, makeWorkspace, pathsOf, server, uploadGif } from "../support.ts"

const path = "/v1/media/audio-overlays"

type More = Parameters<typeof makeVideo>[2]

/** A stored file whose bytes nobody reads. */
const stored = Effect.fnUntraced(function* (media: ReadyMedia) {
  yield* BlobStore.use((blobs) => blobs.write(media.blobKey, Stream.make(new Uint8Array(8))))
  return media.id
})

const filesOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, video: More = {}, audio: More = {}) {
  const now = yield* DateTime.now
  return {
    video_media_id: yield* Effect.flatMap(makeVideo(workspaceId, now, video), stored),
    audio_media_id: yield* Effect.flatMap(makeSound(workspaceId, now, audio), stored)
  }
})

describe("/v1/media/audio-overlays (api-2.md §12)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const submit = (key: string, json: unknown, headers: Record<string, string> = {}) =>
      call("POST", path, { key, json, headers })

    it.effect("queues a job and shows every key of it, with the defaults", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const files = yield* filesOf(workspace.id)
        const answer = yield* submit(key, files)
        assert.strictEqual(answer.status, 202)
        const { created_at, id, ...job } = { ...answer.body["data"] }
        assert.match(String(id), /^mpj_[0-9a-z]{26}$/)
        assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.deepEqual<unknown>(job, {
          kind: "audio_overlay",
          status: "queued",
          ...files,
          mode: "mix",
          video_volume: 100,
          audio_volume: 100,
          audio_start_ms: 0,
          fit: "trim_to_video",
          output_media_id: null,
          progress: null,
          attempts: 0,
          started_at: null,
          completed_at: null,
          error: null
        })
      })
    )

    it.effect("takes what it is asked for, and null as absent", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const asked = {
          ...(yield* filesOf(workspace.id)),
          mode: "replace",
          video_volume: 0,
          audio_volume: 60,
          audio_start_ms: 2_999,
          fit: "loop_to_video"
        }
        assert.deepInclude<object>({ ...(yield* submit(key, asked)).body["data"] }, asked)
        const nothing = {
          ...asked,
          mode: null,
          video_volume: null,
          audio_volume: null,
          audio_start_ms: null,
          fit: null
        }
        const { body } = yield* submit(key, nothing)
        assert.deepInclude<object>({ ...body["data"] }, { mode: "mix", video_volume: 100, audio_start_ms: 0 })
      })
    )

    it.effect("gives the same job for the same key and input, and refuses the key with another", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const files = yield* filesOf(workspace.id)
        const keyed = { "idempotency-key": "once" }
        // A conversion under the same key is another matter.
        const gif_media_id = yield* uploadGif(key)
        const conversion = { key, json: { gif_media_id }, headers: keyed }
        assert.strictEqual((yield* call("POST", "/v1/media/gif-conversions", conversion)).status, 202)
        const first = yield* submit(key, files, keyed)
        const again = yield* submit(key, { ...files, video_volume: 100 }, keyed)
        assert.deepStrictEqual([again.status, again.body["data"]?.["id"]], [202, first.body["data"]?.["id"]])
        assert.strictEqual(
          codeOf(yield* submit(key, { ...files, video_volume: 99 }, keyed)),
          "409 idempotency_conflict"
        )
      })
    )

    it.effect("names everything that is wrong with body and key at once", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const bad = {
          video_media_id: " ",
          mode: "fast",
          video_volume: 101,
          audio_volume: 0.5,
          audio_start_ms: -1,
          fit: 1,
          x: 1
        }
        const answer = yield* submit(key, bad, { "idempotency-key": "a b" })
        assert.strictEqual(codeOf(answer), "422 validation_error")
        assert.sameMembers(
          [...pathsOf(answer)],
          [
            "video_media_id",
            "audio_media_id",
            "mode",
            "video_volume",
            "audio_volume",
            "audio_start_ms",
            "fit",
            "x",
            "Idempotency-Key"
          ]
        )
      })
    )

    it.effect("refuses files with the code of what is wrong with them", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const files = yield* filesOf(workspace.id)
        const code = (json: unknown) => Effect.map(submit(key, json), codeOf)
        assert.strictEqual(yield* code({}), "422 video_media_id_required")
        assert.strictEqual(yield* code({ video_media_id: "x", audio_media_id: "" }), "422 audio_media_id_required")
        assert.strictEqual(yield* code({ ...files, video_media_id: "x" }), "404 media_not_found")
        const other = yield* makeWorkspace()
        assert.strictEqual(codeOf(yield* submit(other.key, files)), "404 media_not_found")
        const pending = yield* call("POST", "/v1/media", { key, json: { content_type: "audio/wav" } })
        const unfinished = { ...files, audio_media_id: pending.body["data"]?.["id"] }
        assert.strictEqual(yield* code(unfinished), "409 input_media_unavailable")
        const swapped = { video_media_id: files.audio_media_id, audio_media_id: files.video_media_id }
        assert.strictEqual(yield* code(swapped), "422 video_stream_required")
        const silent = { ...files, audio_media_id: files.video_media_id }
        assert.strictEqual(yield* code(silent), "422 audio_stream_required")
        const long = yield* filesOf(workspace.id, { durationMs: Option.some(601_000) })
        assert.strictEqual(yield* code(long), "422 media_size_exceeded")
        const late = yield* submit(key, { ...files, audio_start_ms: 3_000 })
        assert.deepEqual([codeOf(late), pathsOf(late)], ["422 validation_error", ["audio_start_ms"]])
      })
    )

    it.effect("counts as an active job beside conversions", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace("free")
        const files = yield* filesOf(workspace.id)
        assert.strictEqual((yield* submit(key, files)).status, 202)
        const conversion = { key, json: { gif_media_id: yield* uploadGif(key) } }
        for (const refused of [
          yield* call("POST", "/v1/media/gif-conversions", conversion),
          yield* submit(key, files)
        ]) {
          assert.strictEqual(codeOf(refused), "429 media_processing_capacity_exceeded")
          assert.strictEqual(refused.headers.get("retry-after"), "5")
        }
      })
    )

    it.effect("reads, lists and cancels a job, whose files cannot be deleted meanwhile", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const files = yield* filesOf(workspace.id)
        const id = String((yield* submit(key, files)).body["data"]?.["id"])
        for (const file of Object.values(files)) {
          assert.strictEqual(codeOf(yield* call("DELETE", `/v1/media/${file}`, { key })), "409 media_in_use")
        }
        const found = yield* call("GET", `${path}/${id}`, { key })
        const listed = yield* call("GET", `${path}?status=queued`, { key })
        assert.deepEqual<unknown>(listed.body["data"], [found.body["data"]])
        assert.deepEqual<unknown>((yield* call("GET", "/v1/media/gif-conversions", { key })).body["data"], [])
        assert.strictEqual(codeOf(yield* call("GET", `/v1/media/gif-conversions/${id}`, { key })), "404 not_found")
        const canceled = yield* call("DELETE", `${path}/${id}`, { key })
        assert.deepInclude<object>({ ...canceled.body["data"] }, { id, status: "failed", progress: null })
        assert.include(canceled.text, '"code":"canceled"')
        assert.strictEqual(codeOf(yield* call("DELETE", `${path}/${id}`, { key })), "409 job_already_ended")
        assert.strictEqual(codeOf(yield* call("GET", `${path}/mpj_none`, { key })), "404 not_found")
      })
    )
  })
})
