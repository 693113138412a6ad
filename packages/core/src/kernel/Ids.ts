import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"

/** A UUIDv7 as 26 characters of lower-case Crockford base32, so that ids sort by time. */
const body = "[0-7][0-9a-hjkmnp-tv-z]{25}"
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const text = (prefix: string) => Schema.String.check(Schema.isPattern(new RegExp(`^${prefix}_${body}$`)))

/** Id of a workspace: `ws_…`. */
export const WorkspaceId = text("ws").pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** Id of a media record: `med_…`. */
export const MediaId = text("med").pipe(Schema.brand("MediaId"))
export type MediaId = typeof MediaId.Type

/** Id of a media processing job: `mpj_…`. */
export const ConversionJobId = text("mpj").pipe(Schema.brand("ConversionJobId"))
export type ConversionJobId = typeof ConversionJobId.Type

/** Id of an API key: `key_…`; the key itself carries the part after the prefix. */
export const ApiKeyId = text("key").pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** Id of a connected social account: `acc_…`. */
export const SocialAccountId = text("acc").pipe(Schema.brand("SocialAccountId"))
export type SocialAccountId = typeof SocialAccountId.Type

/** Id of an inbox item: `itm_…`. */
export const InboxItemId = text("itm").pipe(Schema.brand("InboxItemId"))
export type InboxItemId = typeof InboxItemId.Type

/** Id of a thread: `thr_…`. It is made of what the thread is called by, and is no time. */
export const ThreadId = text("thr").pipe(Schema.brand("ThreadId"))
export type ThreadId = typeof ThreadId.Type

/** Id of a note on a thread: `note_…`; some of the first say `nte_`, and keep it. */
export const ThreadNoteId = text("(?:note|nte)").pipe(Schema.brand("ThreadNoteId"))
export type ThreadNoteId = typeof ThreadNoteId.Type

/** Id of an outbound operation: `op_…`. */
export const OutboundOperationId = text("op").pipe(Schema.brand("OutboundOperationId"))
export type OutboundOperationId = typeof OutboundOperationId.Type

/** Id of a sync run: `syn_…`. */
export const SyncId = text("syn").pipe(Schema.brand("SyncId"))
export type SyncId = typeof SyncId.Type

/** Id of a session in which a person connects accounts: `con_…`. */
export const ConnectSessionId = text("con").pipe(Schema.brand("ConnectSessionId"))
export type ConnectSessionId = typeof ConnectSessionId.Type

/** Id of a post: `pst_…`. */
export const PostId = text("pst").pipe(Schema.brand("PostId"))
export type PostId = typeof PostId.Type

/** Id of an event of the audit: `aud_…`. */
export const AuditEventId = text("aud").pipe(Schema.brand("AuditEventId"))
export type AuditEventId = typeof AuditEventId.Type

/** Id of a target of a post: `ptg_…`. */
export const PostTargetId = text("ptg").pipe(Schema.brand("PostTargetId"))
export type PostTargetId = typeof PostTargetId.Type

/** Id of a saved reply: `srp_…`. */
export const SavedReplyId = text("srp").pipe(Schema.brand("SavedReplyId"))
export type SavedReplyId = typeof SavedReplyId.Type
/** Id of a webhook endpoint, to which events are sent: `whe_…`. */
export const OutgoingEndpointId = text("whe").pipe(Schema.brand("OutgoingEndpointId"))
export type OutgoingEndpointId = typeof OutgoingEndpointId.Type

/** Id of a delivery to a webhook endpoint: `whd_…`. */
export const OutgoingDeliveryId = text("whd").pipe(Schema.brand("OutgoingDeliveryId"))
export type OutgoingDeliveryId = typeof OutgoingDeliveryId.Type

/** Bytes as lower-case Crockford base32, most significant bit first and padded with zeros in front. */
export const toBase32 = (bytes: Uint8Array): string => {
  // Begins with the bits that are missing to whole digits, so that the padding ends up in front.
  let bits = (5 - ((bytes.length * 8) % 5)) % 5
  let value = 0
  const digits: Array<number> = []
  for (let i = 0; i < bytes.length; i++) {
    value = ((value << 8) | (bytes[i] ?? 0)) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      digits.push(alphabet.charCodeAt((value >>> bits) & 31))
    }
  }
  // At once: a text that grows digit by digit is thirty texts, and a page of a list has fifty of them.
  return String.fromCharCode(...digits)
}

/** The UUID of an id, as 32 hex digits. */
export const toUuidHex = (id: string): string =>
  Array.from(id.slice(id.lastIndexOf("_") + 1))
    .reduce((number, digit) => number * 32n + BigInt(Math.max(0, alphabet.indexOf(digit))), 0n)
    .toString(16)
    .padStart(32, "0")
    .slice(-32)

const makeId =
  <A>(prefix: string, make: (id: string) => A) =>
  (random: SecureRandom["Service"]): Effect.Effect<A> =>
    Effect.map(random.uuidV7({ format: "bytes" }), (bytes) => make(`${prefix}_${toBase32(bytes)}`))

export const nextWorkspaceId = makeId("ws", (id) => WorkspaceId.make(id))
export const nextAuditEventId = makeId("aud", (id) => AuditEventId.make(id))
export const nextMediaId = makeId("med", (id) => MediaId.make(id))
export const nextConversionJobId = makeId("mpj", (id) => ConversionJobId.make(id))
export const nextApiKeyId = makeId("key", (id) => ApiKeyId.make(id))
export const nextSocialAccountId = makeId("acc", (id) => SocialAccountId.make(id))
export const nextInboxItemId = makeId("itm", (id) => InboxItemId.make(id))
export const nextThreadNoteId = makeId("note", (id) => ThreadNoteId.make(id))
export const nextOutboundOperationId = makeId("op", (id) => OutboundOperationId.make(id))
export const nextSyncId = makeId("syn", (id) => SyncId.make(id))
export const nextConnectSessionId = makeId("con", (id) => ConnectSessionId.make(id))
export const nextPostId = makeId("pst", (id) => PostId.make(id))
export const nextPostTargetId = makeId("ptg", (id) => PostTargetId.make(id))
export const nextSavedReplyId = makeId("srp", (id) => SavedReplyId.make(id))
export const nextOutgoingEndpointId = makeId("whe", (id) => OutgoingEndpointId.make(id))
export const nextOutgoingDeliveryId = makeId("whd", (id) => OutgoingDeliveryId.make(id))
