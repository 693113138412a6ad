import * as Option from "effect/Option"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { missing } from "../graph/graphRoutes.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { placeUnder } from "../control/placeUnder.ts"
import { threadsLength } from "../textLimits.ts"
import { asPerson, isVisible } from "../World.ts"
import { statusOf } from "./Containers.ts"

const most_chars = 500

/** `POST /me/threads`: a text to be published, as a post or as a reply. It shows nothing to anybody. */
export const createContainer = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, containers, settings, world } = scene
  const text = ask.text("text")
  if (ask.text("media_type") !== "TEXT") return invalid("Param media_type must be TEXT here")
  if (text === undefined || text.trim() === "") return invalid("Param text is required")
  if (threadsLength(text) > most_chars) return invalid(`Param text must be at most ${most_chars} characters long.`)
  const replyTo = ask.text("reply_to_id")
  const target = Option.flatMap(Option.fromUndefinedOr(replyTo), (id) => world.findWriting("threads", id))
  if (replyTo !== undefined && !Option.exists(target, (one) => isVisible(one, at))) return missing(scene, replyTo)
  const id = world.ids.next("threads", "container", account, Option.none())
  const own = { account, author: asPerson(account), text, isOwn: true, sent: Option.some({ metadata: Option.none() }) }
  const draft =
    replyTo === undefined
      ? ({ ...own, kind: "post" } as const)
      : ({ ...own, kind: "comment", ...placeUnder(world, account, target, undefined, at) } as const)
  containers.add(id, draft, settings.container_delay_ms, at)
  return { status: 200, body: { id } }
}

/** `POST /me/threads_publish`: once, and not before the container is ready. */
export const publish = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { at, containers, world } = scene
  const id = ask.text("creation_id")
  const container = Option.flatMap(Option.fromUndefinedOr(id), containers.find)
  if (id === undefined) return invalid("Param creation_id is required")
  if (Option.isNone(container) || container.value.draft.account.accountId !== scene.account.accountId) {
    return missing(scene, id)
  }
  const { draft } = container.value
  switch (statusOf(container.value, at)) {
    case "IN_PROGRESS":
      return graphError(400, 24, 4_279_009, "The requested resource does not exist")
    case "PUBLISHED":
      return invalid("The media container was published before")
    case "EXPIRED":
      return invalid("The media container has expired")
    case "FINISHED": {
      const answered = Option.orElse(draft.parentId ?? Option.none(), () => draft.postId ?? Option.none())
      const target = Option.flatMap(answered, (id) => world.findWriting("threads", id))
      if (Option.exists(target, ({ isDeleted }) => isDeleted)) return invalid("The post to answer is not available")
      containers.publish(container.value)
      const happened = world.write(draft, at)
      return { status: 200, body: { id: happened.writing.id }, happened }
    }
  }
}
