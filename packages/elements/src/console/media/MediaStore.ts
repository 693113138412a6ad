import type { components, ConversionJob, Loopbox } from "@loopbox/client"
import { isLoopboxError } from "../../base/isLoopboxError.ts"
import { uploadFile, type UploadOptions } from "./uploadFile.ts"

export type StoredFile = components["schemas"]["Media"]
type Quota = components["schemas"]["Usage"]["gif_conversions"]

/** A file that is on its way. */
export interface Upload {
  readonly file: File
  readonly name: string
  readonly background: string
  /** What part of it has been sent, from 0 to 1. */
  sent: number
  error: unknown
  /** Once the host has all of it. */
  mediaId: string | undefined
  readonly stop: AbortController
}

/** Between two looks at a job that is not over. */
const lookMs = 1_000

const pageSize = 12

/** The host has the file no more, so that it is uploaded again. */
const isGone = (error: unknown): boolean =>
  isLoopboxError(error) && (error.code === "media_not_found" || error.code === "input_media_unavailable")

const isOver = ({ status }: ConversionJob): boolean => status === "succeeded" || status === "failed"

/** What the page Media shows: uploads, conversions with their files, and how many more there may be. */
export class MediaStore {
  readonly workspaceId: string
  readonly #client: Loopbox
  readonly #onAnswer: UploadOptions["onAnswer"]
  readonly #onChange: () => void
  readonly #stopped = new AbortController()
  readonly files = new Map<string, StoredFile>()
  uploads: ReadonlyArray<Upload> = []
  jobs: ReadonlyArray<ConversionJob> | undefined
  usage: Quota | undefined
  failure: unknown
  /** The workspace's jobs that wait, the longest first. */
  #queue: ReadonlyArray<string> = []
  #lookedAt = 0
  /** Jobs that are looked at until they are over. */
  readonly #followed = new Set<string>()
  /** Why the last look at a job failed; gone with the next one that does not. */
  #away: unknown
  #cursor: string | null = null

  constructor(
    client: Loopbox,
    { onAnswer, workspaceId }: Pick<UploadOptions, "onAnswer" | "workspaceId">,
    onChange: () => void
  ) {
    this.#client = client
    this.workspaceId = workspaceId
    this.#onAnswer = onAnswer
    this.#onChange = onChange
  }

  get hasMore(): boolean {
    return this.#cursor !== null
  }

  /** How many of the workspace's jobs are worked on before this one does, and itself; undefined where it does not wait. */
  placeOf({ id, status }: ConversionJob): number | undefined {
    const place = this.#queue.indexOf(id)
    return status === "queued" && place >= 0 ? place + 1 : undefined
  }

  /** Ends all that runs; what was submitted goes on at the host. */
  stop(): void {
    this.#stopped.abort()
    for (const { stop } of this.uploads) stop.abort()
  }

  async load(): Promise<void> {
    this.failure = undefined
    this.#onChange()
    try {
      const [page] = await Promise.all([this.#client.conversions.list({ limit: pageSize }), this.#loadUsage()])
      this.jobs = page.data
      this.#cursor = page.nextCursor
      this.#follow(page.data)
    } catch (error) {
      this.failure = error
    }
    this.#onChange()
  }

  async loadMore(): Promise<void> {
    if (this.#cursor === null) return
    try {
      const page = await this.#client.conversions.list({ limit: pageSize, cursor: this.#cursor })
      this.jobs = [...(this.jobs ?? []), ...page.data]
      this.#cursor = page.nextCursor
      this.#follow(page.data)
    } catch (error) {
      this.failure = error
    }
    this.#onChange()
  }

  /** Uploads a GIF and has it converted. */
  async convert(file: File, background: string, mediaId?: string): Promise<void> {
    const stop = new AbortController()
    const upload: Upload = { file, name: file.name, background, sent: 0, error: undefined, mediaId, stop }
    this.uploads = [upload, ...this.uploads]
    await this.#send(upload)
  }

  /** The same file once more. What the host has of it stays there: its job is the one that may have been submitted. */
  async retry(upload: Upload): Promise<void> {
    this.drop(upload)
    await this.convert(upload.file, upload.background, upload.mediaId)
  }

  /** Takes an upload from the list, and ends it. */
  drop(upload: Upload): void {
    upload.stop.abort()
    this.uploads = this.uploads.filter((one) => one !== upload)
    this.#onChange()
  }

  async cancel(job: ConversionJob): Promise<void> {
    try {
      this.#put(await this.#client.conversions.cancel(job.id, {}))
    } catch (error) {
      this.failure = error
    }
    this.#onChange()
  }

  async #send(upload: Upload): Promise<void> {
    const onProgress = (sent: number): void => {
      upload.sent = sent
      this.#onChange()
    }
    this.#onChange()
    try {
      const id = (upload.mediaId ??= await uploadFile(upload.file, {
        workspaceId: this.workspaceId,
        onProgress,
        onAnswer: this.#onAnswer,
        signal: upload.stop.signal
      }))
      // Of an upload there is one conversion: a submit whose answer was lost is the same one when it is repeated.
      const job = await this.#client.conversions.create(
        { gif_media_id: id, background_color: upload.background.toUpperCase() },
        { idempotencyKey: id }
      )
      this.uploads = this.uploads.filter((one) => one !== upload)
      this.#put(job)
      this.#follow([job])
      await this.#loadUsage()
    } catch (error) {
      if (isGone(error)) upload.mediaId = undefined
      if (!upload.stop.signal.aborted) upload.error = error
    }
    this.#onChange()
  }

  async #loadUsage(): Promise<void> {
    this.usage = (await this.#client.usage.read({})).gif_conversions
  }

  #put(job: ConversionJob): void {
    const jobs = this.jobs ?? []
    this.jobs = jobs.some(({ id }) => id === job.id)
      ? jobs.map((one) => (one.id === job.id ? job : one))
      : [job, ...jobs]
  }

  /** Looks at jobs until they are over, and reads their files. */
  #follow(jobs: ReadonlyArray<ConversionJob>): void {
    for (const job of jobs) {
      void this.#readFile(job.gif_media_id)
      if (isOver(job)) void this.#readFile(job.output_media_id)
      else void this.#wait(job)
    }
  }

  async #wait({ id }: ConversionJob): Promise<void> {
    const { signal } = this.#stopped
    if (this.#followed.has(id)) return
    this.#followed.add(id)
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, lookMs))
      if (signal.aborted) return
      try {
        const now = await this.#client.conversions.find(id, {}, { signal })
        if (this.failure === this.#away) this.failure = undefined
        this.#put(now)
        if (now.status === "queued") await this.#lookAtQueue()
        if (isOver(now)) {
          this.#followed.delete(id)
          await this.#readFile(now.output_media_id)
          return this.#onChange()
        }
      } catch (error) {
        if (signal.aborted) return
        if (isLoopboxError(error) && error.status === 404) {
          // Erased meanwhile: nothing is left to look at.
          this.#followed.delete(id)
          this.jobs = this.jobs?.filter((one) => one.id !== id)
          return this.#onChange()
        }
        this.#away = error
        this.failure = error
      }
      this.#onChange()
    }
  }

  /** Who waits, and in which order; once for all jobs that ask within a second. */
  async #lookAtQueue(): Promise<void> {
    const now = performance.now()
    if (now - this.#lookedAt < lookMs / 2) return
    this.#lookedAt = now
    const { signal } = this.#stopped
    const { data } = await this.#client.conversions.list({ status: "queued", limit: 100 }, { signal })
    this.#queue = data.map(({ id }) => id).reverse()
  }

  /** What is known of a file; of one that is gone, nothing. */
  async #readFile(id: string | null): Promise<void> {
    if (id === null || this.files.has(id)) return
    try {
      this.files.set(id, await this.#client.media.find(id, {}, { signal: this.#stopped.signal }))
      this.#onChange()
    } catch {
      // Retention has ended it: the job stands without its file.
      return
    }
  }
}
