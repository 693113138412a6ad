import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** A photo of a Page that no post shows yet. */
export interface Photo {
  readonly id: string
  readonly accountId: string
  readonly altText: string | undefined
  readonly endsAt: DateTime.Utc
  readonly isUsed: boolean
}

/** A video of a Page, from its upload to its post. */
export interface PageVideo {
  readonly id: string
  readonly accountId: string
  readonly isReel: boolean
  readonly size_bytes: number | undefined
  /** None until it is told to be published, or as long as it is a draft. */
  readonly postId: Option.Option<string>
  /** When it is processed; none until it is told to be published. */
  readonly readyAt: Option.Option<DateTime.Utc>
  readonly failure: Option.Option<string>
  /** It waits for somebody to publish it by hand: a vertical one that came as a plain video. */
  readonly isDraft: boolean
  readonly text: string
}

const most = 10_000

const keep = <A extends { readonly id: string }>(all: Map<string, A>, one: A): void => {
  all.set(one.id, one)
  for (const oldest of all.keys()) {
    if (all.size <= most) break
    all.delete(oldest)
  }
}

/** What Pages have that is no post, or not yet. */
export class PageMedia {
  private readonly photos = new Map<string, Photo>()
  private readonly videos = new Map<string, PageVideo>()

  readonly setPhoto = (photo: Photo): void => keep(this.photos, photo)

  readonly setVideo = (video: PageVideo): void => keep(this.videos, video)

  /** One that may still hang on a post. */
  readonly findPhoto = (accountId: string, id: string, at: DateTime.Utc): Option.Option<Photo> =>
    Option.filter(
      Option.fromUndefinedOr(this.photos.get(id)),
      (photo) => photo.accountId === accountId && DateTime.isGreaterThan(photo.endsAt, at)
    )

  readonly findVideo = (accountId: string, id: string): Option.Option<PageVideo> =>
    Option.filter(Option.fromUndefinedOr(this.videos.get(id)), (video) => video.accountId === accountId)

  readonly isVideo = (id: string): boolean => this.videos.has(id)
}

/** How far a video is, in Facebook's words. */
export const videoStatus = (video: PageVideo, at: DateTime.Utc): "uploading" | "processing" | "ready" | "error" => {
  if (Option.isNone(video.readyAt)) return "uploading"
  if (DateTime.isGreaterThan(video.readyAt.value, at)) return "processing"
  return Option.isSome(video.failure) ? "error" : "ready"
}
