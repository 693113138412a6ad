import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

const { exclude: _exclude, include: _include, ...shared } = base.test ?? {}

/** In a real Chromium, against real hosts: `npm run test:browser`. */
export default defineConfig({
  ...base,
  test: {
    ...shared,
    name: "browser",
    include: ["examples/http-host/test/browser/**/*.browser.test.ts"],
    // A storm of events takes two minutes; `bash .ci/run long` has it, as what vitest.slow.config.ts calls long.
    exclude: ["**/node_modules/**", ...(process.env["LOOPBOX_SLOW"] === "short" ? ["**/storm.browser.test.ts"] : [])],
    // Half of the time of a file is waiting for its host, its networks and its clocks: two at a time fill two cores.
    maxWorkers: 2,
    isolate: true
  }
})
