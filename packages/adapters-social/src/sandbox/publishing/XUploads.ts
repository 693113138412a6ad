import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { GivenFile } from "./loadFile.ts"

/** Media of X on its way into a post. */
export interface XUpload {
  readonly id: string
  readonly mediaKey: string
  readonly accountId: string
  readonly category: string
  readonly total_bytes: number
  /** Sizes of the segments that came, by their numbers. */
  readonly segments: ReadonlyMap<number, number>
  readonly file: Option.Option<GivenFile>
  /** When it is processed; none until it is complete. */
  readonly readyAt: Option.Option<DateTime.Utc>
  readonly endsAt: DateTime.Utc
  readonly failure: Option.Option<string>
  readonly altText: string | undefined
  readonly isUsed: boolean
}

const most = 10_000

/** What was uploaded to X, and shown by nothing yet. */
export class XUploads {
  private readonly uploads = new Map<string, XUpload>()

  readonly set = (upload: XUpload): void => {
    this.uploads.set(upload.id, upload)
    for (const oldest of this.uploads.keys()) {
      if (this.uploads.size <= most) break
      this.uploads.delete(oldest)
    }
  }

  /** One of this account that has not expired. */
  readonly find = (accountId: string, id: string, at: DateTime.Utc): Option.Option<XUpload> =>
    Option.filter(
      Option.fromUndefinedOr(this.uploads.get(id)),
      (upload) => upload.accountId === accountId && DateTime.isGreaterThan(upload.endsAt, at)
    )
}

export type XUploadState = "pending" | "in_progress" | "succeeded" | "failed"

/** How far it is; `pending` before it is complete. */
export const uploadState = ({ failure, readyAt }: XUpload, at: DateTime.Utc): XUploadState => {
  if (Option.isNone(readyAt)) return "pending"
  if (DateTime.isGreaterThan(readyAt.value, at)) return "in_progress"
  return Option.isSome(failure) ? "failed" : "succeeded"
}
