import { css, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { followInbox } from "../base/followInbox.ts"
import { messagesFor } from "../base/language.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"
import { englishUnread } from "../messages/english/unread.ts"
import { germanUnread } from "../messages/german/unread.ts"

/** Changes within so many milliseconds are counted with one request. */
const gatherMs = 500

const counted = new Set(["inbox.new_item", "inbox.item_updated", "inbox.item_deleted", "inbox.items_read"])
const moving = new Set(["inbox.account_moved", "account.disconnected", "account.connected", "resync_required"])

/**
 * `<loopbox-unread>`: how many items of others are unread, live; nothing where there are none. It tells `loopbox-unread` with
 * `{ count }` when that changes.
 */
export class LoopboxUnread extends LoopboxElement {
  static override properties: PropertyDeclarations = {
    ...LoopboxElement.properties,
    max: { type: Number },
    count: { attribute: false }
  }

  static override styles = [
    tokens,
    css`
      :host {
        display: inline-block;
      }

      span[part] {
        display: inline-block;
        min-inline-size: 1.25rem;
        padding-inline: 0.3125rem;
        border-radius: 99px;
        background: var(--lb-accent);
        color: var(--lb-on-accent);
        font-size: 0.75rem;
        font-weight: 700;
        font-variant-numeric: tabular-nums;
        line-height: 1.25rem;
        text-align: center;
      }
    `
  ]

  /** More than this is told as `99+`. */
  declare max: number
  /** Undefined until it is known. */
  declare count: number | undefined

  #following: AbortController | undefined
  #isGathering = false
  /** What the page was told last: a page that makes another `getToken` whenever it is told would be told for ever. */
  #told: number | undefined

  constructor() {
    super()
    this.max = 99
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate("client")
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#following?.abort()
    this.#following = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    const names = ["client", "baseUrl", "getToken", "inboxScope", "externalUserId", "workspaceId"]
    if (this.isConnected && names.some((name) => changed.has(name))) this.#begin()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { count, max } = this
    if (count === undefined || count === 0) return nothing
    const texts = messagesFor({ english: englishUnread, german: germanUnread }, this.language, this.messages)
    const shown = count > max ? `${max}+` : `${count}`
    return html`<span part="count" aria-hidden="true">${shown}</span
      ><span class="visually-hidden">${texts.unread(shown)}</span>`
  }

  #begin(): void {
    this.#following?.abort()
    this.#following = undefined
    // Somebody else may be reading now.
    this.count = undefined
    const client = this.loopbox
    if (client === undefined) return
    const following = new AbortController()
    this.#following = following
    const { scope, workspaceId } = this
    void this.#read()
    followInbox({
      client,
      scope,
      workspaceId,
      signal: following.signal,
      connected: () => this.#gather(),
      event: ({ type }) => {
        if (counted.has(type) || moving.has(type)) this.#gather()
      },
      refused: () => {
        this.count = undefined
      }
    })
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      void this.#read()
    }, gatherMs)
  }

  async #read(): Promise<void> {
    const following = this.#following
    if (following === undefined) return
    await this.loopbox?.inbox.countUnread({ ...this.scope }, { signal: following.signal }).then(
      ({ count }) => {
        if (following.signal.aborted) return
        this.count = count
        if (count === this.#told) return
        this.#told = count
        this.tell("loopbox-unread", { count })
      },
      // It stays as it was; the next event or connection asks again.
      () => undefined
    )
  }
}

if (customElements.get("loopbox-unread") === undefined) customElements.define("loopbox-unread", LoopboxUnread)
