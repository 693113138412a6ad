import type * as Layer from "effect/Layer"
import type { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import type { InboxPorts } from "../fixtures/inboxFixtures.ts"
import { threadLabelsSuite } from "./suites/threadLabelsSuite.ts"
import { threadListSuite } from "./suites/threadListSuite.ts"
import { threadSearchSuite } from "./suites/threadSearchSuite.ts"
import { threadNotesSuite } from "./suites/threadNotesSuite.ts"
import { threadUpkeepSuite } from "./suites/threadUpkeepSuite.ts"

/** What every adapter of the port ThreadStore does. */
export const threadStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) => {
  threadListSuite(adapter, stores)
  threadSearchSuite(adapter, stores)
  threadUpkeepSuite(adapter, stores)
  threadLabelsSuite(adapter, stores)
  threadNotesSuite(adapter, stores)
}
