import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { messageTraits, postTraits } from "../sourceTraits.ts"

export const facebook: NetworkDescriptor = {
  network: "facebook",
  webhookEndpoint: Option.some("meta"),
  shownName: "name",
  knowsOwnBy: "id",
  needsUsername: false,
  permissionPrefixes: ["pages_"],
  sources: [
    {
      ...postTraits,
      source: "fb_comment",
      pollStep: "comments",
      replyPermissions: [["pages_manage_engagement"]]
    },
    {
      ...messageTraits,
      source: "fb_dm",
      replyPermissions: [["pages_messaging"]]
    }
  ]
}
