import { afterAll } from "vitest"
import { startChromium } from "./chromium.ts"
import { makeVisits } from "./consoleVisit.ts"
import { startHost, type Variables } from "./hostProcess.ts"
import { preparedFolder } from "./preparedFolder.ts"

/** A host and a browser of a test file's own, and visits to that host's console; all of it ends after its tests. */
export const startConsoleHost = async (variables: Variables = {}) => {
  const places = await preparedFolder()
  const host = await startHost(places.folder, variables)
  const browser = await startChromium()
  afterAll(async () => {
    await browser.close()
    await host.stop()
    places.remove()
  })
  return { host, places, ...makeVisits(browser, places.folder) }
}
