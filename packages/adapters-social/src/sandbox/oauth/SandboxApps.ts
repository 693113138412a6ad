import type { Network } from "../../names.ts"
import * as Redacted from "effect/Redacted"

/** Our app at a network, as its developer dashboard shows it. */
export interface SandboxApp {
  /** Instagram's and Threads' are other ones than that of Meta's app; X calls it client id. */
  readonly id: string
  /** Absent: a public client of X, which signs in by PKCE alone. */
  readonly secret?: Redacted.Redacted<string> | undefined
  /** X: the app's own bearer token. */
  readonly bearer?: Redacted.Redacted<string> | undefined
}

/** The apps of a sandbox unless it is told others. A host passes them to its connectors as well. */
export const sandboxApps: Record<Network, SandboxApp> = {
  instagram: { id: "990000000000001", secret: Redacted.make("sandbox-instagram-app-secret") },
  facebook: { id: "990000000000002", secret: Redacted.make("sandbox-meta-app-secret") },
  threads: { id: "990000000000003", secret: Redacted.make("sandbox-threads-app-secret") },
  x: {
    id: "sandbox-x-client-id",
    secret: Redacted.make("sandbox-x-client-secret"),
    bearer: Redacted.make("sandbox-x-bearer-token")
  }
}

/** What one may change of an app while it runs. */
interface AppState {
  /** Registered in the dashboard; none: the first one that is seen registers itself. */
  readonly redirectUri: string | undefined
  readonly isPinned: boolean
  readonly isInDevelopment: boolean
}

const fresh: AppState = { redirectUri: undefined, isPinned: false, isInDevelopment: false }

/** Everything before the last part of a path. */
const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/") + 1)

/** Our apps at the networks, and what their dashboards say. */
export class Apps {
  readonly of: (network: Network) => SandboxApp
  private readonly states = new Map<Network, AppState>()

  constructor(apps: Partial<Record<Network, SandboxApp>>) {
    this.of = (network) => apps[network] ?? sandboxApps[network]
  }

  readonly stateOf = (network: Network): AppState => this.states.get(network) ?? fresh

  readonly change = (
    network: Network,
    { isInDevelopment, redirectUri }: { readonly isInDevelopment?: boolean; readonly redirectUri?: string }
  ): void => {
    const before = this.stateOf(network)
    this.states.set(network, {
      isInDevelopment: isInDevelopment ?? before.isInDevelopment,
      ...(redirectUri === undefined
        ? { redirectUri: before.redirectUri, isPinned: before.isPinned }
        : { redirectUri, isPinned: true })
    })
  }

  /**
   * Whether the network sends people back to this address. One that was registered has to be the same in all its
   * characters. Otherwise the first one registers its folder: one app of Meta serves the logins of two networks.
   */
  readonly admits = (network: Network, redirectUri: string): boolean => {
    const state = this.stateOf(network)
    if (state.redirectUri === undefined) {
      if (!/^https?:\/\/[^?#\s]+$/.test(redirectUri)) return false
      this.states.set(network, { ...state, redirectUri })
      return true
    }
    if (state.isPinned) return state.redirectUri === redirectUri
    return !/[?#\s]/.test(redirectUri) && folderOf(state.redirectUri) === folderOf(redirectUri)
  }

  readonly isSecret = (network: Network, given: unknown): boolean => {
    const { secret } = this.of(network)
    return secret !== undefined && given === Redacted.value(secret)
  }
}
