import type { Operations } from "./generated/operations.ts"
import { LoopboxError } from "./LoopboxError.ts"
import { awaitJob, type ConversionJob, type JobProgress, type OverlayJob } from "./MediaJob.ts"
import type { FileBody } from "./Operation.ts"
import { randomKey } from "./waiting.ts"

interface WorkOptions<Job> {
  readonly onProgress?: ((progress: JobProgress<Job>) => void) | undefined
  /** Ends the wait at once. A job that was submitted goes on: `details` of nothing, but `onProgress` told its id. */
  readonly signal?: AbortSignal | undefined
  /** The same key and file make one job; unless it is given, every call has its own. */
  readonly idempotencyKey?: string | undefined
}

export interface ConvertOptions extends WorkOptions<ConversionJob> {
  /** `#RRGGBB`, behind transparent pixels; white unless said otherwise. */
  readonly background_color?: string | undefined
  readonly filename?: string | undefined
}

export type OverlayOptions = WorkOptions<OverlayJob> &
  Pick<
    Parameters<Operations["overlays"]["create"]>[0] & {},
    "mode" | "video_volume" | "audio_volume" | "audio_start_ms" | "fit"
  >

/** A video, and the job that made it: `job.output_media_id` names it on the host, for posts. */
export type MadeVideo<Job> = Blob & { readonly job: Job }

type Media = Pick<Operations["media"], "upload" | "content">

/** Reads a file that is told how far it has come. */
const readFile = async (response: Response, onPart: (progress: number | null) => void): Promise<Blob> => {
  const type = response.headers.get("content-type") ?? ""
  const length = Number(response.headers.get("content-length") ?? "0")
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  const reader = response.body?.getReader()
  for (let have = 0; reader !== undefined;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(new Uint8Array(value))
    have += value.byteLength
    onPart(length > 0 ? Math.min(1, have / length) : null)
  }
  return new Blob(parts, { type })
}

const download = async <Job extends ConversionJob | OverlayJob>(
  media: Media,
  job: Job,
  { onProgress, signal }: WorkOptions<Job>
): Promise<MadeVideo<Job>> => {
  const tell = (progress: number | null) => onProgress?.({ stage: "downloading", progress, job })
  tell(0)
  const response = await media.content(job.output_media_id ?? "", {}, { signal })
  try {
    return Object.assign(await readFile(response, tell), { job })
  } catch (error) {
    signal?.throwIfAborted()
    const message = "The connection was lost while the video was downloaded."
    throw new LoopboxError(message, { status: 0, code: "CONNECTION_FAILED", details: { job }, cause: error })
  }
}

const isType = (file: FileBody, beginning: string): boolean => file instanceof Blob && file.type.startsWith(beginning)

/** Uploads a GIF, has it converted, waits, and downloads the video. */
export const makeConvert =
  (media: Media, conversions: Pick<Operations["conversions"], "create" | "find">) =>
  async (gif: FileBody, options: ConvertOptions = {}): Promise<MadeVideo<ConversionJob>> => {
    const { background_color, filename, idempotencyKey = randomKey(), onProgress, signal } = options
    onProgress?.({ stage: "uploading", progress: null, job: null })
    const contentType = isType(gif, "image/") ? undefined : "image/gif"
    const { id } = await media.upload(gif, { contentType, filename, signal })
    const submitted = await conversions.create({ gif_media_id: id, background_color }, { idempotencyKey, signal })
    const job = await awaitJob(submitted, (id) => conversions.find(id, {}, { signal }), onProgress, signal)
    return download(media, job, options)
  }

/** A file, or the id of one that the host has. */
export type FileOrId = FileBody | string

/** Uploads a video and a sound, lays the sound over the video, waits, and downloads what was made. */
export const makeLayOver =
  (media: Media, overlays: Pick<Operations["overlays"], "create" | "find">) =>
  async (video: FileOrId, audio: FileOrId, options: OverlayOptions = {}): Promise<MadeVideo<OverlayJob>> => {
    const { idempotencyKey = randomKey(), onProgress, signal, ...task } = options
    onProgress?.({ stage: "uploading", progress: null, job: null })
    const idOf = async (file: FileOrId) => (typeof file === "string" ? file : (await media.upload(file, { signal })).id)
    const video_media_id = await idOf(video)
    const audio_media_id = await idOf(audio)
    const submitted = await overlays.create({ ...task, video_media_id, audio_media_id }, { idempotencyKey, signal })
    const job = await awaitJob(submitted, (id) => overlays.find(id, {}, { signal }), onProgress, signal)
    return download(media, job, options)
  }
