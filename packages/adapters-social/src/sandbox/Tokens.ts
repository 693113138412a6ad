import type { Network } from "../names.ts"
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
  /** Of Instagram or Threads: it is exchanged for a long one, and never renewed. */
  readonly isShortLived: boolean
  /** X: the refresh token at its beginning. */
  readonly family: string | undefined
  readonly isRevoked: boolean
  /** Why Meta says that it is dead, where it was revoked. */
  readonly subcode?: number | undefined
  /** The app that got it by a dialog; absent of one that is only known. */
  readonly clientId?: string | undefined
  /** Facebook: who signed in. The token of a person has the same id as its account. */
  readonly personId?: string | undefined
}

/** What happens to all present tokens of an account; those it gets later are sound. */
export const TokenChange = Schema.Struct({
  account_id: Schema.optionalKey(Schema.String),
  state: Schema.Literals(["valid", "expired", "revoked"]),
  /** Valid ones end so many seconds from now; left out: never. */
  expires_in_s: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 }))),
  /** Permissions that they lack from now on. */
  without_scopes: Schema.optionalKey(Schema.Array(Schema.String))
})
export type TokenChange = typeof TokenChange.Type

interface Renewal {
  readonly network: Network
  readonly accountId: string
  readonly scopes: ReadonlyArray<string> | undefined
  readonly family?: string | undefined
  readonly clientId?: string | undefined
  readonly personId?: string | undefined
}

const hour_s = 3_600

/**
 * How long a token lives that comes without an end. A Page's has none; one of X has two hours, unless nobody could renew
 * it: a first look at the simulated networks shall not end so soon.
 */
const lifeOf = ({ isShortLived, network, refreshToken }: SandboxAccount): number | undefined => {
  if (network === "facebook") return undefined
  if (network === "x") return refreshToken === undefined ? undefined : 2 * hour_s
  return isShortLived === true ? hour_s : 60 * 24 * hour_s
}

/** Beyond this the oldest are forgotten. */
const mostGrants = 10_000

/** The tokens that the networks have given out, or know from an account that was connected with one. */
export class Tokens {
  private readonly grants = new Map<string, Grant>()
  /** X: what renews a token, once. */
  private readonly renewals = new Map<string, Renewal>()
  /** X: those that have renewed a token, with their families. */
  private readonly used = new Map<string, string>()
  /** Per account what `change` took away. */
  private readonly missing = new Map<string, ReadonlyArray<string>>()
  /** Facebook: by the person's token and the Page. */
  private readonly pageTokens = new Map<string, string>()
  private made = 0
  private readonly seed: number

  constructor(seed: number) {
    this.seed = seed
  }

  /** Makes an account's tokens known, beside those that it has; one that is known stays what it is. */
  readonly know = (account: SandboxAccount, at: DateTime.Utc): void => {
    const { accessToken, accountId, isShortLived = false, network, refreshToken, scopes } = account
    const token = Redacted.value(accessToken)
    const renewedBy = refreshToken === undefined ? undefined : Redacted.value(refreshToken)
    if (!this.grants.has(key(network, token))) {
      const life_s = lifeOf(account)
      const end = account.expiresAt ?? (life_s === undefined ? undefined : DateTime.add(at, { seconds: life_s }))
      const expiresAt = Option.fromUndefinedOr(end)
      const family = renewedBy
      this.keep({
        network,
        accountId,
        token,
        scopes,
        issuedAt: account.issuedAt ?? at,
        expiresAt,
        isShortLived,
        family,
        isRevoked: false
      })
    }
    if (renewedBy !== undefined && !this.used.has(renewedBy) && !this.renewals.has(renewedBy)) {
      this.renewals.set(renewedBy, { network, accountId, scopes, family: renewedBy })
    }
  }

  /** Also those that are dead. */
  readonly find = (network: Network, token: string): Option.Option<Grant> =>
    Option.fromUndefinedOr(this.grants.get(key(network, token)))

  /** A new token with the rights of an old one, or of none yet; the old one goes on until its end. */
  readonly issue = (
    { accountId, clientId, family, network, personId, scopes }: Renewal,
    life_s: number | undefined,
    at: DateTime.Utc,
    isShortLived = false
  ): Grant => {
    const expiresAt = life_s === undefined ? Option.none() : Option.some(DateTime.add(at, { seconds: life_s }))
    const token = this.fresh("access")
    return this.keep({
      ...{ network, accountId, token, scopes, issuedAt: at, expiresAt, isShortLived, family },
      ...{ isRevoked: false, clientId, personId }
    })
  }

  /** Facebook: the token by which the app acts for a Page. One that comes of a short token ends with it, others never. */
  readonly pageToken = (person: Grant, pageId: string, at: DateTime.Utc): Grant => {
    const name = `${person.token} ${pageId}`
    const known = Option.flatMap(Option.fromUndefinedOr(this.pageTokens.get(name)), (token) =>
      this.find("facebook", token)
    )
    if (Option.isSome(known) && !known.value.isRevoked) return known.value
    const page = this.issue({ ...person, accountId: pageId, scopes: this.scopesOf(person) }, undefined, at)
    this.pageTokens.set(name, page.token)
    return person.isShortLived ? this.keep({ ...page, expiresAt: person.expiresAt }) : page
  }

  /** X: the first refresh token of a sign-in. */
  readonly beginFamily = (of: Renewal): string => {
    const first = this.fresh("refresh")
    this.renewals.set(first, { ...of, family: first })
    return first
  }

  /** Whom a refresh token would renew. */
  readonly findRenewal = (refreshToken: string): Option.Option<Renewal> =>
    Option.fromUndefinedOr(this.renewals.get(refreshToken))

  /**
   * Whom a refresh token renews, and the one that takes its place: each can be used once. A second use looks like theft,
   * and ends all tokens that came of the first one.
   */
  readonly rotate = (refreshToken: string): Option.Option<{ readonly renewal: Renewal; readonly next: string }> => {
    const renewal = this.renewals.get(refreshToken)
    if (renewal === undefined) {
      const stolen = this.used.get(refreshToken)
      if (stolen !== undefined) this.endFamily(stolen)
      return Option.none()
    }
    this.renewals.delete(refreshToken)
    const next = this.fresh("refresh")
    const family = renewal.family ?? refreshToken
    this.renewals.set(next, { ...renewal, family })
    this.used.set(refreshToken, family)
    for (const oldest of this.used.keys()) {
      if (this.used.size <= mostGrants) break
      this.used.delete(oldest)
    }
    return Option.some({ renewal: { ...renewal, family }, next })
  }

  /** How many tokens it was about. A revoked account's refresh tokens are dead too. */
  readonly change = (
    network: Network,
    { account_id, expires_in_s, state, without_scopes = [] }: TokenChange,
    at: DateTime.Utc
  ): number => {
    const isMeant = (one: { readonly network: Network; readonly accountId: string }) =>
      one.network === network && (account_id === undefined || one.accountId === account_id)
    const meant = [...this.grants.values()].filter(isMeant)
    const end = expires_in_s === undefined ? Option.none() : Option.some(DateTime.add(at, { seconds: expires_in_s }))
    for (const grant of meant) {
      this.missing.set(key(network, grant.token), without_scopes)
      this.keep({
        ...grant,
        expiresAt: state === "expired" ? Option.some(at) : state === "valid" ? end : grant.expiresAt,
        isRevoked: state === "revoked"
      })
    }
    if (state === "revoked") {
      for (const [token, renewal] of this.renewals) if (isMeant(renewal)) this.renewals.delete(token)
    }
    return meant.length
  }

  /** Ends one token, or all that came of a refresh token; one that nobody knows is no error. */
  readonly revoke = (network: Network, token: string): void => {
    const grant = this.grants.get(key(network, token))
    if (grant !== undefined) this.keep({ ...grant, isRevoked: true })
    const family = this.renewals.get(token)?.family
    if (family !== undefined) this.endFamily(family)
  }

  /** Ends all tokens of accounts, with the reason that Meta gives; how many lived. */
  readonly endAll = (network: Network, accountIds: ReadonlyArray<string>, subcode?: number): number => {
    for (const [token, one] of this.renewals) {
      if (one.network === network && accountIds.includes(one.accountId)) this.renewals.delete(token)
    }
    const ended = this.ofAccounts(network, accountIds).filter(({ isRevoked }) => !isRevoked)
    for (const grant of ended) this.keep({ ...grant, isRevoked: true, subcode })
    return ended.length
  }

  /** The present tokens of accounts lack these permissions too; how many tokens. */
  readonly withdraw = (network: Network, accountIds: ReadonlyArray<string>, scopes: ReadonlyArray<string>): number => {
    const meant = this.ofAccounts(network, accountIds)
    for (const { token } of meant) {
      const before = this.missing.get(key(network, token)) ?? []
      this.missing.set(key(network, token), [...new Set([...before, ...scopes])])
    }
    return meant.length
  }

  /** Also those that are dead, the oldest first. */
  readonly ofAccounts = (network: Network, accountIds: ReadonlyArray<string>): ReadonlyArray<Grant> =>
    [...this.grants.values()].filter((one) => one.network === network && accountIds.includes(one.accountId))

  /** Everything that was given out or is known, dead or alive: what nobody may read elsewhere. */
  readonly listSecrets = (): ReadonlyArray<string> => [
    ...new Set([...[...this.grants.values()].map(({ token }) => token), ...this.renewals.keys(), ...this.used.keys()])
  ]

  /** What a token permits by name; of one that permits everything, as many as are named. */
  readonly scopesOf = (grant: Grant, named: Iterable<string> = []): ReadonlyArray<string> =>
    (grant.scopes ?? [...named]).filter((scope) => this.permits(grant, scope))

  readonly permits = (grant: Grant, scope: string): boolean =>
    grant.scopes?.includes(scope) !== false &&
    this.missing.get(key(grant.network, grant.token))?.includes(scope) !== true

  private endFamily(family: string): void {
    for (const [token, renewal] of this.renewals) if (renewal.family === family) this.renewals.delete(token)
    for (const grant of this.grants.values()) if (grant.family === family) this.keep({ ...grant, isRevoked: true })
  }

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
