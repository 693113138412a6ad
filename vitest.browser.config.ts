import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

const { exclude: _exclude, include: _include, ...shared } = base.test ?? {}

/** A storm of events, and every state of every page, take minutes: left out as what vitest.slow.config.ts calls long. */
const long = ["**/{everyState,storm}.browser.test.ts"]

/** In a real Chromium, against real hosts: `npm run test:browser`. */
export default defineConfig({
  ...base,
  test: {
    ...shared,
    name: "browser",
    include: ["examples/http-host/test/browser/**/*.browser.test.ts"],
    exclude: ["**/node_modules/**", ...(process.env["LOOPBOX_SLOW"] === "short" ? long : [])],
    // Half of the time of a file is waiting for its host, its networks and its clocks: two at a time fill two cores.
    maxWorkers: 2,
    isolate: true
  }
})
