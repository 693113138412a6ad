import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ConnectSessionStore } from "@loopbox/core/connecting/ConnectSessionStore"
import { DeletionRequests } from "@loopbox/core/connecting/DeletionRequests"
import { JobSignals } from "@loopbox/core/jobs/JobSignals"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { ExportStore } from "@loopbox/core/exporting/ExportStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { ActionPaces } from "@loopbox/core/moderation/ActionPaces"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"

/** The given layers do not provide all required ports. */
export class AdaptersMissing extends Schema.TaggedError<AdaptersMissing>()("AdaptersMissing", {
  ports: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `No layer gives ${this.ports.join(", ")}. MemoryAdapters.layer gives all of them.`
  }
}

/** The ports that the services require. */
export type Ports =
  | AccessChanges
  | ActionPaces
  | AccountCredentials
  | AccountHealthStore
  | ApiKeys
  | AuditStore
  | AuthorProfiles
  | BlobStore
  | ConnectSessionStore
  | JobSignals
  | ConversionStore
  | CredentialVault
  | DeletionRequests
  | Digest
  | Erasures
  | ExportStore
  | InboxEvents
  | InboxStore
  | IngestStore
  | ManagedUsers
  | MediaContextStore
  | MediaStore
  | Members
  | OutboundStore
  | OutgoingEndpointStore
  | OutgoingQueue
  | OverlayStore
  | PollStore
  | PostStore
  | RetentionStore
  | ThreadStore
  | SavedReplyStore
  | SearchWords
  | SecureRandom
  | SocialAccounts
  | SyncStore
  | UnreadCounters
  | UsageStore
  | WebhookDeliveries
  | Workspaces

const ports = [
  AccessChanges,
  ActionPaces,
  AccountCredentials,
  AccountHealthStore,
  ApiKeys,
  AuditStore,
  AuthorProfiles,
  BlobStore,
  ConnectSessionStore,
  JobSignals,
  ConversionStore,
  CredentialVault,
  DeletionRequests,
  Digest,
  Erasures,
  ExportStore,
  InboxEvents,
  InboxStore,
  IngestStore,
  ManagedUsers,
  MediaContextStore,
  MediaStore,
  Members,
  OutboundStore,
  OutgoingEndpointStore,
  OutgoingQueue,
  OverlayStore,
  PollStore,
  PostStore,
  RetentionStore,
  ThreadStore,
  SavedReplyStore,
  SearchWords,
  SecureRandom,
  SocialAccounts,
  SyncStore,
  UnreadCounters,
  UsageStore,
  WebhookDeliveries,
  Workspaces
] as const

const nameOf = (key: string) => key.slice(key.lastIndexOf("/") + 1)

/** Checks at runtime that the layers provide all ports, because plain JavaScript has no compiler to check it. */
export const requirePorts = Effect.fnUntraced(function* (
  given: Context.Context<never>
): Effect.fn.Return<Context.Context<Ports>, AdaptersMissing> {
  const missing = ports.filter(({ key }) => !given.mapUnsafe.has(key)).map(({ key }) => nameOf(key))
  if (missing.length > 0) return yield* new AdaptersMissing({ ports: missing })
  const take = <I, S>(port: Context.Key<I, S>) =>
    Effect.fromOption(Context.getOption(given, port)).pipe(
      Effect.mapError(() => new AdaptersMissing({ ports: [nameOf(port.key)] }))
    )
  const access = Context.make(AccountCredentials, yield* take(AccountCredentials)).pipe(
    Context.add(AccessChanges, yield* take(AccessChanges)),
    Context.add(ActionPaces, yield* take(ActionPaces)),
    Context.add(ApiKeys, yield* take(ApiKeys)),
    Context.add(AuditStore, yield* take(AuditStore)),
    Context.add(ConnectSessionStore, yield* take(ConnectSessionStore)),
    Context.add(DeletionRequests, yield* take(DeletionRequests)),
    Context.add(ExportStore, yield* take(ExportStore)),
    Context.add(IngestStore, yield* take(IngestStore)),
    Context.add(ManagedUsers, yield* take(ManagedUsers)),
    Context.add(Members, yield* take(Members)),
    Context.add(OverlayStore, yield* take(OverlayStore)),
    Context.add(PostStore, yield* take(PostStore)),
    Context.add(UnreadCounters, yield* take(UnreadCounters)),
    Context.add(UsageStore, yield* take(UsageStore)),
    Context.add(ThreadStore, yield* take(ThreadStore)),
    Context.add(SavedReplyStore, yield* take(SavedReplyStore)),
    Context.add(SearchWords, yield* take(SearchWords)),
    Context.add(OutgoingEndpointStore, yield* take(OutgoingEndpointStore)),
    Context.add(OutgoingQueue, yield* take(OutgoingQueue))
  )
  // A pipe accepts at most twenty steps.
  return access.pipe(
    Context.add(AuthorProfiles, yield* take(AuthorProfiles)),
    Context.add(BlobStore, yield* take(BlobStore)),
    Context.add(JobSignals, yield* take(JobSignals)),
    Context.add(ConversionStore, yield* take(ConversionStore)),
    Context.add(CredentialVault, yield* take(CredentialVault)),
    Context.add(Digest, yield* take(Digest)),
    Context.add(Erasures, yield* take(Erasures)),
    Context.add(InboxEvents, yield* take(InboxEvents)),
    Context.add(InboxStore, yield* take(InboxStore)),
    Context.add(MediaContextStore, yield* take(MediaContextStore)),
    Context.add(MediaStore, yield* take(MediaStore)),
    Context.add(OutboundStore, yield* take(OutboundStore)),
    Context.add(RetentionStore, yield* take(RetentionStore)),
    Context.add(SecureRandom, yield* take(SecureRandom)),
    Context.add(SocialAccounts, yield* take(SocialAccounts)),
    Context.add(PollStore, yield* take(PollStore)),
    Context.add(SyncStore, yield* take(SyncStore)),
    Context.add(AccountHealthStore, yield* take(AccountHealthStore)),
    Context.add(WebhookDeliveries, yield* take(WebhookDeliveries)),
    Context.add(Workspaces, yield* take(Workspaces))
  )
})
