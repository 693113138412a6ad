import type { Network } from "../../names.ts"

/** What a person has allowed our app so far. */
export interface Consent {
  readonly granted: ReadonlySet<string>
  readonly declined: ReadonlySet<string>
  /** Absent: all accounts, those to come included. */
  readonly accountIds: ReadonlySet<string> | undefined
}

const nothing: Consent = { granted: new Set(), declined: new Set(), accountIds: undefined }

/** The apps' permissions as people see them in their settings. */
export class Consents {
  private readonly consents = new Map<string, Consent>()

  readonly of = (network: Network, personId: string): Consent => this.consents.get(`${network} ${personId}`) ?? nothing

  /** What was granted before stays, unless it was unticked now. */
  readonly allow = (
    network: Network,
    personId: string,
    asked: ReadonlyArray<string>,
    granted: ReadonlyArray<string>,
    accountIds: ReadonlyArray<string> | undefined
  ): Consent => {
    const before = this.of(network, personId)
    const now = new Set(
      [...before.granted, ...asked].filter((scope) => granted.includes(scope) || !asked.includes(scope))
    )
    const consent: Consent = {
      granted: now,
      declined: new Set([...before.declined, ...asked].filter((scope) => !now.has(scope))),
      accountIds: accountIds === undefined ? undefined : new Set(accountIds)
    }
    this.consents.set(`${network} ${personId}`, consent)
    return consent
  }

  readonly withdraw = (network: Network, personId: string, scopes: ReadonlyArray<string>): void => {
    const { accountIds, declined, granted } = this.of(network, personId)
    this.consents.set(`${network} ${personId}`, {
      accountIds,
      granted: new Set([...granted].filter((scope) => !scopes.includes(scope))),
      declined: new Set([...declined, ...scopes.filter((scope) => granted.has(scope))])
    })
  }

  /** The person removes the app. */
  readonly remove = (network: Network, personId: string): void => {
    this.consents.delete(`${network} ${personId}`)
  }
}
