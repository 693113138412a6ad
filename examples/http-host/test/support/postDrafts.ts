import { ReadyMedia } from "@loopbox/core/media/Media"
import type { ContentType } from "@loopbox/core/media/ContentType"
import * as Option from "effect/Option"

/** What is known of a file whose bytes nobody needs. */
export interface File {
  readonly type: ContentType
  readonly size: number
  readonly width: number
  readonly height: number
  readonly ms?: number
  readonly rate?: number
  readonly frames?: number
  readonly video?: string
  readonly audio?: string
}

export const jpeg = (change: Partial<File> = {}): File => ({
  type: "image/jpeg",
  size: 1_000,
  width: 1_080,
  height: 1_080,
  ...change
})
export const png = jpeg({ type: "image/png" })
export const webp = jpeg({ type: "image/webp" })
export const gif = (change: Partial<File> = {}): File => ({
  type: "image/gif",
  size: 1_000,
  width: 400,
  height: 300,
  frames: 20,
  ...change
})
export const mp4 = (change: Partial<File> = {}): File => ({
  type: "video/mp4",
  size: 1_000,
  width: 1_280,
  height: 720,
  ms: 10_000,
  rate: 30,
  video: "avc1",
  ...change
})
export const standing = (change: Partial<File> = {}): File => mp4({ width: 720, height: 1_280, ...change })
export const webm = mp4({ type: "video/webm", video: "vp09" })

/** A target without its account. */
export interface Draft {
  readonly text?: string
  readonly files?: ReadonlyArray<File>
  readonly options?: Readonly<Record<string, unknown>>
  readonly comment?: string
  /** Of the first file. */
  readonly altText?: string
}

export type Value = number | string | null

/** An issue: where it is in the target, its code, what the draft has, and what the network allows. */
export type Issue = readonly [path: string, code: string, actual: Value, limit: Value]

/** A limit: what just passes, what just does not, and what is said of that. */
export interface Limit {
  readonly what: string
  readonly inside: Draft
  readonly outside: Draft
  readonly issues: ReadonlyArray<Issue>
}

export const limit = (what: string, inside: Draft, outside: Draft, ...issues: ReadonlyArray<Issue>): Limit => ({
  what,
  inside,
  outside,
  issues
})

export const times = <A>(count: number, one: A): ReadonlyArray<A> => Array.from({ length: count }, () => one)
export const numbered = (count: number, mark: string) =>
  times(count, mark)
    .map((one, i) => `${one}n${i}`)
    .join(" ")

/** A record of such a file. */
export const recordOf = (
  file: File,
  given: Pick<ReadyMedia, "id" | "workspaceId" | "createdAt" | "keepUntil">
): ReadyMedia =>
  new ReadyMedia({
    ...given,
    filename: Option.none(),
    contentType: file.type,
    blobKey: given.id,
    sizeBytes: file.size,
    sha256: "00",
    width: Option.some(file.width),
    height: Option.some(file.height),
    durationMs: Option.fromUndefinedOr(file.ms),
    traits: Option.some({
      frameRate: Option.fromUndefinedOr(file.rate),
      frames: Option.fromUndefinedOr(file.frames),
      videoCodec: Option.fromUndefinedOr(file.video),
      audioCodec: Option.fromUndefinedOr(file.audio)
    }),
    source: "upload",
    jobId: Option.none()
  })
