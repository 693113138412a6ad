import type { NetworkTable } from "@loopbox/core/networks/Networks"
import type { Facades } from "../facade/Facades.ts"
import * as administration from "./administrationArguments.ts"
import * as inbox from "./inboxArguments.ts"
import type { AllJudgements } from "./judged.ts"
import * as media from "./mediaArguments.ts"

/** What the arguments of all functions must be, where these networks are known. */
export const facadeArguments = (networks: NetworkTable): AllJudgements<Facades> => ({
  workspaces: administration.workspacesArguments,
  members: administration.membersArguments,
  keys: administration.keysArguments,
  media: media.mediaArguments,
  conversions: media.conversionsArguments,
  audio: media.audioArguments,
  accounts: administration.accountsArguments(networks),
  connected: inbox.connectedArguments(networks),
  connecting: administration.connectingArguments(networks),
  inbox: inbox.inboxArguments(networks),
  moderation: inbox.moderationArguments,
  threads: inbox.threadsArguments(networks),
  labels: inbox.labelsArguments,
  notes: inbox.notesArguments,
  savedReplies: inbox.savedRepliesArguments,
  webhookEndpoints: administration.webhookEndpointsArguments,
  posts: inbox.postsArguments
})
