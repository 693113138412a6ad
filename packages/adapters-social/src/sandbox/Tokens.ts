import type { Network } from "@loopbox/core/connectors/Source"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SandboxAccount } from "./Writing.ts"
import { digitsOf } from "./worldIds.ts"

/** What a token stands for. */
export interface Grant {
  readonly network: Network
  readonly accountId: string
  readonly token: string
  /** Everything, where none are named. */
  readonly scopes: ReadonlyArray<string> | undefined
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: Option.Option<DateTime.Utc>
  readonly isRevoked: boolean
}

/** What happens to all present tokens of an account; those it gets later are sound. */
export const TokenChange = Schema.Struct({
  account_id: Schema.optionalKey(Schema.String),
  state: Schema.Literals(["valid", "expired", "revoked"]),
  /** Permissions that they lack from now on. */
  without_scopes: Schema.optionalKey(Schema.Array(Schema.String))
})
export type TokenChange = typeof TokenChange.Type

interface Renewal {
  readonly network: Network
  readonly accountId: string
  readonly scopes: ReadonlyArray<string> | undefined
}

/** Beyond this the oldest are forgotten. */
const mostGrants = 10_000

/** The tokens that the networks have given out, or know from an account that was connected with one. */
export class Tokens {
  private readonly grants = new Map<string, Grant>()
  /** X: what renews a token, once. */
  private readonly renewals = new Map<string, Renewal>()
  /** Per account what `change` took away. */
  private readonly missing = new Map<string, ReadonlyArray<string>>()
  private made = 0
  private readonly seed: number

  constructor(seed: number) {
    this.seed = seed
  }

  /** Makes an account's tokens known, beside those that it has; one that is known stays what it is. */
  readonly know = (account: SandboxAccount, at: DateTime.Utc): void => {
    const { accessToken, accountId, network, refreshToken, scopes } = account
    const token = Redacted.value(accessToken)
    if (!this.grants.has(key(network, token))) {
      const expiresAt = Option.fromUndefinedOr(account.expiresAt)
      this.keep({ network, accountId, token, scopes, issuedAt: at, expiresAt, isRevoked: false })
    }
    if (refreshToken !== undefined) this.renewals.set(Redacted.value(refreshToken), { network, accountId, scopes })
  }

  /** Also those that are dead. */
  readonly find = (network: Network, token: string): Option.Option<Grant> =>
    Option.fromUndefinedOr(this.grants.get(key(network, token)))

  /** A new token with the rights of an old one; the old one goes on until its end. */
  readonly issue = (of: Renewal, life_s: number, at: DateTime.Utc): Grant =>
    this.keep({
      network: of.network,
      accountId: of.accountId,
      token: this.fresh("access"),
      scopes: of.scopes,
      issuedAt: at,
      expiresAt: Option.some(DateTime.add(at, { seconds: life_s })),
      isRevoked: false
    })

  /** Whom a refresh token renews, and the one that takes its place: each can be used once. */
  readonly rotate = (refreshToken: string): Option.Option<{ readonly renewal: Renewal; readonly next: string }> => {
    const renewal = this.renewals.get(refreshToken)
    if (renewal === undefined) return Option.none()
    this.renewals.delete(refreshToken)
    const next = this.fresh("refresh")
    this.renewals.set(next, renewal)
    return Option.some({ renewal, next })
  }

  /** How many tokens it was about. A revoked account's refresh tokens are dead too. */
  readonly change = (
    network: Network,
    { account_id, state, without_scopes = [] }: TokenChange,
    at: DateTime.Utc
  ): number => {
    const isMeant = (one: { readonly network: Network; readonly accountId: string }) =>
      one.network === network && (account_id === undefined || one.accountId === account_id)
    const meant = [...this.grants.values()].filter(isMeant)
    for (const grant of meant) {
      this.missing.set(key(network, grant.token), without_scopes)
      this.keep({
        ...grant,
        expiresAt: state === "expired" ? Option.some(at) : state === "valid" ? Option.none() : grant.expiresAt,
        isRevoked: state === "revoked"
      })
    }
    if (state === "revoked") {
      for (const [token, renewal] of this.renewals) if (isMeant(renewal)) this.renewals.delete(token)
    }
    return meant.length
  }

  readonly permits = (grant: Grant, scope: string): boolean =>
    grant.scopes?.includes(scope) !== false &&
    this.missing.get(key(grant.network, grant.token))?.includes(scope) !== true

  private fresh(kind: string): string {
    this.made++
    return `sandbox-${kind}-${digitsOf(`${this.seed} ${kind} ${this.made}`, 30)}`
  }

  private keep(grant: Grant): Grant {
    this.grants.set(key(grant.network, grant.token), grant)
    for (const oldest of this.grants.keys()) {
      if (this.grants.size <= mostGrants) break
      this.grants.delete(oldest)
      this.missing.delete(oldest)
    }
    return grant
  }
}

const key = (network: Network, token: string): string => `${network} ${token}`

export const isExpired = ({ expiresAt }: Grant, at: DateTime.Utc): boolean =>
  Option.exists(expiresAt, (end) => DateTime.isLessThanOrEqualTo(end, at))
