import type { Ask, Operation } from "../Operation.ts"
import { graphError, invalid } from "./graphAnswers.ts"

/** Fields that an app can be told of. */
const knownFields: Record<"instagram" | "facebook", ReadonlySet<string>> = {
  instagram: new Set([
    ...["comments", "live_comments", "mentions", "messages", "message_echoes", "message_edit", "message_reactions"],
    ...["messaging_handover", "messaging_optins", "messaging_postbacks", "messaging_referral", "messaging_seen"],
    ...["standby", "story_insights", "share_to_feed"]
  ]),
  facebook: new Set([
    ...["feed", "mention", "messages", "message_echoes", "message_edits", "message_reads", "message_reactions"],
    ...["message_deliveries", "messaging_postbacks", "messaging_handovers", "messaging_optins", "standby"],
    ...["messaging_referrals", "messaging_policy_enforcement", "name", "picture", "videos"]
  ])
}

const fieldsOf = (ask: Ask): ReadonlyArray<string> =>
  (ask.text("subscribed_fields") ?? "").split(",").filter((field) => field !== "")

/**
 * `/{account}/subscribed_apps`: whether webhooks of an account are sent. The permission that is needed depends on the
 * fields.
 */
export const appSubscriptions = (
  network: "instagram" | "facebook",
  scopeFor: (fields: ReadonlyArray<string>) => string
) => {
  const scope = scopeFor([])
  const subscribe: Operation = {
    name: "subscribe",
    scope,
    answer: ({ account, grant, subscriptions, tokens }, ask) => {
      const fields = fieldsOf(ask)
      if (fields.length === 0) return invalid("Param subscribed_fields is required")
      const unknown = fields.find((field) => !knownFields[network].has(field))
      if (unknown !== undefined) return invalid(`Param subscribed_fields must not have ${unknown}`)
      const needed = scopeFor(fields)
      if (!tokens.permits(grant, needed)) {
        return graphError(403, 200, undefined, `(#200) To subscribe to these fields the app needs ${needed}.`)
      }
      subscriptions.set(account, true, fields)
      return { status: 200, body: { success: true } }
    }
  }
  const unsubscribe: Operation = {
    name: "unsubscribe",
    scope,
    answer: ({ account, subscriptions }) => {
      subscriptions.set(account, false)
      return { status: 200, body: { success: true } }
    }
  }
  const list: Operation = {
    name: "list_subscriptions",
    scope,
    answer: ({ account, logins, subscriptions }) => {
      if (!subscriptions.has(account)) return { status: 200, body: { data: [] } }
      const subscribed_fields = subscriptions.fieldsOf(account) ?? [...knownFields[network]]
      const app = { id: logins.apps.of(network).id, name: "Loopbox", category: "Business" }
      return {
        status: 200,
        body: { data: [network === "facebook" ? { ...app, subscribed_fields } : { subscribed_fields }] }
      }
    }
  }
  return { subscribe, unsubscribe, list }
}
