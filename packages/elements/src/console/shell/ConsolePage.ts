import type { Loopbox } from "@loopbox/client"
import type { TemplateResult } from "lit"
import type { ConsoleMessages } from "../../messages/english/console.ts"
import type { IconName } from "../../parts/icon.ts"
import type { ConsoleHost, ConsoleSession } from "./ConsoleHost.ts"
import type { PageId, Route } from "./routes.ts"

/** What a page is given. */
export interface PageContext {
  readonly host: ConsoleHost
  /** The API for the operator of `workspaceId`; another object for another workspace. */
  readonly client: Loopbox
  readonly workspaceId: string
  readonly session: ConsoleSession
  readonly language: string
  readonly texts: ConsoleMessages
  readonly route: Route
  /** Goes to another address, which "back" leaves again; `replace` for one that changes as one types. */
  readonly go: (page: PageId, rest?: string, query?: Readonly<Record<string, string>>, replace?: boolean) => void
}

/** A page of the console. It is loaded when it is opened for the first time. */
export interface ConsolePage {
  readonly icon: IconName
  /** Whether it fills the window and scrolls by itself. */
  readonly isWide?: boolean
  readonly isShown?: (session: ConsoleSession) => boolean
  readonly load: () => Promise<(context: PageContext) => TemplateResult>
}
