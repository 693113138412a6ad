import type { ConsolePage } from "./ConsolePage.ts"
import type { PageId } from "./routes.ts"

/** The pages that there are; one line for each. */
export const pageRegistry: Readonly<Partial<Record<PageId, ConsolePage>>> = {
  inbox: { icon: "unread", isWide: true, load: async () => (await import("../inbox/inboxPage.ts")).inboxPage },
  accounts: { icon: "person", load: async () => (await import("../accounts/accountsPage.ts")).accountsPage },
  posts: { icon: "send", load: async () => (await import("../posts/postsPage.ts")).postsPage },
  webhooks: { icon: "external", load: async () => (await import("../webhooks/webhooksPage.ts")).webhooksPage },
  activity: { icon: "clock", load: async () => (await import("../activity/activityPage.ts")).activityPage },
  sandbox: {
    icon: "show",
    isShown: ({ sandbox }) => sandbox,
    load: async () => (await import("../sandbox/sandboxPage.ts")).sandboxPage
  },
  media: { icon: "play", load: async () => (await import("../media/mediaPage.ts")).mediaPage }
}
