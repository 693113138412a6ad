/** Texts of the connected accounts. */
export const englishAccounts = {
  accounts: "Connected accounts",
  emptyHeading: "No account is connected yet",
  emptyText: "Connect one, and what people write to it arrives in the inbox.",
  connect: "Connect an account",
  connectTo: "Connect",
  reconnect: "Connect again",
  continueAtNetwork: "Continue at the network",
  check: "Check now",
  disconnect: "Disconnect",
  disconnectHeading: "Disconnect this account?",
  disconnectText:
    "Nothing more comes from it. Its conversations go from the inbox; they come back if it is connected again within 7 days.",
  statuses: { ok: "Works", degraded: "Needs attention", broken: "Doesn't work", disconnected: "Disconnected" },
  since: (time: string) => `Since ${time}`,
  retried: (time: string) => `tried again ${time}`,
  lastWebhook: (time: string) => `Last webhook ${time}`,
  noWebhook: "No webhook yet",
  lastPoll: (time: string) => `last poll ${time}`,
  noPoll: "not polled yet",
  neverHeard: "Nothing heard yet",
  search: "Find an account",
  noneFound: "No account has these words.",
  more: "Show more",
  ownGroup: "The workspace's own",
  userGroup: "Managed user",
  owner: "For which managed user",
  ownerHint: "Your id of the customer who will own it. Empty: the workspace itself.",
  returnDone: "The account is connected.",
  returnDenied: "It was not connected: the person said no at the network. Try again when they want to.",
  returnFailed: "It was not connected.",
  otherReason: "The network gave no reason that is known here. Try again.",
  reasons: {
    denied: "The person said no at the network.",
    code_expired: "It took too long. Begin again.",
    provider_error: "The network met an error. Try again in some minutes.",
    no_pages: "The person has no Page. Make one, or sign in as somebody who has.",
    page_permission_required: "The person may not manage that Page. Ask its owner for the rights.",
    account_not_eligible:
      "Only professional accounts can be connected. Change the account's type at the network first.",
    account_mismatch: "Another account was chosen than the one to be connected again. Sign in with that one.",
    account_of_other_user: "The account is another managed user's. Disconnect it there first.",
    missing_scopes: "Not all permissions were granted, so some things don't work. Connect again, and allow all of them."
  } satisfies Readonly<Record<string, string>>,
  notSetUp: "This list is not set up",
  notSetUpText: "It needs base-url and getToken: see the README of @loopbox/elements."
}

export type AccountsMessages = typeof englishAccounts
