import { blobStoreContract } from "@loopbox/testing/conformance/BlobStoreContract"
import { blobStore } from "../../src/ports/blobs.ts"
import { mapBlobs } from "./mapBlobs.ts"

blobStoreContract("plain functions over a Map", blobStore(mapBlobs()))
