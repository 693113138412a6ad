// Removes what came with packages and is read by nothing here: more than a quarter of what an install takes on the
// disk. Every package keeps its package.json, so that npm takes it for what it is. Plain JavaScript of Node 18, because it
// runs as a part of `npm ci`; where it does not (ignore-scripts), nothing is missing.
import { fileURLToPath } from "node:url"
import { dropUnread } from "./unreadFiles.mjs"

dropUnread(fileURLToPath(new URL("../node_modules", import.meta.url)))
