import type { GraphCall } from "../meta/graphApi.ts"

type Kind = Pick<GraphCall, "endpoint" | "scopes">

/** The kinds of Instagram's calls: what they are counted as, and what they need (social-networks.md §6). */
export interface InstagramKinds {
  readonly media: Kind
  readonly comments: Kind
  readonly conversations: Kind
  readonly messages: Kind
}

/** Permissions are named by how the account was connected: through Instagram, or through Facebook. */
export const instagramKinds = (isFacebookHost: boolean): InstagramKinds => {
  const prefix = isFacebookHost ? "instagram" : "instagram_business"
  const messages = [`${prefix}_manage_messages`]
  return {
    media: { endpoint: "content", scopes: [`${prefix}_basic`] },
    comments: { endpoint: "content", scopes: [`${prefix}_manage_comments`] },
    conversations: { endpoint: "conversations", scopes: messages },
    messages: { endpoint: "messages", scopes: messages }
  }
}
