import type { AccountsFacade } from "./accountsFacade.ts"
import type { AudioFacade } from "./audioFacade.ts"
import type { ConnectedFacade } from "./connectedFacade.ts"
import type { ConnectingFacade } from "./connectingFacade.ts"
import type { ConversionsFacade } from "./conversionsFacade.ts"
import type { InboxFacade } from "./inboxFacade.ts"
import type { KeysFacade } from "./keysFacade.ts"
import type { MediaFacade } from "./mediaFacade.ts"
import type { MembersFacade } from "./membersFacade.ts"
import type { ModerationFacade } from "./moderationFacade.ts"
import type { NotesFacade } from "./notesFacade.ts"
import type { PostsFacade } from "./postsFacade.ts"
import type { SavedRepliesFacade } from "./savedRepliesFacade.ts"
import type { LabelsFacade, ThreadsFacade } from "./threadsFacade.ts"
import type { WebhookEndpointsFacade } from "./webhookEndpointsFacade.ts"
import type { WorkspacesFacade } from "./workspacesFacade.ts"

/** Everything that can be called, in groups. */
export interface Facades {
  readonly workspaces: WorkspacesFacade
  readonly members: MembersFacade
  readonly keys: KeysFacade
  readonly media: MediaFacade
  readonly conversions: ConversionsFacade
  readonly audio: AudioFacade
  readonly accounts: AccountsFacade
  readonly connected: ConnectedFacade
  readonly connecting: ConnectingFacade
  readonly inbox: InboxFacade
  readonly moderation: ModerationFacade
  readonly threads: ThreadsFacade
  readonly labels: LabelsFacade
  readonly notes: NotesFacade
  readonly savedReplies: SavedRepliesFacade
  readonly webhookEndpoints: WebhookEndpointsFacade
  readonly posts: PostsFacade
}
