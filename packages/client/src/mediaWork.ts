import type { Operations } from "./generated/operations.ts"
import { LoopboxError } from "./LoopboxError.ts"
import { awaitJob, type ConversionJob, type JobProgress, type OverlayJob } from "./MediaJob.ts"
import type { FileBody } from "./Operation.ts"
import { randomKey } from "./waiting.ts"

interface WorkOptions<Job> {
  readonly onProgress?: ((progress: JobProgress<Job>) => void) | undefined
  /** Ends the wait at once. A job that was submitted goes on: `details` of nothing, but `onProgress` told its id. */
  readonly signal?: AbortSignal | undefined
  /**
   * The same key and the same ids make one job, in any number of calls; unless it is given, every call has its own. It is of
   * use with ids only: a file is uploaded anew by each call, and the key with another id is refused (409).
   */
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
    const message = "The connection was lost during the download."
    throw new LoopboxError(message, { status: 0, code: "CONNECTION_FAILED", details: { job }, cause: error })
  }
}

/** A file, or the id of one that the host has. */
export type FileOrId = FileBody | string

/** Uploads it unless it is an id. A path would be asked for as an id, and nothing be uploaded as a file without a type. */
const idOf = async (
  media: Media,
  file: FileOrId | undefined,
  options: Parameters<Media["upload"]>[1]
): Promise<string> => {
  if (typeof file === "object") return (await media.upload(file, options)).id
  if (file?.startsWith("med_") === true) return file
  throw new TypeError(`no bytes and no id: ${file}`)
}

/** Uploads a GIF unless it is an id, has it converted, waits, and downloads the video. */
export const makeConvert =
  (media: Media, conversions: Pick<Operations["conversions"], "create" | "find">) =>
  async (gif: FileOrId, options: ConvertOptions = {}): Promise<MadeVideo<ConversionJob>> => {
    const { background_color, filename, idempotencyKey = randomKey(), onProgress, signal } = options
    onProgress?.({ stage: "uploading", progress: null, job: null })
    const contentType = gif instanceof Blob && gif.type.startsWith("image/") ? undefined : "image/gif"
    const gif_media_id = await idOf(media, gif, { contentType, filename, signal })
    const submitted = await conversions.create({ gif_media_id, background_color }, { idempotencyKey, signal })
    const job = await awaitJob(submitted, (id) => conversions.find(id, {}, { signal }), onProgress, signal)
    return download(media, job, options)
  }

/** Uploads a video and a sound unless they are ids, lays the sound over the video, waits, and downloads what was made. */
export const makeLayOver =
  (media: Media, overlays: Pick<Operations["overlays"], "create" | "find">) =>
  async (video: FileOrId, audio: FileOrId, options: OverlayOptions = {}): Promise<MadeVideo<OverlayJob>> => {
    const { idempotencyKey = randomKey(), onProgress, signal, ...task } = options
    onProgress?.({ stage: "uploading", progress: null, job: null })
    const video_media_id = await idOf(media, video, { signal })
    const audio_media_id = await idOf(media, audio, { signal })
    const submitted = await overlays.create({ ...task, video_media_id, audio_media_id }, { idempotencyKey, signal })
    const job = await awaitJob(submitted, (id) => overlays.find(id, {}, { signal }), onProgress, signal)
    return download(media, job, options)
  }
