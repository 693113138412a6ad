import type * as Layer from "effect/Layer"
import type { InboxPorts } from "../fixtures/inboxFixtures.ts"
import { inboxReadSuite } from "./suites/inboxReadSuite.ts"
import { inboxSearchSuite } from "./suites/inboxSearchSuite.ts"
import { inboxScopeSuite } from "./suites/inboxScopeSuite.ts"

/** What every adapter of the port InboxStore does. */
export const inboxStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) => {
  inboxReadSuite(adapter, stores)
  inboxScopeSuite(adapter, stores)
  inboxSearchSuite(adapter, stores)
}
