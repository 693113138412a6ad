import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { actionTraits, postTraits } from "../sourceTraits.ts"

export const threads: NetworkDescriptor = {
  network: "threads",
  webhookEndpoint: Option.some("threads"),
  shownName: "username",
  // Threads names authors by their user names only.
  knowsOwnBy: "username",
  needsUsername: true,
  permissionPrefixes: ["threads_"],
  capabilities: [
    { name: "inbox", permissions: [["threads_basic"], ["threads_read_replies"]] },
    { name: "reply", permissions: [["threads_manage_replies"], ["threads_content_publish"]] },
    { name: "publish", permissions: [["threads_content_publish"]] },
    { name: "hide", permissions: [["threads_manage_replies"]] },
    // Only what the account wrote itself.
    { name: "delete", permissions: [["threads_delete"]] }
  ],
  sources: [
    {
      ...postTraits,
      source: "threads_reply",
      pollStep: "replies",
      // A container is made first, and its id is kept before it is published.
      preparesReply: true,
      // Deeper answers follow the one at the top.
      actions: [{ ...actionTraits("hide", "others"), place: "top_level" }, actionTraits("delete", "own")],
      replyPermissions: [["threads_manage_replies"], ["threads_content_publish"]]
    }
  ]
}
