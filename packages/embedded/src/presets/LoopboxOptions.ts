import type * as Duration from "effect/Duration"
import type { Blobs } from "../ports/blobs.ts"
import type { Identify } from "../ports/identity.ts"
import type { PlanSources } from "../ports/plans.ts"

/** An identity provider whose key set signs the tokens of the dashboard. */
export interface IdentityProvider {
  /** Of the key set: https, or http on the loopback. */
  readonly url: string
  readonly issuer: string
  readonly audience: string
  /** The claim that names the workspace: `workspace_id`. */
  readonly workspaceClaim?: string
}

/** An app of ours at a network. */
export interface AppOptions {
  readonly id?: string
  /** The newest first: it signs, and all of them are taken. */
  readonly secrets?: ReadonlyArray<string>
}

/** The real networks, and our apps there. Without apps accounts are reached by tokens that are handed over. */
export interface LiveNetworks {
  /** Facebook Pages, and Instagram by Facebook's login. */
  readonly meta?: AppOptions & { readonly verifyToken?: string; readonly apiVersion?: string }
  /** Instagram's own login. */
  readonly instagram?: AppOptions
  readonly threads?: AppOptions & { readonly verifyToken?: string }
  readonly x?: {
    readonly clientId?: string
    readonly clientSecret?: string
    /** Sign what X delivers; the newest first. */
    readonly consumerSecrets?: ReadonlyArray<string>
    readonly bearerToken?: string
  }
  /** Servers in the place of a network's own. */
  readonly baseUrls?: Partial<Record<"instagram" | "facebook" | "threads" | "x", string>>
}

/** The API that the mounts serve. */
export interface ApiOptions {
  /** For `/v1/admin`; without one these endpoints are 404. At least 32 characters. */
  readonly adminToken?: string | undefined
  /** Origins whose pages may call, as `https://app.example`. None. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Requests of one key in this process. 100 a second, 200 at once. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | "off"
}

/** How long functions of yours are waited for, as `"10 seconds"` or in milliseconds; then they count as not available. */
export interface FunctionTimeouts {
  /** An answer of `identity`. 5 seconds. */
  readonly identity?: Duration.Input
  /** Each answer of `blobs`, and each chunk. 30 seconds. */
  readonly blobs?: Duration.Input
}

/** What `createLoopbox` is built of, as plain values. What is left out is said beside it. */
export interface LoopboxOptions {
  /**
   * A PostgreSQL server, as `postgresql://…`; with a standby both, as `postgresql://user:password@one,two/database`. Needs
   * `secretKeys`. Without it and `data` everything is in memory.
   */
  readonly databaseUrl?: string | undefined
  /** The database itself, where `databaseUrl` is a pooler that lends connections by transaction, as PgBouncer does. */
  readonly listenerUrl?: string | undefined
  /** A folder for an embedded PostgreSQL, where there is no `databaseUrl`, and for files and secret keys. */
  readonly data?: string
  /** `id:<32 bytes in base64>`, the newest first, parted by commas: seal tokens of accounts, and sign links. */
  readonly secretKeys?: string | undefined
  /** Where the mounts are reached from outside, prefix included. Links go to the address of the request that asks. */
  readonly publicUrl?: string | undefined
  /**
   * A folder, `s3://bucket/prefix?region=&endpoint=&path_style=` with credentials from the usual AWS variables, or a store
   * of your own. `<data>/blobs`, or the memory.
   */
  readonly blobs?: string | Blobs
  /** Whether this process converts, and by which ffmpeg (a path). False: jobs wait for a process that does. */
  readonly ffmpeg?: boolean | string
  /** `none`: nobody is called. `sandbox`: simulated ones, on a free port of the loopback. */
  readonly networks?: "none" | "sandbox" | "live" | LiveNetworks
  /** Who a dashboard token belongs to. Without it all of them are refused. */
  readonly identity?: Identify | IdentityProvider
  /** The inbox sources of plans; of a plan that is not named, as before. */
  readonly plans?: PlanSources
  /** Whether this process works off jobs, polls and deliveries; some process must. True. */
  readonly workers?: boolean
  readonly api?: ApiOptions
  readonly timeouts?: FunctionTimeouts
}
