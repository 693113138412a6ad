import type * as Layer from "effect/Layer"
import type { InboxPorts } from "./inboxFixtures.ts"
import { inboxIngestSuite } from "./inboxIngestSuite.ts"
import { inboxReadSuite } from "./inboxReadSuite.ts"
import { inboxScopeSuite } from "./inboxScopeSuite.ts"

/** What every adapter of the port InboxStore does. */
export const inboxStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) => {
  inboxIngestSuite(adapter, stores)
  inboxReadSuite(adapter, stores)
  inboxScopeSuite(adapter, stores)
}
