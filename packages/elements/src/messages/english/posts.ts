/** Texts of the page Posts. */
export const englishPosts = {
  heading: "Posts",
  lead: "Written once, published to each account exactly once.",
  write: "Write a post",
  text: "Text",
  accounts: "Accounts",
  noAccounts: "No account is connected yet. Connect one on the page Accounts.",
  media: "Media",
  noMedia: "None",
  mediaHint: "Files of this workspace, the newest first. A GIF becomes a video on the page Media.",
  when: "When",
  times: { now: "Now", later: "Later", draft: "As a draft" },
  at: "Time",
  atHint: (zone: string) => `In your time zone, ${zone}`,
  fits: "It fits all of them.",
  send: { now: "Publish", later: "Schedule", draft: "Keep the draft" },
  list: "Posts",
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
  scheduledFor: (when: string) => `for ${when}`,
  openThere: "Open on the network",
  answers: "Answers in the inbox",
  retry: "Try again",
  publish: "Publish now",
  cancel: "Cancel",
  remove: "Delete",
  more: "Show older ones",
  noText: "(without text)"
}

export type PostsMessages = typeof englishPosts
