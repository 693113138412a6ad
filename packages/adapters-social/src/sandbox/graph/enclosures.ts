import * as Option from "effect/Option"
import { digitsOf } from "../worldIds.ts"
import type { Enclosure, Writing } from "../Writing.ts"

type Members = Readonly<Record<string, unknown>>

const endings: Partial<Record<Enclosure, string>> = { video: "mp4", audio: "m4a", file: "pdf", gif: "gif", like: "png" }

/** Where it lies; the networks sign their URLs anew each time, which nobody could compare. */
const urlOf = ({ account: { network }, enclosed, id }: Writing): string => {
  const ending = Option.getOrElse(
    Option.flatMap(enclosed, (kind) => Option.fromUndefinedOr(endings[kind])),
    () => "jpg"
  )
  return `https://media.example/${network}/${id}.${ending}`
}

const storyId = ({ id }: Writing): string => `179${digitsOf(`story of ${id}`, 14)}`
const stickerId = ({ enclosed }: Writing): number => (Option.contains(enclosed, "like") ? 369_239_263_222_822 : 17_867)

const isInstagram = ({ account: { network } }: Writing): boolean => network === "instagram"

const attached = (type: string, payload: Members): Members => ({ attachments: [{ type, payload }] })
const linked = (type: string) => (writing: Writing) => attached(type, { url: urlOf(writing) })

const sticker = (writing: Writing): Members => {
  if (isInstagram(writing)) return attached("image", { url: urlOf(writing) })
  const sticker_id = stickerId(writing)
  return { sticker_id, ...attached("image", { url: urlOf(writing), sticker_id }) }
}

/** By kind: what a webhook's message has beside its id and its text. */
const told: Record<Enclosure, (writing: Writing) => Members> = {
  image: linked("image"),
  video: linked("video"),
  audio: linked("audio"),
  file: linked("file"),
  gif: linked("image"),
  sticker,
  like: sticker,
  share: (writing) =>
    isInstagram(writing)
      ? attached("share", { url: urlOf(writing) })
      : { attachments: [{ type: "fallback", title: "A page", url: urlOf(writing), payload: null }] },
  story_reply: (writing) => ({ reply_to: { story: { id: storyId(writing), url: urlOf(writing) } } }),
  template: () => attached("template", { generic: { elements: [{ title: "A product" }] } }),
  unsupported: (writing) =>
    isInstagram(writing)
      ? { is_unsupported: true }
      : attached("location", { coordinates: { lat: 52.52, long: 13.405 } })
}

/** What hangs on a message, as its webhook tells it. */
export const toldEnclosure = (writing: Writing): Members =>
  Option.match(writing.enclosed, { onNone: () => ({}), onSome: (kind) => told[kind](writing) })

const attachmentList = (element: Members): Members => ({ attachments: { data: [{ id: "1", ...element }] } })

const picture = (url: string, more: Members = {}) => ({
  image_data: { width: 640, height: 640, url, preview_url: url, ...more }
})

/** By kind: what the members of a message's node are. A share and a story are members of their own, unlike in webhooks. */
const shown: Record<Enclosure, (writing: Writing) => Members> = {
  image: (writing) => attachmentList({ mime_type: "image/jpeg", ...picture(urlOf(writing)) }),
  video: (writing) => attachmentList({ mime_type: "video/mp4", video_data: { url: urlOf(writing), length: 4 } }),
  audio: (writing) => attachmentList({ mime_type: "audio/mp4", file_url: urlOf(writing) }),
  file: (writing) => attachmentList({ mime_type: "application/pdf", name: "a.pdf", file_url: urlOf(writing) }),
  gif: (writing) => attachmentList(picture(urlOf(writing), { animated_gif_url: urlOf(writing) })),
  sticker: (writing) => shownSticker(writing),
  like: (writing) => shownSticker(writing),
  share: (writing) => ({ shares: { data: [{ link: urlOf(writing), name: "A page" }] } }),
  story_reply: (writing) => ({ story: { reply_to: { id: storyId(writing), link: urlOf(writing) } } }),
  template: () => attachmentList({ generic_template: { title: "A product" } }),
  unsupported: (writing) => (isInstagram(writing) ? { is_unsupported: true } : {})
}

/** Messenger's stickers are a member of the message; Instagram's are pictures. */
const shownSticker = (writing: Writing): Members =>
  isInstagram(writing)
    ? attachmentList(picture(urlOf(writing), { render_as_sticker: true }))
    : { sticker: urlOf(writing) }

/** What hangs on a message, as its node tells it. */
export const shownEnclosure = (writing: Writing): Members =>
  Option.match(writing.enclosed, { onNone: () => ({}), onSome: (kind) => shown[kind](writing) })

/** What hangs on a comment of Facebook, as its webhook tells it; Instagram tells nothing of it. */
export const toldOnComment = (writing: Writing): Members => {
  const { enclosed } = writing
  if (Option.isNone(enclosed)) return {}
  return enclosed.value === "video" ? { video: urlOf(writing) } : { photo: urlOf(writing) }
}

const commentTypes: Partial<Record<Enclosure, string>> = {
  image: "photo",
  video: "video_inline",
  sticker: "sticker",
  gif: "animated_image_share"
}

/** The same as the comment's node tells it. */
export const shownOnComment = (writing: Writing): Members | undefined => {
  const type = Option.flatMap(writing.enclosed, (kind) => Option.fromUndefinedOr(commentTypes[kind]))
  if (Option.isNone(type)) return undefined
  const url = urlOf(writing)
  const media = Option.contains(writing.enclosed, "video") ? { source: url } : { image: { src: url } }
  return { type: type.value, url: `https://www.facebook.com/${writing.id}`, media }
}
