import type { components } from "@loopbox/client"

type Schemas = components["schemas"]
type ProblemCode = Schemas["ConnectedAccount"]["health"]["problems"][number]["code"]
type ConnectFailureCode = NonNullable<Schemas["ConnectSession"]["error"]>["code"]

interface ProblemTexts {
  /** What is wrong; with the network's name, and the names of permissions that are missing. */
  readonly message: (network: string, missing: ReadonlyArray<string>) => string
  /** What a person can do about it. */
  readonly remedy: string
}

export const namesOf = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : ` (${names.join(", ")})`)

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
  } satisfies Readonly<Record<ConnectFailureCode, string>>,
  problems: {
    reconnect_required: {
      message: (network) => `${network} no longer takes the token of this account, or it belongs to another account.`,
      remedy: "Connect the account again."
    },
    missing_scopes: {
      message: (_network, missing) =>
        `Permissions that were asked for were not granted, or were withdrawn${namesOf(missing)}.`,
      remedy: "Connect the account again, and let its owner allow all permissions."
    },
    webhook_not_subscribed: {
      message: (network) =>
        `The account's webhooks are not subscribed at ${network}: new items arrive by polls only, and so later.`,
      remedy:
        "It is tried again by itself. If it stays, check that the person who connected the account may still manage it, and that the app at the network has webhooks and their permissions."
    },
    webhook_quiet: {
      message: (network) => `Polls found new items that no webhook of ${network} brought.`,
      remedy:
        "Check that the webhook address of the app at the network can be reached from outside and that its fields are subscribed; `loopbox doctor --networks` does. An app in development mode gets no webhooks of other people."
    },
    rate_limited: {
      message: (network) => `${network} limits how often this account is asked.`,
      remedy: "Nothing needs to be done: it goes on by itself. Webhooks arrive meanwhile."
    },
    permission_missing: {
      message: (network, missing) =>
        `${network} refused a read, because the token lacks a permission for it${namesOf(missing)}.`,
      remedy:
        "Check that the person who connected the account still has a role on it, and then connect it again with all permissions."
    },
    network_unavailable: {
      message: (network) => `${network} did not answer in a usable way when the account was last read.`,
      remedy: "It is tried again by itself. If it stays, look at the network's status page."
    },
    plan_excludes: {
      message: (network) => `The workspace's plan does not include ${network}, so that the account is not read.`,
      remedy: "Choose a plan that includes it, or disconnect the account."
    },
    expires_soon: {
      message: () => "The account's token ends within 7 days and can't be renewed by a machine.",
      remedy: "Connect the account again before that."
    }
  } satisfies Readonly<Record<ProblemCode, ProblemTexts>>,
  notSetUp: "This list is not set up",
  notSetUpText: "It needs base-url and getToken: see the README of @loopbox/elements."
}

export type AccountsMessages = typeof englishAccounts
