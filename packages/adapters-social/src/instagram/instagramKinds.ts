import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as Option from "effect/Option"
import type { GraphApi, GraphCall } from "../meta/graphApi.ts"

type Kind = Pick<GraphCall, "endpoint" | "scopes">

/** The kinds of Instagram's calls: what they are counted as, and what they need (social-networks.md §6). */
export interface InstagramKinds {
  readonly media: Kind
  readonly publishing: Kind
  readonly comments: Kind
  readonly conversations: Kind
  readonly messages: Kind
}

/** Permissions are named by how the account was connected: through Instagram, or through Facebook. */
const kindsWith = (prefix: "instagram" | "instagram_business"): InstagramKinds => {
  const messages = [`${prefix}_manage_messages`]
  return {
    media: { endpoint: "content", scopes: [`${prefix}_basic`] },
    publishing: { endpoint: "content", scopes: [`${prefix}_basic`, `${prefix}_content_publish`] },
    comments: { endpoint: "content", scopes: [`${prefix}_manage_comments`] },
    conversations: { endpoint: "conversations", scopes: messages },
    messages: { endpoint: "messages", scopes: messages }
  }
}

const throughInstagram = kindsWith("instagram_business")
const throughFacebook = kindsWith("instagram")

export const instagramKinds = (graph: GraphApi, access: AccountAccess): InstagramKinds =>
  graph.isAtFacebook(access) ? throughFacebook : throughInstagram

/** Who has the conversations and sends the messages: the account itself, and at Facebook the Page. */
export const messenger = (graph: GraphApi, access: AccountAccess): string =>
  Option.getOrElse(graph.isAtFacebook(access) ? access.throughAccountId : Option.none(), () => "me")
