import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"

/** More than any page of ours has places to stop at. */
const mostTabs = 200

/** Where the focus is, for whoever reads a failure; and whether it is to be seen. Runs in the page. */
const lookAtFocus = () => {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  if (one === null || one === document.body) return { name: "nothing", isSeen: true }
  // Within its controls the browser shows the focus by itself.
  if (one instanceof HTMLMediaElement) return { name: "a video", isSeen: true }
  const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(one)
  const isMarked = (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none"
  const name = `${one.tagName.toLowerCase()} "${(one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40)}"`
  return { name, isSeen: isMarked }
}

const hasFocus = async (target: Locator): Promise<boolean> =>
  (await target.count()) > 0 && (await target.first().evaluate((one) => one.matches(":focus")))

/** Moves the focus as somebody without a pointer does, until it is on the target; it is seen wherever it stops. */
export const tabTo = async (page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  await target.first().waitFor()
  const passed: Array<string> = []
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    const { isSeen, name } = await page.evaluate(lookAtFocus)
    assert.isTrue(isSeen, `the focus is not seen on ${name}`)
    passed.push(name)
  }
  assert.fail(`Tab does not come to ${target}: ${passed.slice(-60).join(", ")}`)
}

/** Goes to it by Tab, and presses a key there. */
export const pressOn = async (page: Page, target: Locator, key = "Enter"): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Goes to a field by Tab, and types. */
export const typeInto = async (page: Page, target: Locator, text: string): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type(text)
}

/** Once what was asked for has happened, whoever works by keyboard goes on from somewhere: the focus is on something that is seen. */
export const assertFocusKept = async (page: Page, after: string): Promise<void> => {
  // The focus comes back with the next picture that is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const { isSeen, name } = await page.evaluate(lookAtFocus)
  assert.notStrictEqual(name, "nothing", `the focus is lost after ${after}`)
  assert.isTrue(isSeen, `the focus is not seen on ${name} after ${after}`)
}
