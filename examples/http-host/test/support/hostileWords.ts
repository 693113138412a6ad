import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { assertFits } from "./chromium.ts"

/** Would say so in the window of a page that runs it. */
export const markup = `<img src=x onerror="window.taken=1"><script>window.taken=1</script><svg onload="window.taken=1">`

/** Turns what follows it around, where nothing keeps it apart. */
export const rightToLeft = "\u202E"

/** Addresses in a page, its shadows too, that would run something. */
const dangerous = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const found: Array<string> = []
    const look = (root: Document | ShadowRoot): void => {
      for (const one of root.querySelectorAll("*")) {
        for (const { name, value } of one.attributes) {
          if (name.startsWith("on") || (/^(?:href|src|action|formaction)$/.test(name) && /^\s*\w*script:/i.test(value)))
            found.push(`${name}=${value}`)
        }
        if (one.shadowRoot !== null) look(one.shadowRoot)
      }
    }
    look(document)
    return found
  })

/** Nothing of it ran, nothing of it became markup, and the page still answers. */
export const assertHarmless = async (page: Page, what: string): Promise<void> => {
  assert.isFalse(await page.evaluate(() => "taken" in window), what)
  assert.deepStrictEqual(await dangerous(page), [], what)
  await assertFits(page, what)
}
