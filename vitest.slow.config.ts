import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Scale, kills, long seeds: one file after another, because they measure and crowd the machine. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["packages/*/test/**/*.slow.test.ts", "examples/*/test/**/*.slow.test.ts"],
    exclude: ["**/node_modules/**"],
    fileParallelism: false,
    // Its memory and its pauses are measured, so each begins with a process of its own.
    isolate: true,
    testTimeout: 600_000,
    hookTimeout: 300_000
  }
})
