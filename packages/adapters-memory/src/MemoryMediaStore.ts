import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { MediaId } from "@loopbox/core/kernel/Ids"
import { type Media, ReadyMedia } from "@loopbox/core/media/Media"
import { MediaInUse, MediaNotFound, UploadAlreadyFinished, WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { memoryPage } from "./memoryPage.ts"
import { isInUse, MemoryState } from "./MemoryState.ts"

/** The record of an id, unless it was deleted. */
export const liveMedia = (state: MemoryState["Service"], id: MediaId): Media | undefined => {
  const entry = state.media.get(id)
  return entry?.deletedAt === undefined ? entry?.media : undefined
}

export const layer: Layer.Layer<MediaStore, never, MemoryState> = Layer.effect(
  MediaStore,
  Effect.map(MemoryState, (state) =>
    MediaStore.of({
      insert: (media) =>
        Effect.suspend(() => {
          if (!state.workspaces.has(media.workspaceId)) return Effect.fail(new WorkspaceErased())
          state.media.set(media.id, { media, deletedAt: undefined, isRemoved: false })
          return Effect.void
        }),
      insertOnce: (media, contentHash) =>
        Effect.suspend(() => {
          if (!state.workspaces.has(media.workspaceId)) return Effect.fail(new WorkspaceErased())
          const known = Array.from(state.media.values()).find(
            (entry) =>
              entry.contentHash === contentHash &&
              entry.media.workspaceId === media.workspaceId &&
              entry.deletedAt === undefined
          )
          if (known !== undefined) return Effect.succeed(known.media)
          state.media.set(media.id, { media, deletedAt: undefined, isRemoved: false, contentHash })
          return Effect.succeed(media)
        }),
      find: (workspaceId, id) =>
        Effect.sync(() =>
          Option.filter(Option.fromUndefinedOr(liveMedia(state, id)), (media) => media.workspaceId === workspaceId)
        ),
      findLinked: (id) => Effect.sync(() => Option.fromUndefinedOr(liveMedia(state, id))),
      list: (workspaceId, page) =>
        Effect.sync(() => {
          const live = Array.from(state.media.values()).filter(
            ({ deletedAt, media }) => deletedAt === undefined && media.workspaceId === workspaceId
          )
          return memoryPage(
            live.map(({ media }) => media),
            page
          )
        }),
      finish: (pending, { contentType, keepUntil, ...bytes }) =>
        Effect.gen(function* () {
          const media = liveMedia(state, pending.id)
          if (media === undefined) return yield* new MediaNotFound({ mediaId: pending.id })
          if (media._tag === "ReadyMedia") return yield* new UploadAlreadyFinished({ mediaId: media.id })
          const ready = new ReadyMedia({
            ...bytes,
            id: media.id,
            workspaceId: media.workspaceId,
            filename: media.filename,
            createdAt: media.createdAt,
            contentType,
            keepUntil,
            source: "upload",
            jobId: Option.none()
          })
          const contentHash = state.media.get(media.id)?.contentHash
          state.media.set(media.id, { media: ready, deletedAt: undefined, isRemoved: false, contentHash })
          return ready
        }),
      describe: ({ id, workspaceId }, examined) =>
        Effect.sync(() => {
          const entry = state.media.get(id)
          if (entry?.media._tag !== "ReadyMedia" || entry.media.workspaceId !== workspaceId) return
          state.media.set(id, { ...entry, media: new ReadyMedia({ ...entry.media, ...examined }) })
        }),
      remove: (workspaceId, id, at) =>
        Effect.gen(function* () {
          const media = liveMedia(state, id)
          if (media?.workspaceId !== workspaceId) return yield* new MediaNotFound({ mediaId: id })
          if (isInUse(state, id)) return yield* new MediaInUse({ mediaId: id })
          state.media.set(id, { media, deletedAt: at, isRemoved: false })
          return media
        })
    })
  )
)
