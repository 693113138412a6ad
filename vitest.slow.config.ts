import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Nothing but computing on clocks of their own, and one GIF after another: as many files at once as there are cores. */
const sideBySide = ["testing", "adapters-social", "adapters-ffmpeg"].map(
  (name) => `packages/${name}/test/**/*.slow.test.ts`
)

const { exclude: _exclude, globalSetup = [], include: _include, isolate = true, ...shared } = base.test ?? {}
const limits = { testTimeout: 600_000, hookTimeout: 300_000 }
const exclude = ["**/node_modules/**"]

export default defineConfig({
  ...base,
  test: {
    ...shared,
    ...limits,
    projects: [
      {
        extends: true,
        // None of these has a database.
        test: { name: "side by side", include: sideBySide, exclude, isolate, sequence: { groupOrder: 1 } }
      },
      {
        extends: true,
        test: {
          // Scale and kills, each file in a process of its own: they measure and crowd the machine.
          name: "alone",
          include: ["packages/*/test/**/*.slow.test.ts", "examples/*/test/**/*.slow.test.ts"],
          exclude: [...exclude, ...sideBySide],
          globalSetup,
          isolate: true,
          fileParallelism: false,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
