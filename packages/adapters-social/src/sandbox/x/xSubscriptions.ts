import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import type { XSubscription } from "../Subscriptions.ts"
import { isExpired } from "../Tokens.ts"
import { digitsOf } from "../worldIds.ts"
import { isAppBearer } from "./isAppBearer.ts"
import { forbidden, invalidRequest, problem } from "./xAnswers.ts"
import { xRefusal } from "./xRefusal.ts"

/** What is told of posts; X has more kinds, of which nothing happens here. */
const eventTypes = ["post.create", "post.delete", "post.mention.create", "post.reply.create", "post.quote.create"]

const longestTag = 200
const scope = "tweet.read"

const shown = ({ accountId, createdAt, eventType, id, tag, webhookId }: XSubscription) => ({
  subscription_id: id,
  event_type: eventType,
  filter: { user_id: accountId },
  ...(tag === undefined ? {} : { tag }),
  ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(createdAt)
})

/** In whose name it is asked; the app speaks for all who have allowed it. */
interface Asker {
  readonly speaksFor: (accountId: string) => boolean
  /** Whether a webhook that is named has to be there; not where an account is only known. */
  readonly isStrict: boolean
}

const livesOf = ({ at, tokens }: Scene, accountId: string): boolean =>
  tokens.ofAccounts("x", [accountId]).some((one) => !one.isRevoked && (one.family !== undefined || !isExpired(one, at)))

const asked =
  (answer: (scene: Scene, ask: Ask, asker: Asker) => SandboxAnswer) =>
  (scene: Scene, ask: Ask): SandboxAnswer => {
    if (isAppBearer(scene, ask)) {
      return answer(scene, ask, { speaksFor: (accountId) => livesOf(scene, accountId), isStrict: true })
    }
    const token = /^Bearer (.+)$/i.exec(ask.authorization ?? "")?.[1]
    const grant = Option.flatMap(Option.fromUndefinedOr(token), (one) => scene.tokens.find("x", one))
    const refusal = xRefusal(scene, ask, grant, scope)
    if (refusal !== undefined || Option.isNone(grant)) return refusal ?? forbidden("Forbidden")
    const { accountId, clientId } = grant.value
    return answer(scene, ask, { speaksFor: (id) => id === accountId, isStrict: clientId !== undefined })
  }

const ownOf = ({ subscriptions }: Scene, { speaksFor }: Asker): ReadonlyArray<XSubscription> =>
  subscriptions.listOfX().filter(({ accountId }) => speaksFor(accountId))

const meta = (scene: Scene, asker: Asker) => ({ total_subscriptions: ownOf(scene, asker).length })

/** What is wrong with a subscription that is asked for. */
const complaintOf = ({ subscriptions }: Scene, ask: Ask, asker: Asker): SandboxAnswer | undefined => {
  const [eventType, tag, filter] = [ask.text("event_type") ?? "", ask.text("tag"), ask.input("filter")]
  if (!eventTypes.includes(eventType)) {
    return invalidRequest("event_type", eventType, `The \`event_type\` is none of ${eventTypes.join(", ")}`)
  }
  const userId = Predicate.isObject(filter) ? filter["user_id"] : undefined
  if (typeof userId !== "string") return invalidRequest("filter", "", "The `filter` needs a `user_id`")
  if (!asker.speaksFor(userId)) return forbidden("You are not permitted to subscribe to events of this user.")
  if (tag !== undefined && tag.length > longestTag) return invalidRequest("tag", tag, "The `tag` is too long")
  const webhookId = ask.text("webhook_id")
  return asker.isStrict && !subscriptions.webhooks().some(({ id }) => id === webhookId)
    ? invalidRequest("webhook_id", webhookId ?? "", "There is no such webhook")
    : undefined
}

const subscribe = (scene: Scene, ask: Ask, asker: Asker): SandboxAnswer => {
  const { at, subscriptions } = scene
  const complaint = complaintOf(scene, ask, asker)
  if (complaint !== undefined) return complaint
  const filter = ask.input("filter")
  const accountId = Predicate.isObject(filter) ? String(filter["user_id"]) : ""
  const eventType = ask.text("event_type") ?? ""
  const id = digitsOf(`subscription ${accountId} ${eventType} ${DateTime.toEpochMillis(at)}`, 19)
  const webhookId = ask.text("webhook_id")
  const added = { id, eventType, accountId, tag: ask.text("tag"), webhookId, createdAt: at }
  if (subscriptions.addOfX(added)) return { status: 201, body: { data: [shown(added)], meta: meta(scene, asker) } }
  return problem(400, "Invalid Request", "There is such a subscription, or there are too many.")
}

const list = (scene: Scene, _ask: Ask, asker: Asker): SandboxAnswer => ({
  status: 200,
  body: { data: ownOf(scene, asker).map(shown), meta: meta(scene, asker) }
})

const unsubscribe = (scene: Scene, ask: Ask, asker: Asker): SandboxAnswer => {
  const subscription = ownOf(scene, asker).find(({ id }) => id === ask.param("id"))
  if (subscription === undefined) return problem(404, "Not Found Error", "There is no such subscription.")
  const deleted = scene.subscriptions.removeOfX(subscription.id, subscription.accountId)
  return { status: 200, body: { data: { deleted }, meta: meta(scene, asker) } }
}

/** `/2/activity/subscriptions`, in the name of the account that is meant, or by the app's own token. */
export const xSubscriptions = {
  list: { name: "list_subscriptions", openAnswer: asked(list) },
  subscribe: { name: "subscribe", openAnswer: asked(subscribe) },
  unsubscribe: { name: "unsubscribe", openAnswer: asked(unsubscribe) }
} satisfies Readonly<Record<string, Operation>>
