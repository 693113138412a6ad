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
  lastArrival: (time: string) => `Last heard from ${time}`,
  neverHeard: "Nothing heard yet",
  notSetUp: "This list is not set up",
  notSetUpText: "It needs base-url and getToken: see the README of @loopbox/elements."
}

export type AccountsMessages = typeof englishAccounts
