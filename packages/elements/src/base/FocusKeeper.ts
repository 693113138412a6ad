import type { LitElement, ReactiveController } from "lit"

const focusable = "a[href], button, input, select, textarea, summary, video[controls], [tabindex]"

const isUsable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && !element.matches(":disabled") && element.checkVisibility()

/** What has the focus, through shadow roots. */
const focusedElement = (): Element | null => {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found
}

/** What takes the focus in a place that stayed; undefined where it is gone, or has nothing. */
const firstIn = (place: Element | ShadowRoot): HTMLElement | undefined => {
  if (place instanceof Element && !isUsable(place)) return undefined
  if (place instanceof HTMLElement && place.matches("[tabindex]")) return place
  const heading = place.isConnected ? place.querySelector("#content, h1") : null
  if (heading !== null && isUsable(heading)) {
    if (!heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1")
    return heading
  }
  return [...place.querySelectorAll(focusable)].find(
    (one): one is HTMLElement => isUsable(one) && !one.matches("[tabindex='-1']")
  )
}

/** What has the focus and what it stands in, from the inside out, through shadow roots as far as that of `host`. */
const placesAround = (focused: Element, host: Element): ReadonlyArray<Element | ShadowRoot> => {
  const places: Array<Element | ShadowRoot> = []
  let one: Node | null = focused
  while (one !== null && one !== host) {
    if (one instanceof Element || one instanceof ShadowRoot) places.push(one)
    one = one instanceof ShadowRoot ? one.host : one.parentNode
  }
  return places
}

/**
 * Keeps the focus of whoever works by keyboard. What had it may be taken away or switched off by its own click; a browser
 * then begins at the top of the page again. The focus goes to what is there instead: a heading where the page is another one,
 * else the first thing to use in the nearest place that stayed.
 */
export class FocusKeeper implements ReactiveController {
  readonly #element: LitElement
  /** What had the focus last, and what is around it, from the inside out. */
  #around: ReadonlyArray<Element | ShadowRoot> = []

  constructor(element: LitElement) {
    this.#element = element
    element.addController(this)
  }

  /** Follows the focus in the element's own tree. */
  follow(root: HTMLElement | DocumentFragment): void {
    root.addEventListener("focusin", (event) => {
      const [target] = event.composedPath()
      this.#around = target instanceof Element ? placesAround(target, this.#element) : []
    })
    // Put elsewhere by a click on nothing: it is not lost, and comes back to no place.
    root.addEventListener("focusout", () =>
      queueMicrotask(() => {
        const [last] = this.#around
        if (last instanceof Element && isUsable(last) && document.activeElement === document.body) this.#around = []
      })
    )
    // A dialog gives the focus back when it closes, or has nobody to give it to.
    root.addEventListener("close", () => this.hostUpdated(), true)
  }

  hostUpdated(): void {
    // After the browser gave it back to what opened a dialog.
    if (this.#around.length > 0) requestAnimationFrame(() => this.#look())
  }

  #look(): void {
    const [last] = this.#around
    if (!(last instanceof Element) || !this.#element.isConnected || isUsable(last)) return
    const focused = focusedElement()
    if (focused !== null && focused !== document.body && focused !== last) {
      this.#around = []
      return
    }
    for (const place of this.#around.slice(1)) {
      const found = firstIn(place)
      if (found === undefined) continue
      found.focus()
      return
    }
  }
}
