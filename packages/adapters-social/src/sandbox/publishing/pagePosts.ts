import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { missing } from "../graph/graphRoutes.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { parsedJson } from "../parsedJson.ts"
import { characterLength } from "../textLimits.ts"
import { asPerson } from "../World.ts"
import type { NewWriting } from "../World.ts"
import type { PostedMedia } from "../Writing.ts"
import type { Photo } from "./PageMedia.ts"

const mostMessage_chars = 63_206
const mostPhoto_bytes = 10_000_000
const photoFormats = ["jpeg", "png", "gif"]

const isOfPage = ({ account }: AccountScene, ask: Ask): boolean =>
  ask.param("id") === "me" || ask.param("id") === account.accountId

/** A post of the Page, as it is written over the API. */
export const ownPost = ({ account }: AccountScene, text: string, posted: Option.Option<PostedMedia>): NewWriting => ({
  account,
  author: asPerson(account),
  kind: "post",
  text,
  isOwn: true,
  posted,
  sent: Option.some({ metadata: Option.none() })
})

const photosShown = (photos: ReadonlyArray<Photo>): PostedMedia => ({
  kind: photos.length === 1 ? "image" : "carousel",
  surface: "feed",
  parts: photos.map(() => "image"),
  keys: photos.map(({ id }) => id),
  altTexts: photos.flatMap(({ altText }) => (altText === undefined ? [] : [altText]))
})

const idIn = (value: unknown): string | undefined => {
  const read = typeof value === "string" ? parsedJson(value) : value
  const id = Predicate.isObject(read) ? read["media_fbid"] : undefined
  return typeof id === "string" ? id : undefined
}

/** `attached_media[0]`, `[1]` …, or a list in JSON. */
const attachedIds = (ask: Ask): ReadonlyArray<string | undefined> => {
  const whole = ask.input("attached_media")
  const list = typeof whole === "string" ? parsedJson(whole) : whole
  if (Array.isArray(list)) return list.map(idIn)
  return Object.keys(ask.inputs)
    .filter((name) => /^attached_media\[\d+\]$/.test(name))
    .map((name) => idIn(ask.input(name)))
}

const attached = (
  { account, at, pageMedia }: AccountScene,
  ask: Ask
): Result.Result<ReadonlyArray<Photo>, SandboxAnswer> =>
  Result.gen(function* () {
    const photos: Array<Photo> = []
    for (const id of attachedIds(ask)) {
      const photo = id === undefined ? Option.none() : pageMedia.findPhoto(account.accountId, id, at)
      if (Option.isNone(photo)) return yield* Result.fail(invalid("Param attached_media: no such photo"))
      if (photo.value.isUsed) {
        return yield* Result.fail(graphError(400, 1_366_051, undefined, "These photos were already posted."))
      }
      photos.push(photo.value)
    }
    return photos
  })

/** `POST /{page}/feed`: a post of words, of a link, or of photos that were uploaded before. */
export const createPost = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  if (!isOfPage(scene, ask)) return missing(scene, ask.param("id"))
  const [message = "", link] = ["message", "link"].map(ask.text)
  if (characterLength(message) > mostMessage_chars) return invalid("Param message is too long")
  if (link !== undefined && (!URL.canParse(link) || !/^https?:/.test(link))) return invalid("Param link must be a URL")
  if (link !== undefined && /^https?:\/\/(?:www\.)?facebook\.com\//.test(link)) {
    return graphError(400, 1_609_008, undefined, "You can't post a link to Facebook.")
  }
  const photos = attached(scene, ask)
  if (Result.isFailure(photos)) return photos.failure
  if (message.trim() === "" && link === undefined && photos.success.length === 0) {
    return invalid("Must provide either message, link, place, or attached_media")
  }
  for (const photo of photos.success) scene.pageMedia.setPhoto({ ...photo, isUsed: true })
  const posted = photos.success.length === 0 ? Option.none() : Option.some(photosShown(photos.success))
  const happened = scene.world.write(ownPost(scene, message, posted), scene.at)
  return { status: 200, body: { id: happened.writing.id }, happened }
}

const photoRefusal = ({ file, loaded, text }: Ask): SandboxAnswer | undefined => {
  const given = text("url") === undefined ? file : loaded
  if (text("url") === undefined && Option.isNone(file)) return graphError(400, 324, undefined, "Requires upload file")
  if (Option.isNone(given)) return graphError(400, 389, undefined, "Unable to fetch video or photo file from URL.")
  if (given.value.size_bytes > mostPhoto_bytes) return graphError(400, 1_366_046, undefined, "The photo is too large.")
  return photoFormats.includes(given.value.format ?? "") ? undefined : invalid("Invalid image format")
}

/** `POST /{page}/photos`: a photo, as a post or to hang on one. */
export const createPhoto = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  if (!isOfPage(scene, ask)) return missing(scene, ask.param("id"))
  const refusal = photoRefusal(ask)
  if (refusal !== undefined) return refusal
  const { account, at, pageMedia, world } = scene
  const isPublished = ask.text("published") !== "false"
  const photo: Photo = {
    id: world.ids.next("facebook", "container", account, Option.none()),
    accountId: account.accountId,
    altText: ask.text("alt_text_custom"),
    endsAt: DateTime.add(at, { hours: 24 }),
    isUsed: isPublished
  }
  pageMedia.setPhoto(photo)
  if (!isPublished) return { status: 200, body: { id: photo.id } }
  const text = ask.text("caption") ?? ask.text("message") ?? ""
  const happened = world.write(ownPost(scene, text, Option.some(photosShown([photo]))), at)
  return { status: 200, body: { id: photo.id, post_id: happened.writing.id }, happened }
}
