import type { components } from "@loopbox/client"
import type { IssueFacts } from "../PostIssue.ts"

type TargetFailureCode = NonNullable<components["schemas"]["PostTarget"]["error"]>["code"]

/** By code, instead of the host's own sentences, which are English. */
const issues: Readonly<Record<string, (facts: IssueFacts) => string>> = {}

/** Texts of the page Posts. */
export const englishPosts = {
  heading: "Posts",
  lead: "Written once, published to each account exactly once.",
  write: "Write a post",
  writeOn: "Change the draft",
  writeOnText: "You change a kept draft.",
  text: "Text",
  accounts: "Accounts",
  noAccounts: "No account is connected yet. Connect one on the page Accounts.",
  search: "Find an account",
  gone: "is not connected any more",
  noneFound: "No account has these words.",
  own: (network: string) => `Different on ${network}: text, first comment`,
  ownText: "Text here",
  ownTextHint: "Empty: the text above.",
  counted: (length: number, limit: number, network: string) =>
    `${length.toLocaleString("en")} of ${limit.toLocaleString("en")}, as ${network} counts`,
  firstComment: "First comment",
  firstCommentHint: "Written under the post by the same account, right after it.",
  media: "Media",
  noMedia: "None",
  oneMore: "One more",
  mediaHint: "Files of this workspace, the newest first. A GIF becomes a video on the page Media.",
  upload: "Upload a file",
  uploading: "The file is on its way",
  without: (name: string) => `Without ${name}`,
  when: "When",
  times: { now: "Now", later: "Later", draft: "As a draft" },
  at: "Time",
  atHint: (zone: string) => `In your time zone, ${zone}`,
  fits: "It fits all of them.",
  refused: "It did not go out: change what is said above, or leave that account out.",
  send: { now: "Publish", later: "Schedule", draft: "Keep the draft" },
  done: { now: "It is on its way.", later: "It is scheduled.", draft: "The draft is kept." },
  dismiss: "Start over",
  leave: "Leave it as it was",
  list: "All posts",
  empty: "No post yet",
  emptyText: "Write the first one above.",
  statuses: {
    draft: "Draft",
    scheduled: "Scheduled",
    publishing: "On its way",
    published: "Published",
    partial: "Published in part",
    failed: "Failed",
    canceled: "Canceled"
  },
  targets: {
    pending: "waits",
    preparing: "is being prepared",
    publishing: "is being published",
    published: "published",
    failed: "failed",
    outcome_unknown: "is being looked for: it may be there already, and is not sent twice",
    needs_reconciliation: "may be there: look at the network; it is not sent twice",
    canceled: "canceled",
    deleted: "deleted"
  },
  failures: {
    too_late: "It could not begin within 15 minutes of its time, so it was not published.",
    quota_exceeded: "The network's quota of posts is used up.",
    media_fetch_failed: "The network could not load a file from its address.",
    media_rejected: "The network does not accept a file.",
    container_expired: "What was prepared at the network expired before it was published.",
    processing_timeout: "The network did not finish its work on the files in time.",
    account_not_found: "The account belongs to another user by now.",
    reconnect_required: "The account must be connected again.",
    missing_scopes: "The account's token lacks a permission.",
    rate_limited: "The network takes no more calls for now.",
    duplicate_content: "The account published the same before.",
    spam_blocked: "The network's protection against abuse refused it.",
    network_unavailable: "The network could not be reached.",
    rejected: "The network refused it."
  } satisfies Readonly<Record<TargetFailureCode, string>>,
  issues,
  scheduledFor: (when: string) => `for ${when}`,
  openThere: "Open on the network",
  answers: "Answers",
  hideAnswers: "Hide the answers",
  noAnswers: "Nobody has answered yet. What comes shows up here at once.",
  removeThere: "Delete there",
  removeThereHeading: "Delete it at the network?",
  removeThereText: (network: string) =>
    `It goes from ${network} with all that was written under it. Nobody can bring it back.`,
  retry: "Try again",
  publish: "Publish now",
  edit: "Change",
  move: "Another time",
  moveTo: "Move it",
  cancel: "Cancel",
  remove: "Delete",
  more: "Show older ones",
  noText: "(without text)"
}

export type PostsMessages = typeof englishPosts
