import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { AccountScene, Ask, Operation, SandboxAnswer } from "../Operation.ts"
import { uploadState } from "../publishing/XUploads.ts"
import type { XUpload } from "../publishing/XUploads.ts"
import { mediaFailure } from "./mediaRules.ts"
import { forbidden, invalidRequest, problem } from "./xAnswers.ts"

const scope = "media.write"
const day_s = 86_400
const mostSegment_bytes = 5 * 1024 * 1024
const mostSegments = 1_000
const mostAltText_chars = 1_000

/** How media keys begin, by what they are. */
const keyPrefixes: Readonly<Record<string, string>> = { tweet_image: "3", tweet_gif: "16", tweet_video: "7" }

const fresh = ({ account, at, world }: AccountScene, category: string, total_bytes: number): XUpload => {
  const id = world.ids.next("x", "container", account, Option.none())
  return {
    id,
    mediaKey: `${keyPrefixes[category]}_${id}`,
    accountId: account.accountId,
    category,
    total_bytes,
    segments: new Map(),
    file: Option.none(),
    readyAt: Option.none(),
    endsAt: DateTime.add(at, { seconds: day_s }),
    failure: Option.none(),
    altText: undefined,
    isUsed: false
  }
}

const categoryRefusal = (ask: Ask): SandboxAnswer | undefined => {
  const category = ask.text("media_category")
  if (category === undefined) {
    return invalidRequest("media_category", "", "$.media_category: is missing but it is required")
  }
  return category in keyPrefixes
    ? undefined
    : invalidRequest("media_category", category, "$.media_category: does not have a value in the enumeration")
}

const shown = ({ endsAt, id, mediaKey, total_bytes }: XUpload, at: DateTime.Utc) => ({
  id,
  media_key: mediaKey,
  size: total_bytes,
  expires_after_secs: Math.round((DateTime.toEpochMillis(endsAt) - DateTime.toEpochMillis(at)) / 1000)
})

/** Of an image there is nothing to wait for, and nothing is said. */
const processing = (upload: XUpload, at: DateTime.Utc) => {
  if (upload.category === "tweet_image") return {}
  const state = uploadState(upload, at)
  const error = { code: 1, name: "InvalidMedia", message: Option.getOrElse(upload.failure, () => "") }
  const more = {
    pending: {},
    in_progress: { check_after_secs: 1, progress_percent: 50 },
    succeeded: {},
    failed: { error }
  }
  return { processing_info: { state, ...more[state] } }
}

/** `POST /2/media/upload`: an image in one request. The category comes before the file. */
const upload = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const refusal = categoryRefusal(ask)
  if (refusal !== undefined) return refusal
  const category = ask.text("media_category") ?? ""
  if (category !== "tweet_image") return invalidRequest("media_category", category, "Only images are uploaded at once.")
  if (Option.isNone(ask.file)) return invalidRequest("media", "", "$.media: is missing but it is required")
  const failure = mediaFailure(category, ask.file.value)
  if (failure !== undefined) return invalidRequest("media", "", failure)
  const one: XUpload = {
    ...fresh(scene, category, ask.file.value.size_bytes),
    file: ask.file,
    readyAt: Option.some(scene.at)
  }
  scene.xUploads.set(one)
  return { status: 200, body: { data: shown(one, scene.at) } }
}

const initialize = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const refusal = categoryRefusal(ask)
  if (refusal !== undefined) return refusal
  const total = ask.input("total_bytes")
  if (typeof total !== "number" || total < 1) return invalidRequest("total_bytes", "", "$.total_bytes: is required")
  if (ask.text("media_type") === undefined) return invalidRequest("media_type", "", "$.media_type: is required")
  const one = fresh(scene, ask.text("media_category") ?? "", total)
  scene.xUploads.set(one)
  const { expires_after_secs, id, media_key } = shown(one, scene.at)
  return { status: 200, body: { data: { id, media_key, expires_after_secs } } }
}

const unknownMedia = (id: string): SandboxAnswer => invalidRequest("id", id, "Your media IDs are invalid.")

const append = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const id = ask.param("id")
  const found = scene.xUploads.find(scene.account.accountId, id, scene.at)
  if (Option.isNone(found) || Option.isSome(found.value.readyAt)) return unknownMedia(id)
  const index = Number(ask.text("segment_index") ?? "-1")
  if (!Number.isSafeInteger(index) || index < 0 || index >= mostSegments) {
    return invalidRequest("segment_index", String(index), "$.segment_index: must be from 0 to 999")
  }
  if (Option.isNone(ask.file)) return invalidRequest("media", "", "$.media: is missing but it is required")
  const { size_bytes } = ask.file.value
  if (size_bytes > mostSegment_bytes) return problem(413, "Request Entity Too Large", "The segment is too large.")
  scene.xUploads.set({
    ...found.value,
    segments: new Map(found.value.segments).set(index, size_bytes),
    // What the file is stands at its beginning.
    file: index === 0 ? ask.file : found.value.file
  })
  return { status: 200, body: { data: { expires_at: Math.floor(DateTime.toEpochMillis(found.value.endsAt) / 1000) } } }
}

const finalize = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const id = ask.param("id")
  const found = scene.xUploads.find(scene.account.accountId, id, scene.at)
  if (Option.isNone(found)) return unknownMedia(id)
  const { segments, total_bytes } = found.value
  const sizes = [...segments.entries()].toSorted(([one], [other]) => one - other)
  const isWhole =
    sizes.every(([index], i) => index === i) && sizes.reduce((sum, [, size]) => sum + size, 0) === total_bytes
  if (!isWhole) return invalidRequest("id", id, "Segments do not add up to provided total file size.")
  const failure = Option.orElse(scene.failsLater, () =>
    Option.flatMap(found.value.file, (file) =>
      Option.fromUndefinedOr(mediaFailure(found.value.category, { ...file, size_bytes: total_bytes }))
    )
  )
  const readyAt = Option.orElse(found.value.readyAt, () =>
    Option.some(DateTime.add(scene.at, { milliseconds: scene.settings.container_delay_ms }))
  )
  const one: XUpload = { ...found.value, readyAt, failure }
  scene.xUploads.set(one)
  return { status: 200, body: { data: { ...shown(one, scene.at), ...processing(one, scene.at) } } }
}

const status = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  if (ask.text("command") !== "STATUS") return invalidRequest("command", ask.text("command") ?? "", "It must be STATUS")
  const id = ask.text("media_id") ?? ""
  const found = scene.xUploads.find(scene.account.accountId, id, scene.at)
  if (Option.isNone(found)) return unknownMedia(id)
  return { status: 200, body: { data: { ...shown(found.value, scene.at), ...processing(found.value, scene.at) } } }
}

const describe = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const id = ask.text("id") ?? ""
  const metadata = ask.input("metadata")
  const alt = Predicate.isObject(metadata) ? metadata["alt_text"] : undefined
  const altText = Predicate.isObject(alt) ? alt["text"] : undefined
  const found = scene.xUploads.find(scene.account.accountId, id, scene.at)
  if (Option.isNone(found)) return unknownMedia(id)
  if (typeof altText !== "string" || altText.length > mostAltText_chars) {
    return invalidRequest("metadata.alt_text.text", "", "It has 1 to 1000 characters")
  }
  scene.xUploads.set({ ...found.value, altText })
  return { status: 200, body: { data: { id, associated_metadata: { alt_text: { text: altText } } } } }
}

/** The media of a post: what may hang together on one, or why it may not. */
export const takeMedia = (
  { account, at, xUploads }: AccountScene,
  ids: ReadonlyArray<string>
): ReadonlyArray<XUpload> | SandboxAnswer => {
  const found = ids.flatMap((id) => Option.toArray(xUploads.find(account.accountId, id, at)))
  const isKnown = found.length === ids.length && !found.some(({ isUsed }) => isUsed)
  if (!isKnown || ids.length > 4) return invalidRequest("media.media_ids", ids.join(","), "Your media IDs are invalid.")
  const isReady = found.every((one) => uploadState(one, at) === "succeeded")
  const isMixed = found.length > 1 && found.some(({ category }) => category !== "tweet_image")
  return isReady && !isMixed ? found : forbidden("You are not permitted to perform this action.")
}

/** What X is asked about media. */
export const xUploadOperations = {
  upload: { name: "upload_media", scope, answer: upload },
  initialize: { name: "initialize_upload", scope, answer: initialize },
  append: { name: "append_upload", scope, answer: append },
  finalize: { name: "finalize_upload", scope, answer: finalize },
  status: { name: "upload_status", scope, answer: status },
  describe: { name: "media_metadata", scope, answer: describe }
} satisfies Record<string, Operation>
