import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Administration } from "@loopbox/core/access/Administration"
import type { BlobRange } from "@loopbox/core/media/BlobStore"
import { MediaNotReady } from "@loopbox/core/media/MediaErrors"
import type { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { type PlainMedia, type PlainPage, toPlainMedia, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { toldIterable } from "./told.ts"

export interface MediaFacade {
  /** Stores a file, from an array or a stream. The bytes decide the type. */
  readonly upload: (
    file: {
      readonly workspaceId: string
      readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
      readonly contentType?: string | null | undefined
      readonly filename?: string | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainMedia>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainMedia>
  readonly list: (workspaceId: string, request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainMedia>>
  /** The bytes as a stream; a large file is never in memory as a whole. */
  readonly read: (
    workspaceId: string,
    id: string,
    options?: CallOptions & { readonly range?: BlobRange }
  ) => Promise<AsyncIterable<Uint8Array>>
  readonly remove: (workspaceId: string, id: string, options?: CallOptions) => Promise<void>
}

const toStream = (bytes: Uint8Array | AsyncIterable<Uint8Array>): Stream.Stream<Uint8Array, unknown> =>
  bytes instanceof Uint8Array ? Stream.make(bytes) : Stream.fromAsyncIterable(bytes, (error) => error)

export const makeMediaFacade = (
  library: MediaLibrary["Service"],
  administration: Administration["Service"],
  run: Run
): MediaFacade => {
  const find = (workspaceId: string, id: string) =>
    Effect.flatMap(administration.findWorkspace(workspaceId), (workspace) => library.find(workspace.id, id))
  return {
    upload: ({ bytes, contentType, filename, workspaceId }, options) =>
      run(
        Effect.flatMap(administration.findWorkspace(workspaceId), (workspace) =>
          Effect.map(
            library.upload({
              workspace,
              bytes: toStream(bytes),
              declaredType: Option.fromNullishOr(contentType),
              filename: Option.fromNullishOr(filename)
            }),
            toPlainMedia
          )
        ),
        options
      ),
    find: (workspaceId, id, options) => run(Effect.map(find(workspaceId, id), toPlainMedia), options),
    list: (workspaceId, request = {}, options) =>
      run(
        Effect.gen(function* () {
          const { id } = yield* administration.findWorkspace(workspaceId)
          return toPlainPage(yield* library.list(id, yield* toPageRequest(request)), toPlainMedia)
        }),
        options
      ),
    read: async (workspaceId, id, options) => {
      const media = await run(
        Effect.filterOrFail(
          find(workspaceId, id),
          (found) => found._tag === "ReadyMedia",
          (found) => new MediaNotReady({ mediaId: found.id })
        ),
        options
      )
      return toldIterable(library.read(media, options?.range))
    },
    remove: (workspaceId, id, options) =>
      run(
        Effect.flatMap(administration.findWorkspace(workspaceId), (workspace) =>
          Effect.asVoid(library.remove(workspace.id, id))
        ),
        options
      )
  }
}
