import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** An account of a network as everybody sees it. */
export interface AccountProfile {
  readonly network: Network
  /** The id that webhooks use. */
  readonly accountId: string
  readonly name: string
  readonly username: string
}

/** An account that a workspace has connected: whose posts people comment on, and to whom they write. */
export interface SandboxAccount extends AccountProfile {
  /** What a request in its name has to carry. An account may have several; each connecting adds its own. */
  readonly accessToken: Redacted.Redacted<string>
  /** Of Instagram: the Page through which it is reached, whose token this is. */
  readonly throughAccountId?: string | undefined
  /** What X renews the token by. */
  readonly refreshToken?: Redacted.Redacted<string> | undefined
  /** When the token ends. Left out: as its network's tokens do, from now on. */
  readonly expiresAt?: DateTime.Utc | undefined
  /** Since when it is there: one of Instagram or Threads is renewed once it is a day old. Left out: from now on. */
  readonly issuedAt?: DateTime.Utc | undefined
  /** One of Instagram or Threads as people get it first: it lives for an hour and is exchanged, not renewed. */
  readonly isShortLived?: boolean | undefined
  /** Whether its webhooks are sent from now on. Left out: as before, and not at first. */
  readonly isSubscribed?: boolean | undefined
  /** What the token permits, in the network's names. Left out: everything. */
  readonly scopes?: ReadonlyArray<string> | undefined
}

/** Someone on one network. The same name is the same person, in every world. */
export interface SandboxPerson {
  readonly network: Network
  readonly id: string
  readonly name: string
  readonly username: string
  readonly avatarUrl: string
}

/** How our side sent something, beside its text. */
export interface Sent {
  /** What travelled with the message and comes back in its echo (Facebook). */
  readonly metadata: Option.Option<string>
}

/** What may hang on a message or a comment of Meta's networks, with or without words beside it. */
export const enclosures = [
  "image",
  "video",
  "audio",
  "file",
  "share",
  "story_reply",
  "sticker",
  "like",
  "gif",
  "template",
  "unsupported"
] as const
export type Enclosure = (typeof enclosures)[number]

/** What a post of the account shows beside its words, and as what it was published. */
export interface PostedMedia {
  readonly kind: "image" | "video" | "gif" | "carousel"
  readonly surface: "feed" | "reel" | "story"
  /** Of a carousel, or of several photos: what each part is. */
  readonly parts: ReadonlyArray<"image" | "video">
  /** By what the network knows it: photos and videos of Facebook, media keys of X. */
  readonly keys: ReadonlyArray<string>
  readonly altTexts: ReadonlyArray<string>
}

/** Where a comment stands: on a post that lists show, or on an ad or a live video, of which only webhooks tell. */
export const surfaces = ["post", "ad", "live"] as const
export type Surface = (typeof surfaces)[number]

/** What somebody wrote: a person, or the account itself. */
export interface Writing {
  readonly account: AccountProfile
  readonly author: SandboxPerson
  /** `post`: one of the account's own, that answers nothing. */
  readonly kind: "post" | "comment" | "message"
  /** Its id; on X the id of the newest version. */
  readonly id: string
  /** Ids of all versions, oldest first; only X gives new ones. A video of a Page has the post's id and its own. */
  readonly history: readonly [string, ...ReadonlyArray<string>]
  /** The post that it hangs on; for a message or a post none. */
  readonly postId: Option.Option<string>
  /** The comment or message that it answers. */
  readonly parentId: Option.Option<string>
  /** The post of the account that it quotes (X). */
  readonly quotedId: Option.Option<string>
  /** Of a message: the person whom the account talks to. */
  readonly otherParty: Option.Option<SandboxPerson>
  /** Of an answer on X: whose handle opens it, by itself. */
  readonly addressee: Option.Option<SandboxPerson>
  readonly text: string
  readonly enclosed: Option.Option<Enclosure>
  /** Of a post over the API that shows something. */
  readonly posted: Option.Option<PostedMedia>
  readonly surface: Surface
  /** A mention of the account, instead of an answer to one of its posts. */
  readonly isMention: boolean
  /** Written by the account. */
  readonly isOwn: boolean
  /** How it came over the API; none for what people did by hand. */
  readonly sent: Option.Option<Sent>
  readonly writtenAt: DateTime.Utc
  /** From when on reads show it: reading lags behind writing. */
  readonly visibleAt: DateTime.Utc
  readonly edits: number
  readonly isHidden: boolean
  /** The account likes it. */
  readonly isLiked: boolean
  /** A comment that the account has answered by a direct message, which may be done once. */
  readonly isAnsweredPrivately: boolean
  /** Hidden at some time, whatever it is now. */
  readonly wasHidden: boolean
  readonly isDeleted: boolean
}

/** Something happened that a network may tell by webhook. */
export interface Happening {
  readonly what: "written" | "edited" | "deleted" | "hidden" | "shown"
  readonly writing: Writing
  readonly at: DateTime.Utc
}

/** The network would not let anybody do this. */
export class SandboxRefused extends Schema.TaggedError<SandboxRefused>()("SandboxRefused", {
  reason: Schema.String
}) {}
