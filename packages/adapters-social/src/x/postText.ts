import * as Option from "effect/Option"
import { bodyText, linkText } from "@loopbox/core/networks/networkText"

/** A link of a post, as its entities have it. */
export interface PostLink {
  /** The short one, as it stands in the text. */
  readonly url: string
  readonly expandedUrl: Option.Option<string>
  /** It stands for the post's own photo or video. */
  readonly isMedia: boolean
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" }

/** A photo or video of a post, also without a media key beside it. */
export const isMediaUrl = (url: string): boolean => /\/status\/\d+\/(photo|video)\/\d+$/.test(url)

const statusOf = (url: string): string | undefined =>
  /^https?:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/[^/]+\/status\/(\d+)/.exec(url)?.[1]

/**
 * What a reader of a post sees: entities decoded once, short links expanded, the links at the end that stand for its
 * own media dropped. Handles stay. A link to the quoted post stays short, for readers see the quote in its place.
 *
 * Links are found by their text: positions count characters that encoders disagree about.
 */
export const postText = (text: string, links: ReadonlyArray<PostLink>, quotedIds: ReadonlyArray<string>): string => {
  const expanded = new Map<string, string>()
  const media = new Set<string>()
  for (const { expandedUrl, isMedia, url } of links) {
    const long = Option.getOrUndefined(Option.flatMap(expandedUrl, linkText))
    if (isMedia || (long !== undefined && isMediaUrl(long))) media.add(url)
    else if (long !== undefined && !quotedIds.includes(statusOf(long) ?? "")) expanded.set(url, long)
  }
  return bodyText(
    withoutTail(text, media)
      .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
      .replace(/https?:\/\/t\.co\/\w+/g, (url) => expanded.get(url) ?? url)
  )
}

const withoutTail = (text: string, media: ReadonlySet<string>): string => {
  let rest = text
  // Each turn drops a link, so it ends; a post has a handful of them.
  for (;;) {
    const shorter = rest.trimEnd()
    const last = [...media].find((url) => url !== "" && shorter.endsWith(url))
    if (last === undefined) return rest
    rest = shorter.slice(0, -last.length).trimEnd()
  }
}
