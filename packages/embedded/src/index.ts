export { createLoopbox } from "./createLoopbox.ts"
export type { Loopbox } from "./createLoopbox.ts"
export type { PlainAccount, PlainManagedUser } from "./facade/plainAccount.ts"
export type { PlainExportedReply, PlainExportLine } from "./facade/plainExport.ts"
export type {
  ConnectingFacade,
  PlainConnectSession,
  PlainConnectStep,
  PlainLinkedSession
} from "./facade/connectingFacade.ts"
export type { ConnectedFacade, ConnectedListRequest, PlainConnectedAccount } from "./facade/connectedFacade.ts"
export type { KeysFacade, PlainApiKey, PlainIssuedKey } from "./facade/keysFacade.ts"
export type { MembersFacade, PlainMember, PlainMemberPage } from "./facade/membersFacade.ts"
export type { AudioFacade, PlainOverlay } from "./facade/audioFacade.ts"
export type { ItemListRequest, PlainItemPage } from "./facade/inboxFacade.ts"
export type { ModerationFacade, PlainBatchResult } from "./facade/moderationFacade.ts"
export type { PlainScope } from "./facade/within.ts"
export type { PlainJob, PlainMedia, PlainPage, PlainWorkspace } from "./facade/plain.ts"
export type {
  NewPostRequest,
  PlainJudgement,
  PostContent,
  PostsFacade,
  PostTargetRequest
} from "./facade/postsFacade.ts"
export type { PlainActivity } from "./facade/plainActivity.ts"
export type { PlainChange, PlainEvent, PlainItem, PlainPost } from "./facade/plainInbox.ts"
export type { PlainOperation } from "./facade/plainOperation.ts"
export type { PlainMediaContext, PlainReply } from "./facade/plainReply.ts"
export type { BackfillOptions, PlainAccountSync, PlainConfirmation, PlainSync } from "./facade/plainSync.ts"
export type { Plain } from "./facade/toPlain.ts"
export type { AuditListRequest, PlainAuditEvent, PlainUsage } from "./facade/workspacesFacade.ts"
export { LoopboxClosed } from "./LoopboxClosed.ts"
export { BodyAlreadyRead } from "./mounts/BodyAlreadyRead.ts"
export type { ExpressHandler } from "./mounts/expressMount.ts"
export type { FastifyPlugin } from "./mounts/fastifyMount.ts"
export type { HonoHandler } from "./mounts/honoMount.ts"
export { MountImpossible } from "./mounts/MountImpossible.ts"
export type { Mounts } from "./mounts/makeMounts.ts"
export type { NextRoute } from "./mounts/nextMount.ts"
export type { MountOptions } from "./mounts/nodeMount.ts"
export { type Blobs, blobStore } from "./ports/blobs.ts"
export type { Identify, PlainIdentity } from "./ports/identity.ts"
export type { PlanSources } from "./ports/plans.ts"
export type { LiveNetworks, LoopboxOptions } from "./presets/LoopboxOptions.ts"
export { DatabaseUnavailable } from "./presets/DatabaseUnavailable.ts"
export { OptionsInvalid } from "./presets/OptionsInvalid.ts"
export { mediaLinks } from "./mediaLinks.ts"
export { AdaptersMissing } from "./requirePorts.ts"
export type { PlainItemPlace, PlainPageKey } from "./facade/places.ts"
