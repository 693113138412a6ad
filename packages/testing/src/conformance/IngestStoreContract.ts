import type * as Layer from "effect/Layer"
import type { InboxPorts } from "../fixtures/inboxFixtures.ts"
import { inboxIngestSuite } from "./suites/inboxIngestSuite.ts"
import { missingItemsSuite } from "./suites/missingItemsSuite.ts"

/** What every adapter of the port IngestStore does. */
export const ingestStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) => {
  inboxIngestSuite(adapter, stores)
  missingItemsSuite(adapter, stores)
}
