import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Those whose names end so, in a folder. */
const slow = (folder: string) => `${folder}/**/*.slow.test.ts`

/** Nothing but computing on clocks of their own, and one GIF after another. */
const computing = ["testing", "core", "adapters-social", "adapters-ffmpeg"].map((name) => slow(`packages/${name}/test`))

/** Kills and faults of hosts: each waits for leases and pauses for more than half of its time. */
const kills = [
  "examples/http-host/test/{connectKills,connectRaces,inboxKills,inboxOrder,kills,overlayKills}.slow.test.ts",
  "examples/http-host/test/{databaseFaults,machineFaults,postKills,replyKills,soak}.slow.test.ts",
  "packages/adapters-postgres/test/stores/outgoing/deliveryKills.slow.test.ts"
]

/** They measure the memory of a host, or have two releases of it beside each other. */
const crowding = ["examples/http-host/test/{memory,sideBySide,strangers}.slow.test.ts"]

/** Hosts, commands and servers as processes of their own, and the checks of this house: half of it is waiting. */
const servers = [
  "packages/adapters-postgres/test/{durability,embedded/{EmbeddedPostgres,embeddedFaults}}.slow.test.ts",
  "packages/adapters-postgres/test/operations/{erasing,upgrade}.slow.test.ts"
]

/** Thousands of rows, of which they count what is read and told. */
const rows = [
  "packages/adapters-postgres/test/stores/{batches,inbox/{growth,rareWords,searchLookUps}}.slow.test.ts",
  "packages/adapters-postgres/test/stores/{outgoing/firstStatistics,sync/{pollBacklog,webhookBacklog}}.slow.test.ts"
]

/** Plans over a million rows: they count pages, not time, and half a minute of each is one connection that fills tables. */
const plans = ["packages/adapters-postgres/test/stores/**/{*Plans,plans,backlog}.slow.test.ts"]

/**
 * They take minutes for what is rare, or seldom changed: more seeds, more bugs that are planted, more that is spoilt at random, a
 * million rows, every pair of formats, alarms one by one, kills of which `kills`, `postKills` and `replyKills` are much alike.
 * `LOOPBOX_SLOW=short` leaves them out, as `.ci/run` does; `bash .ci/run long` does not.
 */
const long = [
  "packages/testing/test/simulation/{,background/}*.slow.test.ts",
  "packages/testing/test/simulation/{planted/wholeBugs,seeds/{second,third,fourth}Quarter}.slow.test.ts",
  "packages/{core/test/media/gif/gifFuzz,embedded/test/fuzz/api,adapters-social/test/webhookFuzz}.slow.test.ts",
  "packages/adapters-ffmpeg/test/{corpusOldest,OverlayEncoder}.slow.test.ts",
  "examples/embedded/test/next.slow.test.ts",
  "examples/http-host/test/operations/{alarmsOfRows,alarmsOfWork}.slow.test.ts",
  "examples/http-host/test/{connectKills,overlayKills,soak}.slow.test.ts",
  "packages/adapters-postgres/test/stores/outgoing/deliveryKills.slow.test.ts",
  ...plans
]
const processes = [
  slow("examples/*/test"),
  slow("scripts/test"),
  slow("packages/embedded/test"),
  ...servers,
  ...rows,
  ...plans
]

const { exclude: _exclude, globalSetup = [], include: _include, isolate = true, ...shared } = base.test ?? {}
// Two more than there are cores: beside those that compute, most wait for half of their time.
const limits = { testTimeout: 600_000, hookTimeout: 300_000, maxWorkers: availableParallelism() + 2 }
const exclude = ["**/node_modules/**", ...(process.env["LOOPBOX_SLOW"] === "short" ? long : [])]

// Of a million rows there are several copies, more than memory has room for.
if (process.env["LOOPBOX_SLOW"] !== "short") process.env["LOOPBOX_TEST_CLUSTER"] ??= process.env["LOOPBOX_TEST_DISK"]

export default defineConfig({
  ...base,
  test: {
    ...shared,
    ...limits,
    projects: [
      {
        extends: true,
        // None of these has a database. They compute while files of the next two wait.
        test: { name: "side by side", include: computing, exclude, isolate, sequence: { groupOrder: 1 } }
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: processes,
          exclude: [...exclude, ...kills, ...crowding],
          globalSetup,
          isolate,
          sequence: { groupOrder: 1 }
        }
      },
      {
        extends: true,
        test: {
          name: "kills",
          include: kills,
          exclude,
          globalSetup,
          // Each file in a process of its own.
          isolate: true,
          sequence: { groupOrder: 1 }
        }
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: [slow("packages/*/test"), ...crowding],
          exclude: [...exclude, ...computing, ...servers, ...rows, ...plans, ...kills, slow("packages/embedded/test")],
          globalSetup,
          isolate: true,
          fileParallelism: false,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
