import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { withoutHandles } from "../payloads/comparable.ts"
import { actionTraits, instagramFiles, messageTraits, postTraits, privateReply } from "../sourceTraits.ts"

/** The names of Instagram's own login, and those of Facebook's. */
const basic = ["instagram_business_basic", "instagram_basic"] as const
const comments = ["instagram_business_manage_comments", "instagram_manage_comments"] as const
const messages = ["instagram_business_manage_messages", "instagram_manage_messages"] as const

export const instagram: NetworkDescriptor = {
  network: "instagram",
  webhookEndpoint: Option.some("meta"),
  shownName: "username",
  knowsOwnBy: "id",
  needsUsername: false,
  permissionPrefixes: ["instagram_"],
  capabilities: [
    { name: "inbox", permissions: [basic, [...comments, ...messages]] },
    { name: "reply", permissions: [[...comments, ...messages]] },
    { name: "publish", permissions: [["instagram_business_content_publish", "instagram_content_publish"]] },
    { name: "hide", permissions: [comments] },
    { name: "delete", permissions: [comments] },
    // Only accounts that Facebook's login connected may like.
    { name: "like", permissions: [["instagram_manage_engagement"]] },
    { name: "private_reply", permissions: [comments, messages] }
  ],
  sources: [
    {
      ...postTraits,
      source: "ig_comment",
      pollStep: "comments",
      actions: [
        // The account's own comments stay visible on its own posts, whatever is asked.
        actionTraits("hide", "others"),
        actionTraits("delete", "all"),
        {
          ...actionTraits("like", "all"),
          logins: Option.some(["facebook"]),
          // More than that in 5 s locks the account out for an hour.
          pace: Option.some({ most: 50, within: Duration.seconds(5) })
        },
        privateReply
      ],
      replyPermissions: [comments],
      // An answer to a comment begins with the handle of the person who is answered.
      comparable: withoutHandles
    },
    {
      ...messageTraits,
      source: "ig_dm",
      replyMedia: Option.some(instagramFiles),
      replyPermissions: [messages]
    }
  ]
}
