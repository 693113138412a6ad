export { Access } from "./access/Access.ts"
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
export { Administration } from "./access/Administration.ts"
export type { IssuedKey, NewApiKey, NewWorkspace, WorkspaceChange } from "./access/Administration.ts"
export { ApiKey } from "./access/ApiKey.ts"
export { ApiKeys } from "./access/ApiKeys.ts"
export type { KeyHolder } from "./access/ApiKeys.ts"
export type { Caller } from "./access/Caller.ts"
export { Members } from "./access/Members.ts"
export { Role } from "./access/Role.ts"
export {
  GifMediaRequired,
  GifTooLarge,
  IdempotencyConflict,
  InputMediaUnavailable,
  InvalidBackgroundColor,
  JobAlreadyEnded,
  JobNotFound,
  LeaseLost,
  NotAGif
} from "./conversions/ConversionErrors.ts"
export {
  BackgroundColor,
  ConversionJob,
  FailedJob,
  JobFailure,
  JobStatus,
  ProcessingJob,
  QueuedJob,
  SucceededJob
} from "./conversions/ConversionJob.ts"
export { Conversions } from "./conversions/Conversions.ts"
export type { SubmitConversion, SubmitFailed } from "./conversions/Conversions.ts"
export { ConversionSignals } from "./conversions/ConversionSignals.ts"
export { ConversionStore } from "./conversions/ConversionStore.ts"
export * as ConversionWorker from "./conversions/ConversionWorker.ts"
export { EncodeFailed, EngineMissing, GifEncoder } from "./conversions/GifEncoder.ts"
export { IdempotencyKey } from "./kernel/IdempotencyKey.ts"
export { Unhealthy } from "./kernel/HealthCheck.ts"
export type { HealthCheck } from "./kernel/HealthCheck.ts"
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
export { LeaseClock } from "./kernel/LeaseClock.ts"
export type { Page, PageKey, PageRequest } from "./kernel/Page.ts"
export { StoreUnavailable } from "./kernel/StoreUnavailable.ts"
export * as FileBlobStore from "./local/FileBlobStore.ts"
export * as MemoryAdapters from "./local/MemoryAdapters.ts"
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
export {
  NotAnswerable,
  OperationLeaseLost,
  OperationNotFound,
  PermissionsMissing,
  ReplyKeyConflict,
  ReplyKeyRequired,
  ReplyTextInvalid,
  WindowClosed
} from "./outbound/OutboundErrors.ts"
export { OutboundOperation } from "./outbound/OutboundOperation.ts"
export { OutboundStore } from "./outbound/OutboundStore.ts"
export { Replies } from "./outbound/Replies.ts"
export type { ReplyOutcome, ReplyRequest } from "./outbound/Replies.ts"
export * as ReplyWorker from "./outbound/ReplyWorker.ts"
export { showOperation } from "./outbound/ShownOperation.ts"
export type { ShownOperation } from "./outbound/ShownOperation.ts"
export { noNetworks } from "./promise/noNetworks.ts"
export { Plan } from "./plans/Plan.ts"
export { Workspace } from "./plans/Workspace.ts"
export { Workspaces } from "./plans/Workspaces.ts"
export { createLoopbox } from "./promise/createLoopbox.ts"
export type { Loopbox } from "./promise/createLoopbox.ts"
export type { PlainJob, PlainMedia, PlainPage, PlainPageKey, PlainWorkspace } from "./promise/plain.ts"
export { AdaptersMissing } from "./promise/requirePorts.ts"
export { CapacityExceeded, ConversionRateExceeded } from "./quota/QuotaErrors.ts"
export { limitsOf } from "./quota/Limits.ts"
export { keepUntil } from "./retention/Retention.ts"
export { RetentionStore } from "./retention/RetentionStore.ts"
export * as RetentionSweeper from "./retention/RetentionSweeper.ts"
export { AccessChanges } from "./access/AccessChanges.ts"
export { AccountAdministration } from "./access/AccountAdministration.ts"
export type { AccountPatch, NewAccount } from "./access/AccountAdministration.ts"
export type { DashboardCaller, KeyCaller, Membership } from "./access/Caller.ts"
export { DashboardIdentity } from "./access/DashboardIdentity.ts"
export type { Identity, TokenRequest } from "./access/DashboardIdentity.ts"
export { EntitledCaller, ScopedCaller } from "./access/EntitledCaller.ts"
export { InboxAccess, requireKey } from "./access/InboxAccess.ts"
export type { Credential, InboxRefused, InboxRequest } from "./access/InboxAccess.ts"
export { InboxPlans } from "./access/InboxPlans.ts"
export type { InboxPlanTable } from "./access/InboxPlans.ts"
export { InboxScope, ManagedUserScope, WorkspaceScope } from "./access/InboxScope.ts"
export { ManagedUser, ManagedUsers } from "./access/ManagedUsers.ts"
export {
  AccountAlreadyConnected,
  AccountNotFound,
  CredentialsUnreadable,
  UsernameRequired
} from "./accounts/AccountErrors.ts"
export { AccountCredentials } from "./accounts/AccountCredentials.ts"
export type { RenewalClaim, RenewalOutcome, UsableAccount } from "./accounts/AccountCredentials.ts"
export { CredentialVault } from "./accounts/CredentialVault.ts"
export type { CredentialOwner, Credentials, SealedCredentials } from "./accounts/CredentialVault.ts"
export { SocialAccount } from "./accounts/SocialAccount.ts"
export { SocialAccounts } from "./accounts/SocialAccounts.ts"
export type { AccountChange, AccountName, ConnectedRoute, ConnectOutcome } from "./accounts/SocialAccounts.ts"
export { AccountTokens } from "./inbox/AccountTokens.ts"
export type { OpenAccount } from "./inbox/AccountTokens.ts"
export { AuthorProfiles } from "./inbox/AuthorProfiles.ts"
export { decideIngest } from "./inbox/decideIngest.ts"
export type { IngestChange, IngestFacts } from "./inbox/decideIngest.ts"
export { EventFeed } from "./inbox/EventFeed.ts"
export type { FeedMessage, Follower } from "./inbox/FeedMessage.ts"
export { Inbox } from "./inbox/Inbox.ts"
export {
  AccountGone,
  AccountUnusable,
  AssigneeInvalid,
  AssigneeNotAllowed,
  DeliveryLeaseLost,
  DeliveryNotFound,
  ConfirmationInvalid,
  ItemNotFound,
  MediaContextUnavailable,
  NoBackfillAccount,
  NoParent,
  SyncLeaseLost,
  SyncNotFound
} from "./inbox/InboxErrors.ts"
export { deliver, InboxEvent } from "./inbox/InboxEvent.ts"
export type { DeliveredEvent, RoutedEvent } from "./inbox/InboxEvent.ts"
export { InboxEvents } from "./inbox/InboxEvents.ts"
export { InboxItem } from "./inbox/InboxItem.ts"
export type { ItemPosition } from "./inbox/InboxItem.ts"
export { InboxStore } from "./inbox/InboxStore.ts"
export type { IngestUnit, ItemFilter, ItemPage, ItemQuery, ItemScope } from "./inbox/InboxStore.ts"
export * as InboxSweeper from "./inbox/InboxSweeper.ts"
export { MediaContexts } from "./inbox/MediaContexts.ts"
export type { FoundContext } from "./inbox/MediaContexts.ts"
export { MediaContextStore } from "./inbox/MediaContextStore.ts"
export type { KeptContext, PostName } from "./inbox/MediaContextStore.ts"
export { Ingest } from "./inbox/Ingest.ts"
export type { IngestReport, IngestRequest } from "./inbox/Ingest.ts"
export * as ProfileWorker from "./inbox/ProfileWorker.ts"
export { Sync } from "./inbox/Sync.ts"
export type { BackfillRequest, ConfirmationRequired, SyncAnswer, SyncOptions } from "./inbox/Sync.ts"
export { newItemsOf } from "./inbox/SyncRun.ts"
export type { AccountSync, BackfillInput, FeedState, PollState, SyncError, SyncRun } from "./inbox/SyncRun.ts"
export { SyncStore } from "./inbox/SyncStore.ts"
export type { SyncClaim, SyncSettlement, SyncWork } from "./inbox/SyncStore.ts"
export * as SyncWorker from "./inbox/SyncWorker.ts"
export { ThreadState, ThreadStatus } from "./inbox/Thread.ts"
export type { ThreadMove } from "./inbox/Thread.ts"
export { WebhookDeliveries } from "./inbox/WebhookDeliveries.ts"
export type { FailedDelivery, WebhookDelivery } from "./inbox/WebhookDeliveries.ts"
export { Webhooks } from "./inbox/Webhooks.ts"
export * as WebhookWorker from "./inbox/WebhookWorker.ts"
export type { PlainAccount, PlainManagedUser } from "./promise/accountsFacade.ts"
export type { ItemListRequest, PlainItemPage, PlainScope } from "./promise/inboxFacade.ts"
export type { PlainActivity } from "./promise/plainActivity.ts"
export type { BackfillOptions, PlainAccountSync, PlainConfirmation, PlainSync } from "./promise/plainSync.ts"
export type { PlainOperation } from "./promise/plainOperation.ts"
export type { PlainMediaContext, PlainReply } from "./promise/plainReply.ts"
export type { PlainChange, PlainEvent, PlainItem } from "./promise/plainInbox.ts"
export { AuthExpired, OutcomeUnknown, RateLimited, Rejected, Unavailable } from "./connectors/ConnectorErrors.ts"
export type { ReadFailed, WriteFailed } from "./connectors/ConnectorErrors.ts"
export { Connectors } from "./connectors/Connectors.ts"
export type { Feed, FeedPage, FeedRequest, PollStep } from "./connectors/Feed.ts"
export { Attachment, Deleted, Edited, HiddenChanged, Posted } from "./connectors/InboundActivity.ts"
export type { InboundActivity, NormalisedDelivery, Person } from "./connectors/InboundActivity.ts"
export type { MediaContext } from "./connectors/MediaContext.ts"
export type { Reply, ReplyLook, ReplyTarget, SentReply, TextMeasure, UncertainReply } from "./connectors/Reply.ts"
export type { AccountAccess, Normalise, RefreshedToken, SocialConnector } from "./connectors/SocialConnector.ts"
export { Network, networkOf, networks, Source, sources, sourcesOf, WebhookEndpoint } from "./connectors/Source.ts"
export { WebhookGate } from "./connectors/WebhookGate.ts"
export type { Authenticity, Handshake } from "./connectors/WebhookGate.ts"
