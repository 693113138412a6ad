import * as Schema from "effect/Schema"
import { ConnectSessionId, WorkspaceId } from "../kernel/Ids.ts"
import { ConnectFailure, ConnectStatus } from "./ConnectSession.ts"

/** An account that the person may choose, with its token sealed for the session. */
export const KeptCandidate = Schema.Struct({
  networkAccountId: Schema.String,
  otherAccountId: Schema.Option(Schema.String),
  throughAccountId: Schema.Option(Schema.String),
  name: Schema.String,
  username: Schema.Option(Schema.String),
  avatarUrl: Schema.Option(Schema.String),
  personIds: Schema.Array(Schema.String),
  permissions: Schema.Array(Schema.String),
  /** Absent if the account can't be chosen. */
  sealed: Schema.Option(Schema.String),
  hindrance: Schema.Option(Schema.Literals(["page_permission_required", "page_token_missing", "account_not_eligible"]))
})
export type KeptCandidate = typeof KeptCandidate.Type

/** Who works on an attempt: until the lease expires nobody else does. */
const leased = { token: Schema.String, until: Schema.DateTimeUtc }

/** Digest of what the network sent back: the same answer again gets the first outcome, another one nothing. */
const answered = { answer: Schema.String }

/**
 * How far an attempt is.
 *
 * - `Open`: the person is at the network
 * - `Exchanging`: the person is back, the code is exchanged
 * - `Choosing`: the person chooses
 * - `Admitting`: what was chosen, or is the only account, is connected
 * - `Over`: how it ended
 */
export const AttemptProgress = Schema.Union([
  Schema.TaggedStruct("Open", {
    /**
     * The `stateDigest` of the attempt with which the same browser was under way when it opened the link again; that one
     * ends only when this one comes back.
     */
    beside: Schema.optionalKey(Schema.String)
  }),
  Schema.TaggedStruct("Exchanging", { ...answered, ...leased }),
  Schema.TaggedStruct("Choosing", { ...answered, candidates: Schema.Array(KeptCandidate) }),
  Schema.TaggedStruct("Admitting", { ...answered, ...leased, candidates: Schema.Array(KeptCandidate) }),
  Schema.TaggedStruct("Over", { ...answered, status: ConnectStatus, failure: Schema.Option(ConnectFailure) })
])
export type AttemptProgress = typeof AttemptProgress.Type

/** One way of a browser to the network and back. */
export const ConnectAttempt = Schema.Struct({
  workspaceId: WorkspaceId,
  sessionId: ConnectSessionId,
  /** SHA-256 of the `state`, in lower-case hex. */
  stateDigest: Schema.String,
  /** SHA-256 of the cookie, in lower-case hex. */
  cookieDigest: Schema.String,
  /** The address to which the network sends the browser back; the exchange must name the same. */
  redirectUri: Schema.String,
  /** The PKCE verifier, sealed for the session. */
  sealedVerifier: Schema.String,
  createdAt: Schema.DateTimeUtc,
  progress: AttemptProgress
})
export type ConnectAttempt = typeof ConnectAttempt.Type
