import type { Answer, Received } from "../loopback.ts"
import { answering, loginOf, secrets } from "./support.ts"

export type Answers = Readonly<Record<string, Answer | ((request: Received) => Answer)>>

/** What the person allows. */
export const granted = ["pages_show_list", "pages_read_engagement", "pages_messaging"]

/** A Page as Facebook lists it. */
export const page = (id: string, more: object = {}) => ({
  id,
  name: `Page ${id}`,
  access_token: `token-of-page-${id}`,
  tasks: ["MESSAGING", "MODERATE", "CREATE_CONTENT", "MANAGE"],
  picture: { data: { url: `https://cdn.example/${id}.jpg` } },
  ...more
})

export const permissions = (names: ReadonlyArray<string>, declined: ReadonlyArray<string> = []): Answer => ({
  body: {
    data: [
      ...names.map((permission) => ({ permission, status: "granted" })),
      ...declined.map((permission) => ({ permission, status: "declined" }))
    ]
  }
})

/** Facebook, at which everything succeeds but what is given here. */
export const facebook = (answers: Answers = {}, settings = {}, network: "facebook" | "instagram" = "facebook") =>
  loginOf(
    network,
    answering({
      "oauth/access_token": ({ query }) => ({
        body: { access_token: query.has("fb_exchange_token") ? secrets.long : secrets.short, token_type: "bearer" }
      }),
      "me/permissions": permissions(granted, ["pages_manage_posts"]),
      me: { body: { id: "9001" } },
      "me/accounts": { body: { data: [page("1001")] } },
      ...answers
    }),
    settings,
    "facebook"
  )
