import type { ConnectFailureCode } from "@loopbox/core/connecting/ConnectSession"
import type { Feature } from "@loopbox/core/networks/Feature"
import * as Schema from "effect/Schema"
import type { Hindrance } from "@loopbox/core/networks/NetworkConnect"

/** What went wrong, in one sentence, and what the person can do about it, in another. */
export interface Trouble {
  readonly title: string
  readonly happened: string
  readonly remedy: string
}

/** Troubles of a browser that has no session to show. */
export const PageTrouble = Schema.Literals([
  "link_unknown",
  "link_expired",
  "state_invalid",
  "deletion_unknown",
  "too_many",
  "too_large",
  "unavailable"
])
export type PageTrouble = typeof PageTrouble.Type

/** Every text of the pages, in one language. */
export interface Wording {
  readonly choosing: {
    readonly title: (network: string) => string
    /** Whom the accounts are connected with. */
    readonly intro: (workspace: string, network: string) => string
    /** Stands above the features. */
    readonly allowed: (workspace: string) => string
    readonly chooseOne: string
    readonly chooseSome: string
    readonly nothingChosen: string
    readonly submit: string
  }
  readonly features: Record<Feature, string>
  readonly hindrances: Record<Hindrance, string>
  readonly connected: {
    readonly title: string
    /** Stands above the names of the accounts. */
    readonly happened: (network: string, accounts: number) => string
    readonly remedy: string
  }
  /** While somebody works on it. */
  readonly waiting: Trouble
  readonly failures: Record<ConnectFailureCode, Trouble>
  readonly troubles: Record<PageTrouble, Trouble>
  readonly deletion: {
    readonly title: string
    readonly underWay: string
    readonly done: string
    readonly requestedAt: string
    readonly completedAt: string
    readonly code: string
  }
  readonly tryAgain: string
  /** Stands before what a person may quote to somebody who helps. */
  readonly reference: string
  /** How a time is written. */
  readonly locale: string
}
