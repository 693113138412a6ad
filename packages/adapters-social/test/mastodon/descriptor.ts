/** A fifth network as data: polled only, text only. Nothing of core or of the API knows it. */
import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import * as Option from "effect/Option"

export const mastodon: NetworkDescriptor = {
  network: "mastodon",
  webhookEndpoint: Option.none(),
  shownName: "name",
  knowsOwnBy: "id",
  needsUsername: true,
  permissionPrefixes: ["read:", "write:"],
  capabilities: [
    { name: "inbox", permissions: [["read:statuses"]] },
    { name: "reply", permissions: [["write:statuses"]] }
  ],
  sources: [
    {
      source: "mastodon_reply",
      kind: "post",
      pollStep: "mentions",
      listedBy: Option.none(),
      isBilled: false,
      carriesVersions: false,
      needsKey: false,
      preparesReply: false,
      rootIsThreadKey: false,
      replyMedia: Option.none(),
      humanAgent: Option.none(),
      actions: [],
      replyPermissions: [["write:statuses"]],
      comparable: (text) => text.replace(/^(?:@\S+\s+)+/u, "")
    }
  ]
}
