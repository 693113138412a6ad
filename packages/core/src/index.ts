export { Access } from "./access/Access.ts"
export { AccessChanges } from "./access/AccessChanges.ts"
export {
  ApiKeyNotFound,
  CreatorNotMember,
  LimitsNeedEnterprise,
  MemberNotFound,
  ApiKeyRequired,
  IdentityUnavailable,
  InsufficientRole,
  KeyCreatorRequired,
  ManagedUserNotFound,
  NoLocalIssuer,
  PlanFeatureNotAvailable,
  ScopeInvalid,
  ScopeLookupFailed,
  ScopeRequired,
  Unauthorized,
  WorkspaceNotFound
} from "./access/AccessErrors.ts"
export { AccountAdministration } from "./access/AccountAdministration.ts"
export type { AccountPatch, NewAccount } from "./access/AccountAdministration.ts"
export { Administration } from "./access/Administration.ts"
export type { IssuedKey, NewApiKey, NewWorkspace, WorkspaceChange } from "./access/Administration.ts"
export type { Caller } from "./access/Caller.ts"
export type { DashboardCaller, KeyCaller, ManagedUserCaller, OperatorCaller } from "./access/Caller.ts"
export { ConsoleSessions } from "./access/ConsoleSessions.ts"
export type { OpenedConsole } from "./access/ConsoleSessions.ts"
export { ConsoleSessionStore } from "./access/ConsoleSessionStore.ts"
export type { ConsoleGrant } from "./access/ConsoleSessionStore.ts"
export { DashboardIdentity } from "./access/DashboardIdentity.ts"
export type { Identity, TokenRequest } from "./access/DashboardIdentity.ts"
export { EntitledCaller, ScopedCaller } from "./access/EntitledCaller.ts"
export { InboxAccess, requireKey } from "./access/InboxAccess.ts"
export type { Credential, InboxRefused, InboxRequest } from "./access/InboxAccess.ts"
export { InboxPlans } from "./access/InboxPlans.ts"
export type { InboxPlanTable } from "./access/InboxPlans.ts"
export { InboxScope, ManagedUserScope, WorkspaceScope } from "./access/InboxScope.ts"
export { AccountCredentials } from "./accounts/AccountCredentials.ts"
export type { RenewalClaim, RenewalOutcome, UsableAccount } from "./accounts/AccountCredentials.ts"
export {
  AccountAlreadyConnected,
  AccountNotFound,
  CredentialsUnreadable,
  UsernameRequired
} from "./accounts/AccountErrors.ts"
export { AccountGone, AccountUnusable } from "./accounts/AccountErrors.ts"
export { AccountTokens } from "./accounts/AccountTokens.ts"
export type { OpenAccount } from "./accounts/AccountTokens.ts"
export { CredentialVault } from "./accounts/CredentialVault.ts"
export type { CredentialOwner, Credentials, SealedCredentials } from "./accounts/CredentialVault.ts"
export { SocialAccount } from "./accounts/SocialAccount.ts"
export { SocialAccounts } from "./accounts/SocialAccounts.ts"
export type { AccountChange, AccountName, ConnectedRoute, ConnectOutcome } from "./accounts/SocialAccounts.ts"
export { CurrentActor, operator, system } from "./audit/Actor.ts"
export type { Actor } from "./audit/Actor.ts"
export { Audit } from "./audit/Audit.ts"
export { auditActions } from "./audit/AuditEvent.ts"
export type { AuditAction, AuditEvent } from "./audit/AuditEvent.ts"
export { AuditStore } from "./audit/AuditStore.ts"
export type { AuditFilter } from "./audit/AuditStore.ts"
export { ExportStore } from "./exporting/ExportStore.ts"
export type { ExportPage, ExportQuery } from "./exporting/ExportStore.ts"
export type { Exported, ExportEnd, ExportLine, ExportRecord } from "./exporting/ExportLine.ts"
export { ManagedUserExport } from "./exporting/ManagedUserExport.ts"
export { GifMediaRequired, GifTooLarge, InvalidBackgroundColor, NotAGif } from "./conversions/ConversionErrors.ts"
export { BackgroundColor, ConversionJob, ConversionTask } from "./conversions/ConversionJob.ts"
export { Conversions } from "./conversions/Conversions.ts"
export type { SubmitConversion, SubmitFailed } from "./conversions/Conversions.ts"
export { ConversionStore } from "./conversions/ConversionStore.ts"
export * as ConversionWorker from "./conversions/ConversionWorker.ts"
export { GifEncoder } from "./conversions/GifEncoder.ts"
export { EncodeFailed } from "./encoding/EncodeFailed.ts"
export { EngineBroken, EngineMissing } from "./encoding/Engine.ts"
export { IdempotencyConflict, InputMediaUnavailable, JobAlreadyEnded, JobNotFound } from "./jobs/JobErrors.ts"
export { JobSignals } from "./jobs/JobSignals.ts"
export type { JobStore } from "./jobs/JobStore.ts"
export type { FailedJob, JobFailure, JobStatus, MediaJob } from "./jobs/MediaJob.ts"
export type { ProcessingJob, QueuedJob, SucceededJob } from "./jobs/MediaJob.ts"
export { EventFeed } from "./feed/EventFeed.ts"
export { defaultFeedMemory, FeedMemory, type FeedMemoryLimits } from "./feed/FeedMemory.ts"
export type { FeedMessage, Follower } from "./feed/FeedMessage.ts"
export { type EventPage, InboxEvents, type UnreadableEvent } from "./feed/InboxEvents.ts"
export type { LoggedEvent, LoggedJobEnd } from "./feed/JobEnded.ts"
export { AuthorProfiles } from "./inbox/AuthorProfiles.ts"
export { Inbox } from "./inbox/Inbox.ts"
export { ItemNotFound, MediaContextUnavailable, NoParent } from "./inbox/InboxErrors.ts"
export { InboxStore } from "./inbox/InboxStore.ts"
export type { ItemFilter, ItemPage, ItemQuery } from "./inbox/InboxStore.ts"
export { IngestStore, type IngestUnit } from "./inbox/IngestStore.ts"
export { type CounterDrift, UnreadCounters } from "./inbox/UnreadCounters.ts"
export { Ingest } from "./inbox/Ingest.ts"
export type { IngestReport, IngestRequest } from "./inbox/Ingest.ts"
export { MediaContexts } from "./inbox/MediaContexts.ts"
export type { FoundContext } from "./inbox/MediaContexts.ts"
export { MediaContextStore } from "./inbox/MediaContextStore.ts"
export type { KeptContext, PostName } from "./inbox/MediaContextStore.ts"
export * as ProfileWorker from "./inbox/ProfileWorker.ts"
export { decideIngest } from "./items/decideIngest.ts"
export type { IngestChange, IngestFacts } from "./items/decideIngest.ts"
export { deliver, InboxEvent } from "./items/InboxEvent.ts"
export type { DeliveredEvent, RoutedEvent } from "./items/InboxEvent.ts"
export { InboxItem } from "./items/InboxItem.ts"
export type { ItemPosition } from "./items/InboxItem.ts"
export type { ItemScope } from "./items/ItemScope.ts"
export type { ShownOperation } from "./items/ShownOperation.ts"
export { ThreadState, ThreadStatus } from "./items/Thread.ts"
export type { ThreadMove, WorkState } from "./items/Thread.ts"
export { AssigneeInvalid, AssigneeNotAllowed } from "./items/ThreadErrors.ts"
export { Unhealthy } from "./kernel/HealthCheck.ts"
export type { HealthCheck } from "./kernel/HealthCheck.ts"
export { IdempotencyKey } from "./kernel/IdempotencyKey.ts"
export {
  ApiKeyId,
  ConversionJobId,
  InboxItemId,
  MediaId,
  OutboundOperationId,
  SocialAccountId,
  SyncId,
  WorkspaceId
} from "./kernel/Ids.ts"
export { LeaseClock } from "./kernel/lease/LeaseClock.ts"
export { LeaseLost } from "./kernel/lease/LeaseLost.ts"
export type { Page, PageKey, PageRequest } from "./kernel/Page.ts"
export { StoreUnavailable } from "./kernel/StoreUnavailable.ts"
export { BlobMissing, BlobStore } from "./media/BlobStore.ts"
export { ContentType } from "./media/ContentType.ts"
export { Media, PendingMedia, ReadyMedia } from "./media/Media.ts"
export {
  EmptyUpload,
  MediaInUse,
  MediaNotFound,
  MediaNotReady,
  MediaTooLarge,
  UnsupportedMedia,
  UploadAlreadyFinished,
  UploadSizeMismatch,
  WorkspaceErased
} from "./media/MediaErrors.ts"
export { MediaLibrary } from "./media/MediaLibrary.ts"
export { MediaStore } from "./media/MediaStore.ts"
export { AuthExpired, OutcomeUnknown, RateLimited, Rejected, Unavailable } from "./networks/ConnectorErrors.ts"
export type { ReadFailed, WriteFailed } from "./networks/ConnectorErrors.ts"
export { Connectors } from "./networks/Connectors.ts"
export type { Feed, FeedPage, FeedRequest } from "./networks/Feed.ts"
export type { PollStep } from "./networks/PollStep.ts"
export { Attachment, Deleted, Edited, HiddenChanged, Posted } from "./networks/InboundActivity.ts"
export type { InboundActivity, NormalisedDelivery, Person } from "./networks/InboundActivity.ts"
export type { MediaContext } from "./networks/MediaContext.ts"
export type { Reply, ReplyLook, ReplyTarget, SentReply, TextMeasure, UncertainReply } from "./networks/Reply.ts"
export type { AccountAccess, RefreshedToken } from "./networks/AccountAccess.ts"
export type { Normalise, SocialConnector } from "./networks/SocialConnector.ts"
export { noNetworks } from "./networks/noNetworks.ts"
export type { NetworkDescriptor, SourceTraits } from "./networks/Network.ts"
export { Networks, networkTable } from "./networks/Networks.ts"
export type { NetworkTable } from "./networks/Networks.ts"
export { Network, Source, WebhookEndpoint } from "./networks/Source.ts"
export { WebhookGate } from "./networks/WebhookGate.ts"
export type { Authenticity, Handshake } from "./networks/WebhookGate.ts"
export {
  NotAnswerable,
  OperationNotFound,
  PermissionsMissing,
  ReplyKeyConflict,
  ReplyKeyRequired,
  ReplyTextInvalid,
  WindowClosed
} from "./outbound/OutboundErrors.ts"
export { OutboundOperation } from "./outbound/OutboundOperation.ts"
export { OutboundStore } from "./outbound/OutboundStore.ts"
export { showOperation } from "./outbound/showOperation.ts"
export * as SyncWorker from "./polling/SyncWorker.ts"
export { CapacityExceeded, ConversionRateExceeded } from "./quota/QuotaErrors.ts"
export { Replies } from "./replies/Replies.ts"
export type { ReplyOutcome, ReplyRequest } from "./replies/Replies.ts"
export * as ReplyWorker from "./replies/ReplyWorker.ts"
export { keepUntil } from "./retention/Retention.ts"
export { RetentionStore } from "./retention/RetentionStore.ts"
export * as RetentionSweeper from "./retention/RetentionSweeper.ts"
export * as InboxSweeper from "./sweeping/InboxSweeper.ts"
export { Sync } from "./sync/Sync.ts"
export type { BackfillRequest, ConfirmationRequired, SyncAnswer, SyncOptions } from "./sync/Sync.ts"
export { ConfirmationInvalid, NoBackfillAccount, SyncNotFound } from "./sync/SyncErrors.ts"
export { newItemsOf } from "./sync/SyncRun.ts"
export type { AccountSync, BackfillInput, FeedState, PollState, SyncError, SyncRun } from "./sync/SyncRun.ts"
export { PollStore } from "./sync/PollStore.ts"
export type { SyncClaim, SyncSettlement, SyncWork } from "./sync/PollStore.ts"
export { SyncStore } from "./sync/SyncStore.ts"
export { Usage } from "./usage/Usage.ts"
export type { WorkspaceUsage } from "./usage/Usage.ts"
export { UsageStore } from "./usage/UsageStore.ts"
export type { UsageFacts } from "./usage/UsageStore.ts"
export { WebhookDeliveries } from "./webhooks/WebhookDeliveries.ts"
export type { FailedDelivery, WebhookDelivery } from "./webhooks/WebhookDeliveries.ts"
export { DeliveryNotFound } from "./webhooks/WebhookErrors.ts"
export { Webhooks } from "./webhooks/Webhooks.ts"
export * as WebhookWorker from "./webhooks/WebhookWorker.ts"
export { ApiKey } from "./workspaces/ApiKey.ts"
export { ApiKeys } from "./workspaces/ApiKeys.ts"
export type { KeyHolder } from "./workspaces/ApiKeys.ts"
export { limitsOf } from "./workspaces/Limits.ts"
export { ManagedUser, ManagedUsers } from "./workspaces/ManagedUsers.ts"
export { Members } from "./workspaces/Members.ts"
export type { Membership } from "./workspaces/Members.ts"
export { Plan } from "./workspaces/Plan.ts"
export { Role } from "./workspaces/Role.ts"
export { Workspace } from "./workspaces/Workspace.ts"
export { Workspaces } from "./workspaces/Workspaces.ts"
