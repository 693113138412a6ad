import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccessChanges } from "../access/AccessChanges.ts"
import { ApiKeys } from "../access/ApiKeys.ts"
import { ManagedUsers } from "../access/ManagedUsers.ts"
import { Members } from "../access/Members.ts"
import { AccountCredentials } from "../accounts/AccountCredentials.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { ConversionSignals } from "../conversions/ConversionSignals.ts"
import { ConversionStore } from "../conversions/ConversionStore.ts"
import { AuthorProfiles } from "../inbox/AuthorProfiles.ts"
import { InboxEvents } from "../inbox/InboxEvents.ts"
import { InboxStore } from "../inbox/InboxStore.ts"
import { SyncStore } from "../inbox/SyncStore.ts"
import { MediaContextStore } from "../inbox/MediaContextStore.ts"
import { WebhookDeliveries } from "../inbox/WebhookDeliveries.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { MediaStore } from "../media/MediaStore.ts"
import { OutboundStore } from "../outbound/OutboundStore.ts"
import { Workspaces } from "../plans/Workspaces.ts"
import { RetentionStore } from "../retention/RetentionStore.ts"

/** The layers that were given leave ports open. */
export class AdaptersMissing extends Schema.TaggedError<AdaptersMissing>()("AdaptersMissing", {
  ports: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `No layer gives ${this.ports.join(", ")}. MemoryAdapters.layer gives all of them.`
  }
}

/** The ports that the services cannot do without. */
export type Ports =
  | AccessChanges
  | AccountCredentials
  | ApiKeys
  | AuthorProfiles
  | BlobStore
  | ConversionSignals
  | ConversionStore
  | CredentialVault
  | Digest
  | InboxEvents
  | InboxStore
  | ManagedUsers
  | MediaContextStore
  | MediaStore
  | Members
  | OutboundStore
  | RetentionStore
  | SecureRandom
  | SocialAccounts
  | SyncStore
  | WebhookDeliveries
  | Workspaces

const ports = [
  AccessChanges,
  AccountCredentials,
  ApiKeys,
  AuthorProfiles,
  BlobStore,
  ConversionSignals,
  ConversionStore,
  CredentialVault,
  Digest,
  InboxEvents,
  InboxStore,
  ManagedUsers,
  MediaContextStore,
  MediaStore,
  Members,
  OutboundStore,
  RetentionStore,
  SecureRandom,
  SocialAccounts,
  SyncStore,
  WebhookDeliveries,
  Workspaces
] as const

const nameOf = (key: string) => key.slice(key.lastIndexOf("/") + 1)

/** Finds the ports in what the given layers built; plain JavaScript has no compiler that would. */
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
    Context.add(ApiKeys, yield* take(ApiKeys)),
    Context.add(ManagedUsers, yield* take(ManagedUsers)),
    Context.add(Members, yield* take(Members))
  )
  // A pipe takes no more steps than twenty.
  return access.pipe(
    Context.add(AuthorProfiles, yield* take(AuthorProfiles)),
    Context.add(BlobStore, yield* take(BlobStore)),
    Context.add(ConversionSignals, yield* take(ConversionSignals)),
    Context.add(ConversionStore, yield* take(ConversionStore)),
    Context.add(CredentialVault, yield* take(CredentialVault)),
    Context.add(Digest, yield* take(Digest)),
    Context.add(InboxEvents, yield* take(InboxEvents)),
    Context.add(InboxStore, yield* take(InboxStore)),
    Context.add(MediaContextStore, yield* take(MediaContextStore)),
    Context.add(MediaStore, yield* take(MediaStore)),
    Context.add(OutboundStore, yield* take(OutboundStore)),
    Context.add(RetentionStore, yield* take(RetentionStore)),
    Context.add(SecureRandom, yield* take(SecureRandom)),
    Context.add(SocialAccounts, yield* take(SocialAccounts)),
    Context.add(SyncStore, yield* take(SyncStore)),
    Context.add(WebhookDeliveries, yield* take(WebhookDeliveries)),
    Context.add(Workspaces, yield* take(Workspaces))
  )
})
