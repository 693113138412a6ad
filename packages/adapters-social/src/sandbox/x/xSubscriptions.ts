import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import type { AccountScene, Ask, Operation, SandboxAnswer } from "../Operation.ts"
import type { XSubscription } from "../Subscriptions.ts"
import { digitsOf } from "../worldIds.ts"
import { forbidden, invalidRequest, problem } from "./xAnswers.ts"

/** What is told of posts; X has more kinds, of which nothing happens here. */
const eventTypes = ["post.create", "post.delete", "post.mention.create", "post.reply.create", "post.quote.create"]

const longestTag = 200

const shown = ({ accountId, createdAt, eventType, id, tag }: XSubscription) => ({
  subscription_id: id,
  event_type: eventType,
  filter: { user_id: accountId },
  ...(tag === undefined ? {} : { tag }),
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(createdAt)
})

const ownOf = ({ account, subscriptions }: AccountScene): ReadonlyArray<XSubscription> =>
  subscriptions.listOfX().filter(({ accountId }) => accountId === account.accountId)

const meta = (scene: AccountScene) => ({ total_subscriptions: ownOf(scene).length })

const subscribe = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, subscriptions } = scene
  const [eventType, tag, filter] = [ask.text("event_type") ?? "", ask.text("tag"), ask.input("filter")]
  if (!eventTypes.includes(eventType)) {
    return invalidRequest("event_type", eventType, `The \`event_type\` is none of ${eventTypes.join(", ")}`)
  }
  const userId = Predicate.isObject(filter) ? filter["user_id"] : undefined
  if (typeof userId !== "string") return invalidRequest("filter", "", "The `filter` needs a `user_id`")
  if (userId !== account.accountId) return forbidden("You are not permitted to subscribe to events of this user.")
  if (tag !== undefined && tag.length > longestTag) return invalidRequest("tag", tag, "The `tag` is too long")
  const id = digitsOf(`subscription ${userId} ${eventType} ${DateTime.toEpochMillis(at)}`, 19)
  const added = { id, eventType, accountId: userId, tag, createdAt: at }
  if (subscriptions.addOfX(added)) return { status: 201, body: { data: [shown(added)], meta: meta(scene) } }
  return problem(400, "Invalid Request", "There is such a subscription, or there are too many.")
}

const list = (scene: AccountScene): SandboxAnswer => ({
  status: 200,
  body: { data: ownOf(scene).map(shown), meta: meta(scene) }
})

const unsubscribe = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const deleted = scene.subscriptions.removeOfX(ask.param("id"), scene.account.accountId)
  return deleted
    ? { status: 200, body: { data: { deleted }, meta: meta(scene) } }
    : problem(404, "Not Found Error", "There is no such subscription.")
}

const scope = "tweet.read"

/** `/2/activity/subscriptions`, in the name of the account that is meant: X takes its token as well as the app's own. */
export const xSubscriptions = {
  list: { name: "list_subscriptions", scope, answer: list },
  subscribe: { name: "subscribe", scope, answer: subscribe },
  unsubscribe: { name: "unsubscribe", scope, answer: unsubscribe }
} satisfies Readonly<Record<string, Operation>>
