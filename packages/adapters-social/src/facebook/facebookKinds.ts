import type { GraphCall } from "../meta/graphApi.ts"

type Kind = Pick<GraphCall, "endpoint" | "scopes" | "sourceDown" | "timeLimit">

/** The kinds of Facebook's calls: what they are counted as, and what they need (social-networks.md §6). */
export const facebookKinds = {
  posts: { endpoint: "content", scopes: ["pages_read_engagement"] },
  publishing: { endpoint: "content", scopes: ["pages_manage_posts"], timeLimit: "30 seconds" },
  comments: { endpoint: "content", scopes: ["pages_read_engagement", "pages_read_user_content"] },
  answers: { endpoint: "content", scopes: ["pages_manage_engagement"] },
  // A Page without messaging answers so, each time (§2.1).
  conversations: { endpoint: "conversations", scopes: ["pages_messaging"], sourceDown: new Set(["1/99"]) },
  messages: { endpoint: "messages", scopes: ["pages_messaging"] }
} satisfies Record<string, Kind>
