import { authorProfilesContract } from "@loopbox/testing/conformance/AuthorProfilesContract"
import { inboxEventsContract } from "@loopbox/testing/conformance/InboxEventsContract"
import { inboxStoreContract } from "@loopbox/testing/conformance/InboxStoreContract"
import { ingestStoreContract } from "@loopbox/testing/conformance/IngestStoreContract"
import { mediaContextStoreContract } from "@loopbox/testing/conformance/MediaContextStoreContract"
import { threadStoreContract } from "@loopbox/testing/conformance/ThreadStoreContract"
import { unreadCountersContract } from "@loopbox/testing/conformance/UnreadCountersContract"
import { Layer } from "effect"
import { LargestWithCopies } from "../../../src/stores/inbox/threads.ts"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()
const largeThreads = Layer.provide(stores, Layer.succeed(LargestWithCopies, 1))

inboxStoreContract("postgres", stores)
ingestStoreContract("postgres", stores)
inboxStoreContract("postgres, threads large from their second item", largeThreads)
ingestStoreContract("postgres, threads large from their second item", largeThreads)
threadStoreContract("postgres", stores)
threadStoreContract("postgres, threads large from their second item", largeThreads)
unreadCountersContract("postgres", stores)
inboxEventsContract("postgres", stores)
authorProfilesContract("postgres", stores)
mediaContextStoreContract("postgres", stores)
