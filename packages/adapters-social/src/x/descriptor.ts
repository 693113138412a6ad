import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"
import { withoutHandles } from "../payloads/comparable.ts"
import { actionTraits, postTraits } from "../sourceTraits.ts"

/** X adds the handles of those who are answered, and writes links without a scheme or with a slash at the end. */
const comparable = (text: string): string =>
  withoutHandles(text)
    .replace(/https?:\/\//giu, "")
    .replace(/\/(?= |$)/gu, "")

export const x: NetworkDescriptor = {
  network: "x",
  webhookEndpoint: Option.some("x"),
  shownName: "name",
  knowsOwnBy: "id",
  needsUsername: true,
  permissionPrefixes: ["tweet."],
  capabilities: [
    { name: "inbox", permissions: [["tweet.read"], ["users.read"]] },
    { name: "reply", permissions: [["tweet.write"]] },
    { name: "publish", permissions: [["tweet.write"]] },
    { name: "hide", permissions: [["tweet.moderate.write"]] },
    // Only what the account wrote itself.
    { name: "delete", permissions: [["tweet.write"]] },
    { name: "like", permissions: [["like.write"]] }
  ],
  sources: [
    {
      ...postTraits,
      source: "x_reply",
      pollStep: "mentions",
      // A timeline of mentions proves nothing about what it leaves out.
      listedBy: Option.none(),
      isBilled: true,
      carriesVersions: true,
      needsKey: true,
      rootIsThreadKey: true,
      actions: [
        { ...actionTraits("hide", "others"), place: "own_post" },
        actionTraits("delete", "own"),
        // Removed from what an app without a contract may do: only with the permission, and X decides.
        actionTraits("like", "all")
      ],
      replyPermissions: [["tweet.write"]],
      comparable
    }
  ]
}
