import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = globSync(["packages/*/src/**/*.ts", "examples/*/src/**/*.ts"], { cwd: root })
  .filter((file) => !file.startsWith("packages/testing/"))
  .map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")] as const)

/**
 * Fibers that nobody observes, and endless effects, outside of `supervised`: how many in which file, and why each may be.
 *
 * A loop that is forked bare ends in silence at its first defect. A new one belongs under `supervised`; what is listed here
 * ends by itself, or its end is told.
 */
const allowed: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "packages/adapters-http/src/node/sending/resolveNames.ts": [1, "one look-up; its exit goes to whoever waits"],
  "packages/adapters-http/src/server/access/remoteKeys.ts": [2, "one look each; its exit goes to whoever waits"],
  "packages/adapters-http/src/server/edge/Drain.ts": [1, "closes the sockets once, while the server stops"],
  "packages/adapters-http/src/server/system/readiness.ts": [1, "one look; its exit goes to whoever waits"],
  "packages/adapters-postgres/src/connection/PgSignalBus.ts": [
    1,
    "the inner loop of one connection, inside a supervised turn"
  ],
  "packages/adapters-postgres/src/connection/Pools.ts": [1, "closes the pool of a primary that was replaced"],
  "packages/adapters-postgres/src/connection/lookUpTogether.ts": [1, "one look; its exit goes to whoever waits"],
  "packages/adapters-postgres/src/connection/storeFailure.ts": [1, "one call, whose fiber the caller awaits"],
  "packages/adapters-postgres/src/connection/writeTogether.ts": [
    1,
    "writes until nothing waits for its key; each call gets its exit"
  ],
  "packages/adapters-postgres/src/embedded/EmbeddedPostgres.ts": [
    1,
    "restarts three times at most; its end fails `died`"
  ],
  "packages/core/src/access/Access.ts": [1, "one write, whose defect is logged"],
  "packages/core/src/connecting/attemptWork.ts": [1, "goes on without its browser; its exit goes to whoever waits"],
  "packages/core/src/feed/EventFeed.ts": [1, "until one follower is up to date; it is told of a defect"],
  "packages/core/src/inbox/MediaContexts.ts": [1, "one look; its exit goes to whoever waits"],
  "packages/core/src/jobs/watchEncoder.ts": [1, "one trial, whose defect is logged; another is made later"],
  "packages/core/src/kernel/lease/supervised.ts": [2, "the supervised loop itself"],
  "packages/core/src/moderation/moderateItem.ts": [1, "goes on without its caller; its exit goes to whoever waits"],
  "packages/core/src/outgoing/lanes/serveLane.ts": [
    2,
    "one attempt, whose end is kept or logged; and the writer of a lane, which ends with its claim"
  ],
  "packages/core/src/webhooks/lanes.ts": [1, "works until its lane is empty; each piece gets its exit"],
  "packages/embedded/src/ports/blobs.ts": [1, "looks at one write, and ends with it"]
}

const bare = /\bEffect\.(?:forkScoped|forkDetach|forkDaemon|forkIn|forever)\b/g

/** Where a loop gets its name. */
const loopNamed = /(?:supervised|supervisedStream)\(\s*"([^"]+)"|\bloop: "([^"]+)"|makeAwaitChange\([^"]+"([^"]+)"\)/g

describe("background loops", () => {
  it("are supervised, but for those that are listed with a reason", () => {
    const found = sources.flatMap(([file, text]) => {
      const count = text.match(bare)?.length ?? 0
      return count > 0 ? [[file, count] as const] : []
    })
    assert.deepStrictEqual(
      found.toSorted(),
      Object.entries(allowed)
        .map(([file, [count]]) => [file, count] as const)
        .toSorted()
    )
  })

  it("each have a name in the list, and each name is a loop", () => {
    const list = sources.find(([file]) => file.endsWith("kernel/lease/LoopName.ts"))?.[1] ?? ""
    const names = [...list.matchAll(/\| "([^"]+)"/g)].map(([, name]) => name)
    const used = sources.flatMap(([, text]) =>
      [...text.matchAll(loopNamed)].flatMap(([, ...groups]) => groups.filter((name) => name !== undefined))
    )
    assert.deepStrictEqual([...new Set(used)].toSorted(), names.toSorted())
  })
})
