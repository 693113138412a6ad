import {
  auditDays,
  deletedMediaRowDays,
  itemHourDays,
  jobRowDays,
  mediaContextDays,
  postRowDays,
  replyRowDays
} from "@loopbox/core/retention/Retention"

/** Where a table's rows lie once the database is distributed over several nodes. */
export type Place =
  /** Beside all else of their workspace, which this column names. */
  | { readonly by: "id" | "workspace_id" }
  /** On every node, each of which is needed to write it: read by a key of its own together with rows of workspaces. */
  | "reference"
  /** On the coordinator only: read by a key of its own, in statements that read nothing of a workspace. */
  | "coordinator"

/** What rows of a table go with when it is erased. */
export type Owner = "installation" | "workspace" | "account" | "delivery"

/** Rows of one owner in the order of an index that begins with the owner; each batch begins after the last one's key. */
export interface Walk {
  /** The columns that follow the owner's in the index, with their types. */
  readonly key: Readonly<Record<string, string>>
  /** A condition on rows that stay. */
  readonly except?: string
}

/**
 * How a table's rows go when their owner is erased.
 *
 * `hidden`: in the transaction that hides the owner, for they are few. In batches afterwards, of an account, of a
 * workspace, or of both. `bytes`: when the bytes that they name are confirmed gone. `last`: when nothing else is left.
 * `never`: they are nobody's.
 */
export type Erased = "hidden" | "bytes" | "last" | "never" | { readonly account?: Walk; readonly workspace?: Walk }

/** How long rows are kept: `owner`, as long as their owner; `store`, as their store's `removeOlder` is told. */
export type Kept =
  | "owner"
  | "store"
  | {
      readonly days: number
      readonly since: string
      readonly key: ReadonlyArray<string>
      readonly only?: string
      /** An expression of a moment, of which only older rows go. */
      readonly before?: string
    }

export interface Table {
  readonly name: string
  readonly owner: Owner
  readonly place: Place
  readonly erased: Erased
  readonly kept: Kept
}

const byWorkspace = { by: "workspace_id" } as const

/**
 * All tables but the migrations', in the order in which an import fills them. Erasing, exporting, importing and purging
 * read this list, and a test compares it with the migrated schema.
 */
export const tables = [
  // First, for an import replaces its row.
  { name: "installation", owner: "installation", place: "coordinator", erased: "never", kept: "owner" },
  // Read by triggers on every node.
  { name: "test_clock", owner: "installation", place: "reference", erased: "never", kept: "owner" },
  { name: "workspaces", owner: "workspace", place: { by: "id" }, erased: "hidden", kept: "owner" },
  { name: "members", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  { name: "api_keys", owner: "workspace", place: "reference", erased: "hidden", kept: "owner" },
  { name: "api_key_uses", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  {
    name: "media",
    owner: "workspace",
    place: byWorkspace,
    erased: "bytes",
    kept: {
      days: deletedMediaRowDays,
      since: "deleted_at",
      key: ["id"],
      only: "bytes_removed_at IS NOT NULL"
    }
  },
  {
    name: "media_jobs",
    owner: "workspace",
    place: byWorkspace,
    erased: "hidden",
    kept: { days: jobRowDays, since: "completed_at", key: ["id"] }
  },
  { name: "managed_users", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  { name: "social_accounts", owner: "workspace", place: byWorkspace, erased: "last", kept: "owner" },
  {
    name: "account_credentials",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: {} } },
    kept: "owner"
  },
  { name: "account_routes", owner: "account", place: "coordinator", erased: { account: { key: {} } }, kept: "owner" },
  {
    name: "connect_sessions",
    owner: "workspace",
    place: "coordinator",
    erased: { workspace: { key: { id: "text" } } },
    kept: "store"
  },
  {
    name: "connect_attempts",
    owner: "workspace",
    place: "coordinator",
    erased: { workspace: { key: { session_id: "text", number: "integer" } } },
    kept: "store"
  },
  {
    name: "saved_replies",
    owner: "workspace",
    place: byWorkspace,
    erased: { workspace: { key: { id: "text" } } },
    kept: "owner"
  },
  { name: "deletion_requests", owner: "installation", place: "coordinator", erased: "never", kept: "store" },
  { name: "console_grants", owner: "installation", place: "coordinator", erased: "never", kept: "store" },
  { name: "sweep_turns", owner: "installation", place: "coordinator", erased: "never", kept: "owner" },
  { name: "webhook_deliveries", owner: "delivery", place: "coordinator", erased: "never", kept: "store" },
  {
    name: "threads",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text", thread_key: "text" } } },
    kept: "owner"
  },
  {
    name: "thread_labels",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text", thread_key: "text", folded: "text" } } },
    kept: "owner"
  },
  {
    name: "thread_notes",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { id: "text" } } },
    kept: "owner"
  },
  {
    name: "thread_recounts",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { id: "uuid" } } },
    kept: "owner"
  },
  {
    name: "items",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text", external_id: "text" } } },
    kept: "owner"
  },
  {
    name: "item_words",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text", external_id: "text" } } },
    kept: "owner"
  },
  {
    name: "unread_counters",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text" } } },
    kept: "owner"
  },
  {
    name: "author_profiles",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { person_id: "text" } } },
    kept: "owner"
  },
  {
    name: "action_paces",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { action: "text" } } },
    kept: "owner"
  },
  // Before sync_tasks: a run that begins just now holds its row until the tasks are there.
  { name: "account_polls", owner: "account", place: byWorkspace, erased: { account: { key: {} } }, kept: "owner" },
  // After account_polls, in the order in which both are locked.
  { name: "account_health", owner: "account", place: byWorkspace, erased: { account: { key: {} } }, kept: "owner" },
  {
    name: "sync_feeds",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { source: "text", feed_id: "text" } } },
    kept: "owner"
  },
  {
    name: "sync_runs",
    owner: "workspace",
    place: byWorkspace,
    erased: { workspace: { key: { id: "text" } } },
    kept: "store"
  },
  {
    name: "sync_tasks",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { run_id: "text" } } },
    kept: "store"
  },
  { name: "backfill_confirmations", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "store" },
  { name: "workspace_seq", owner: "workspace", place: byWorkspace, erased: { workspace: { key: {} } }, kept: "owner" },
  {
    name: "events",
    owner: "workspace",
    place: byWorkspace,
    // Followers forget by the end of an account what they have at hand of it; it stays as long as any event.
    erased: {
      account: { key: { seq: "bigint" }, except: "event ->> '_tag' = 'AccountMoved'" },
      workspace: { key: { seq: "bigint" } }
    },
    kept: "store"
  },
  { name: "outgoing_endpoints", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  { name: "outgoing_secrets", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  { name: "outgoing_lanes", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  { name: "outgoing_positions", owner: "workspace", place: byWorkspace, erased: "hidden", kept: "owner" },
  {
    name: "outgoing_deliveries",
    owner: "workspace",
    place: byWorkspace,
    // That an account ended is told after it is hidden.
    erased: {
      account: { key: { id: "text" }, except: "event_type = 'inbox.account_moved'" },
      workspace: { key: { id: "text" } }
    },
    kept: "store"
  },
  {
    name: "audit_events",
    owner: "workspace",
    place: byWorkspace,
    erased: { workspace: { key: { id: "text" } } },
    // Triggers refuse to remove what is younger, by the clock of the installation.
    kept: { days: auditDays, since: "at", key: ["id"], before: "audit_kept_since()" }
  },
  {
    name: "item_hours",
    owner: "workspace",
    place: byWorkspace,
    erased: { workspace: { key: { hour: "timestamptz" } } },
    // All old hours of a workspace go together: one or two with each sweep.
    kept: { days: itemHourDays, since: "hour", key: [] }
  },
  {
    name: "outbound_operations",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { id: "text" } } },
    kept: { days: replyRowDays, since: "ended_at", key: ["id"] }
  },
  {
    name: "posts",
    owner: "workspace",
    place: byWorkspace,
    erased: { workspace: { key: { id: "text" } } },
    kept: { days: postRowDays, since: "ended_at", key: ["id"] }
  },
  {
    name: "post_targets",
    owner: "account",
    place: byWorkspace,
    // Those of a draft may name accounts that never were, or are being erased: such a draft has nothing else, maybe.
    erased: { account: { key: { id: "text" }, except: "network IS NULL" }, workspace: { key: { id: "text" } } },
    kept: { days: postRowDays, since: "ended_at", key: ["id"] }
  },
  {
    name: "media_contexts",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { post_id: "text" } } },
    kept: { days: mediaContextDays, since: "fetched_at", key: ["account_id", "post_id"] }
  },
  // What deliveries say to an account is found by its units, so that they go last.
  {
    name: "webhook_units",
    owner: "account",
    place: byWorkspace,
    erased: { account: { key: { delivery_id: "text" } } },
    kept: "store"
  },
  { name: "erasures", owner: "workspace", place: byWorkspace, erased: "last", kept: "owner" }
] as const satisfies ReadonlyArray<Table>

export type TableName = (typeof tables)[number]["name"]

export const tableNames: ReadonlyArray<TableName> = tables.map(({ name }) => name)

/** The tables of which an erased owner's rows go in batches, and how they are walked. */
export const walksOf = (owner: "account" | "workspace"): ReadonlyArray<readonly [TableName, Walk]> =>
  tables.flatMap((table: Table & { readonly name: TableName }) => {
    const walk = typeof table.erased === "string" ? undefined : table.erased[owner]
    return walk === undefined ? [] : [[table.name, walk] as const]
  })
