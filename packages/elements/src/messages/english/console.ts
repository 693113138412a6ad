import type { PageId } from "../../console/shell/routes.ts"

const pages: Readonly<Record<PageId, string>> = {
  inbox: "Inbox",
  accounts: "Accounts",
  posts: "Posts",
  media: "Media",
  webhooks: "Webhooks",
  activity: "Activity",
  sandbox: "Sandbox"
}

/** Texts of the console's frame. */
export const englishConsole = {
  pages,
  title: (page: string) => `${page} · Loopbox`,
  skip: "Skip to the content",
  navigation: "Pages",
  workspace: "Workspace",
  noWorkspace: "There is no workspace yet",
  makeWorkspace: "Make one with `loopbox workspace create`, then load this page anew.",
  language: "Language",
  theme: "Colours",
  themes: { auto: "As the device", light: "Light", dark: "Dark" },
  signOut: "Sign out",
  menu: "Settings",
  signIn: "Sign in",
  signInHeading: "Sign in to the console",
  signInText: "Open the link that the host printed at its start. Another one is printed by:",
  signInOr: "Or give the admin token of this host:",
  adminToken: "Admin token",
  signedOutHeading: "Your session has ended",
  signedOutText: "Sign in again; what you have typed on this page is still there.",
  insecureHeading: "This connection is not secure",
  insecureText:
    "By http from another machine anybody on the way could read along, and browsers don't tell the host which page asks. Open the console by https, or through a tunnel:",
  insecureThen: "Your link still counts; with the tunnel its beginning is",
  unreachable: "The host can't be reached",
  offline: "This device is offline. It goes on by itself once it is back.",
  requests: "As curl",
  requestsHeading: "What this page asked",
  requestsText: "Newest first. Each command does the same from your shell, with a key of yours.",
  noRequests: "Nothing yet.",
  copy: "Copy",
  copied: "Copied",
  accountsLead: "What people write to these accounts arrives in the inbox. Each says how well it is.",
  pageFailed: "This page could not be loaded. Is the host still there?"
}

export type ConsoleMessages = typeof englishConsole
