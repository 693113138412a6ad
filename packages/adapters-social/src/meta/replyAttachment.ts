import type { Attachment } from "@loopbox/core/networks/InboundActivity"
import type { Reply, ReplyMedia } from "@loopbox/core/networks/Reply"

/** The content of a message: one has either a text or a file, never both. */
export const messageContent = ({ media, text }: Pick<Reply, "media" | "text">) =>
  media === undefined ? { text } : { attachment: { type: media.kind, payload: { url: media.link } } }

/** What hangs on our own answer until the network tells where it keeps it. */
export const sentAttachments = (media: ReplyMedia | undefined): ReadonlyArray<Attachment> =>
  media === undefined ? [] : [{ type: media.kind, url: null }]
