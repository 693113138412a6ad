import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer } from "../Operation.ts"
import { parsedJson } from "../parsedJson.ts"
import type { GivenFile } from "../publishing/loadFile.ts"
import type { Enclosure } from "../Writing.ts"
import { graphError, invalid } from "./graphAnswers.ts"

type Members = Readonly<Record<PropertyKey, unknown>>

/** A member that came as JSON, or as JSON in a form. */
export const member = (ask: Ask, name: string): Members => {
  const value = ask.input(name)
  const parsed = typeof value === "string" ? parsedJson(value) : value
  return Predicate.isObject(parsed) ? parsed : {}
}

const within = (members: Members, name: string): Members => {
  const value = members[name]
  return Predicate.isObject(value) ? value : {}
}

/** The address of the file that a message carries. */
export const sentAddress = (ask: Ask): string | undefined => {
  const { url } = within(within(member(ask, "message"), "attachment"), "payload")
  return typeof url === "string" ? url : undefined
}

const kinds = ["image", "video", "audio"] as const

const message_bytes = 25_000_000
const image_bytes = { instagram: 8_388_608, facebook: message_bytes }

/** Meta's words for a file that it can't load, or that is not what it is said to be. */
const unloadable = graphError(400, 100, 2_018_047, "(#100) Upload attachment failure.")

const isOf = (kind: (typeof kinds)[number], { contentType }: GivenFile): boolean => contentType.startsWith(`${kind}/`)

/** What hangs on a message that is sent; none if it is words alone. A message has one or the other. */
export const sentFile = (
  network: "instagram" | "facebook",
  message: Members,
  loaded: Option.Option<GivenFile>
): Result.Result<Option.Option<Enclosure>, SandboxAnswer> => {
  if (message["attachment"] === undefined) return Result.succeed(Option.none())
  if (message["text"] !== undefined) return Result.fail(invalid("Param message has either text or attachment"))
  const { type } = within(message, "attachment")
  const kind = kinds.find((one) => one === type)
  if (kind === undefined) return Result.fail(invalid("Param message[attachment][type] must be image, video or audio"))
  if (Option.isNone(loaded) || !isOf(kind, loaded.value)) return Result.fail(unloadable)
  const limit = kind === "image" ? image_bytes[network] : message_bytes
  return loaded.value.size_bytes > limit ? Result.fail(unloadable) : Result.succeed(Option.some(kind))
}

const comment_bytes = 10_000_000

/** The picture that a comment carries beside its words, if it names one. */
export const commentPicture = (
  ask: Ask,
  loaded: Option.Option<GivenFile>
): Result.Result<Option.Option<Enclosure>, SandboxAnswer> => {
  if (ask.text("attachment_url") === undefined) return Result.succeed(Option.none())
  return Option.isSome(loaded) && isOf("image", loaded.value) && loaded.value.size_bytes <= comment_bytes
    ? Result.succeed(Option.some("image"))
    : Result.fail(graphError(400, 100, undefined, "(#100) attachment_url must be the address of a picture"))
}
