import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { withoutHandles } from "../payloads/comparable.ts"
import { messageTraits, postTraits } from "../sourceTraits.ts"

export const instagram: NetworkDescriptor = {
  network: "instagram",
  webhookEndpoint: Option.some("meta"),
  shownName: "username",
  knowsOwnBy: "id",
  needsUsername: false,
  permissionPrefixes: ["instagram_"],
  sources: [
    {
      ...postTraits,
      source: "ig_comment",
      pollStep: "comments",
      replyPermissions: [["instagram_business_manage_comments", "instagram_manage_comments"]],
      // An answer to a comment begins with the handle of the person who is answered.
      comparable: withoutHandles
    },
    {
      ...messageTraits,
      source: "ig_dm",
      replyPermissions: [["instagram_business_manage_messages", "instagram_manage_messages"]]
    }
  ]
}
