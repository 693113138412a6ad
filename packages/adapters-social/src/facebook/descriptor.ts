import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { actionTraits, commentFiles, messageTraits, messengerFiles, postTraits, privateReply } from "../sourceTraits.ts"

export const facebook: NetworkDescriptor = {
  network: "facebook",
  webhookEndpoint: Option.some("meta"),
  shownName: "name",
  knowsOwnBy: "id",
  needsUsername: false,
  permissionPrefixes: ["pages_"],
  capabilities: [
    { name: "inbox", permissions: [["pages_read_engagement"], ["pages_read_user_content", "pages_messaging"]] },
    { name: "reply", permissions: [["pages_manage_engagement", "pages_messaging"]] },
    { name: "publish", permissions: [["pages_manage_posts"]] },
    { name: "hide", permissions: [["pages_manage_engagement"]] },
    { name: "delete", permissions: [["pages_manage_engagement"]] },
    { name: "like", permissions: [["pages_manage_engagement"]] },
    { name: "private_reply", permissions: [["pages_messaging"]] }
  ],
  sources: [
    {
      ...postTraits,
      source: "fb_comment",
      replyMedia: Option.some(commentFiles),
      pollStep: "comments",
      actions: [
        actionTraits("hide", "others"),
        actionTraits("delete", "all"),
        actionTraits("like", "all"),
        privateReply
      ],
      replyPermissions: [["pages_manage_engagement"]]
    },
    {
      ...messageTraits,
      source: "fb_dm",
      replyMedia: Option.some(messengerFiles),
      replyPermissions: [["pages_messaging"]]
    }
  ]
}
