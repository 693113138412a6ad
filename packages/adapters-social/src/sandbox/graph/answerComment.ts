import * as Option from "effect/Option"
import { placeUnder } from "../control/placeUnder.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { asPerson } from "../World.ts"
import type { Enclosure, Writing } from "../Writing.ts"
import { invalid } from "./graphAnswers.ts"

/** How a network counts a text, and how much it takes. */
export interface TextLimit {
  readonly length: (text: string) => number
  readonly limit: number
}

/** The account answers a comment with `message`, or with what hangs on it. */
export const answerComment = (
  { account, at, world }: AccountScene,
  ask: Ask,
  target: Writing,
  { length, limit }: TextLimit,
  enclosed: Option.Option<Enclosure> = Option.none()
): SandboxAnswer => {
  const text = ask.text("message") ?? ""
  if (text.trim() === "" && Option.isNone(enclosed)) return invalid("The parameter message is required")
  if (length(text) > limit) return invalid(`Param message must be at most ${limit} characters long`)
  const place = placeUnder(world, account, Option.some(target), undefined, at)
  const author = asPerson(account)
  const sent = Option.some({ metadata: Option.none() })
  const { surface } = target
  const happened = world.write(
    { account, author, kind: "comment", text, enclosed, isOwn: true, sent, surface, ...place },
    at
  )
  return { status: 200, body: { id: happened.writing.id }, happened }
}
