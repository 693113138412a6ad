import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { parsedJson } from "../parsedJson.ts"
import type { Ask, Operation, Scene } from "../Operation.ts"
import { instagramOperations } from "./instagram.ts"
import { missingId } from "./graphRoutes.ts"

/** What a permission of Instagram's own login is called in Facebook's. */
const scopeNames: ReadonlyMap<string, string> = new Map([
  ["instagram_business_basic", "instagram_basic"],
  ["instagram_business_content_publish", "instagram_content_publish"],
  ["instagram_business_manage_comments", "instagram_manage_comments"],
  ["instagram_business_manage_messages", "instagram_manage_messages"],
  ["instagram_manage_engagement", "instagram_manage_engagement"]
])

/** The same for the Instagram account that is linked to the Page whose token comes. */
const throughPage = (operation: Operation): Operation => {
  if (!("answer" in operation)) return operation
  const { answer, name, scope } = operation
  return {
    name: `instagram_${name}`,
    scope: scope === undefined ? undefined : (scopeNames.get(scope) ?? scope),
    answer: (scene, ask) =>
      Option.match(scene.logins.owners.instagramOf(scene.account.accountId), {
        onNone: () => missingId(scene, ask.param("id")),
        onSome: (account) => answer({ ...scene, account }, ask)
      })
  }
}

const { objects, ...lists } = instagramOperations

/** Operations of Instagram at Facebook's host. */
export const instagramThroughPage = {
  media: throughPage(lists.media),
  comments: throughPage(lists.comments),
  replies: throughPage(lists.replies),
  reply: throughPage(lists.reply),
  commentMedia: throughPage(lists.commentMedia),
  conversations: throughPage(lists.conversations),
  messages: throughPage(lists.messages),
  send: throughPage(lists.send),
  create: throughPage(lists.create),
  publish: throughPage(lists.publish),
  limit: throughPage(lists.limit),
  stories: throughPage(lists.stories),
  removeMedia: throughPage(lists.removeMedia),
  hide: throughPage(lists.hide),
  remove: throughPage(lists.remove),
  like: throughPage(lists.like),
  unlike: throughPage(lists.unlike)
}

const throughObjects: ReadonlyMap<Operation, Operation> = new Map(
  objects.all.map((one) => [one, throughPage(one)] as const)
)

/** Names of all, for faults. */
export const throughPageNames: ReadonlyArray<string> = [
  ...Object.values(instagramThroughPage),
  ...throughObjects.values()
].map(({ name }) => name)

/** Whether an id is one of Instagram: an account, something written, a person or a conversation. */
export const isOfInstagram = ({ containers, world }: Scene, id: string): boolean =>
  id.startsWith("aWdfZ") ||
  Option.exists(containers.find(id), ({ account }) => account.network === "instagram") ||
  Option.isSome(world.findWriting("instagram", id)) ||
  Option.isSome(world.findPerson("instagram", id)) ||
  Option.isSome(world.findAccount("instagram", id))

/** The operation that reads an object of Instagram. */
export const instagramObject = (scene: Scene, ask: Ask): Operation => {
  const operation = objects.pick(scene, ask)
  return throughObjects.get(operation) ?? operation
}

/** Whether a message goes to somebody of Instagram, or to who wrote a comment there. */
export const goesToInstagram = ({ world }: Scene, ask: Ask): boolean => {
  const recipient = ask.input("recipient")
  const read = typeof recipient === "string" ? parsedJson(recipient) : recipient
  if (!Predicate.isObject(read)) return false
  const { comment_id: comment, id } = read
  return (
    (typeof id === "string" && Option.isSome(world.findPerson("instagram", id))) ||
    (typeof comment === "string" && Option.isSome(world.findWriting("instagram", comment)))
  )
}
