import type { SandboxApi } from "../control/SandboxApi.ts"
import type { Happening } from "../Writing.ts"
import { xEventTypeOf } from "./webhookBodies.ts"

/** The field of a Page's subscription that tells of it. */
const pageField = ({ what, writing: { isOwn, kind } }: Happening): string => {
  if (kind !== "message") return "feed"
  if (isOwn) return "message_echoes"
  return what === "edited" ? "message_edits" : "messages"
}

/** Whether the network tells of what happened: somebody has subscribed to it, and the app is live. */
export const isHeard = ({ logins, subscriptions }: SandboxApi, happening: Happening): boolean => {
  const { account } = happening.writing
  const { accountId, network } = account
  if (logins.apps.stateOf(network).isInDevelopment) return false
  if (subscriptions.hears(account, network === "x" ? xEventTypeOf(happening) : pageField(happening))) return true
  // An Instagram account that is reached through a Page is subscribed with it: its messages as the Page's are.
  const page = network === "instagram" ? logins.owners.pageOf(accountId) : undefined
  if (page === undefined || logins.apps.stateOf("facebook").isInDevelopment) return false
  const named = { network: "facebook", accountId: page } as const
  return happening.writing.kind === "message"
    ? subscriptions.hears(named, pageField(happening))
    : subscriptions.has(named)
}
