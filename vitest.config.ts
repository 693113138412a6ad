import { availableParallelism, tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./scripts/test/LongestFirst.ts"
import { makeMemoryFolder } from "./scripts/test/memoryFolder.ts"

const conditions = ["@loopbox/source"]

// For the workers and all processes that tests start: the folder of a checkout's host (examples/http-host/bin). Without it
// each of them compiles effect anew.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/loopbox-modules", import.meta.url))

// Where the tests keep their databases and folders, half a gibibyte at most, and where what is too large for memory belongs.
const disk = tmpdir()
process.env["LOOPBOX_TEST_DISK"] ??= disk
process.env["TMPDIR"] ??= makeMemoryFolder(2) ?? disk

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The global setup is loaded outside of both.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    globalSetup: ["packages/adapters-postgres/test/globalSetup.ts"],
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.slow.test.ts", "**/*.browser.test.ts"],
    // One more than there are cores: half of what the tests do is waiting for processes and sockets.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // A worker loads effect and what is tested once, not for each file: half of the processor time. So what a module keeps is
    // kept from file to file; a test may not rely on it.
    isolate: false,
    // Against what hangs. How long a test takes is the machine's affair, and other work on it may make it ten times that.
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
