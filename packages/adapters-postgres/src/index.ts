export { type EmbeddedOptions, EmbeddedPostgres, type EmbeddedTarget, targetOf } from "./embedded/EmbeddedPostgres.ts"
export { EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"
export { findRunning } from "./embedded/findRunning.ts"
export { hasCluster } from "./embedded/places.ts"
export {
  type ClusterExamination,
  type ClusterNodes,
  examineCluster,
  findClusterNodes
} from "./operations/clusterHealth.ts"
export {
  type Distributed,
  distributeDatabase,
  type DistributeOptions,
  DistributeRefused
} from "./operations/distribute.ts"
export { type Counts, exportDatabase, importDatabase, ImportRefused } from "./operations/exportImport.ts"
export { reseal, type ResealOptions, type ResealReport } from "./operations/resealing.ts"
export { oldestErasure } from "./operations/oldestErasure.ts"
export { type Gauges, sharedGauges } from "./operations/sharedGauges.ts"
export { examineStatistics } from "./operations/statistics.ts"
export { storedBlobs, type StoredBlob } from "./operations/storedBlobs.ts"
export { exportToFile, importFromFile, TransferFileError } from "./operations/transferFiles.ts"
export { upgradeEmbedded, type Upgraded, type UpgradeOptions } from "./operations/upgrade.ts"
export * as Installation from "./Installation.ts"
export { MigrationRefused } from "./Migrations.ts"
export * as Migrations from "./Migrations.ts"
export * as PgAccessChanges from "./stores/access/PgAccessChanges.ts"
export * as PgAdapters from "./PgAdapters.ts"
export * as PgAccountCredentials from "./stores/accounts/PgAccountCredentials.ts"
export * as PgAccountHealthStore from "./stores/accounts/PgAccountHealthStore.ts"
export * as PgErasures from "./stores/accounts/PgErasures.ts"
export * as PgApiKeys from "./stores/access/PgApiKeys.ts"
export * as PgAuthorProfiles from "./stores/inbox/PgAuthorProfiles.ts"
export * as PgClock from "./connection/PgClock.ts"
export * as PgJobSignals from "./stores/media/PgJobSignals.ts"
export * as PgJobStore from "./stores/media/PgJobStore.ts"
export * as PgCredentialVault from "./stores/accounts/PgCredentialVault.ts"
export * as PgInboxEvents from "./stores/inbox/PgInboxEvents.ts"
export * as PgInboxStore from "./stores/inbox/PgInboxStore.ts"
export * as PgManagedUsers from "./stores/access/PgManagedUsers.ts"
export * as PgMediaStore from "./stores/media/PgMediaStore.ts"
export * as PgMembers from "./stores/access/PgMembers.ts"
export * as PgRetentionStore from "./stores/media/PgRetentionStore.ts"
export * as PgSocialAccounts from "./stores/accounts/PgSocialAccounts.ts"
export * as PgPollStore from "./stores/sync/PgPollStore.ts"
export * as PgSyncStore from "./stores/sync/PgSyncStore.ts"
export * as PgWebhookDeliveries from "./stores/sync/PgWebhookDeliveries.ts"
export * as PgWorkspaces from "./stores/access/PgWorkspaces.ts"
export * as Pools from "./connection/Pools.ts"
