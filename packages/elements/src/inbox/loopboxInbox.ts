import { html, type PropertyValues, type TemplateResult } from "lit"
import { guard } from "lit/directives/guard.js"
import type { InboxMessages } from "../messages/english/inbox.ts"
import { emptyState } from "../parts/states.ts"
import { Arrivals, arrivalText } from "./Arrivals.ts"
import { banner } from "./banner.ts"
import { obstacleOf } from "./composer.ts"
import { contextPane } from "./contextPane.ts"
import { dialogs } from "./dialogs.ts"
import type { Filter } from "./Filter.ts"
import { InboxAttributes } from "./InboxAttributes.ts"
import { type Arrival, InboxStore } from "./InboxStore.ts"
import { inboxStyles } from "./inboxStyles.ts"
import type { InboxView } from "./InboxView.ts"
import { actionOf, type KeyAction } from "./keys.ts"
import { listPane } from "./listPane.ts"
import { measureText } from "./measureText.ts"
import type { Item, Thread } from "./records.ts"
import { runKey } from "./runKey.ts"
import { threadPane } from "./threadPane.ts"
import { isAtEnd, storageOf, ThreadScroll } from "./ThreadScroll.ts"
import { VirtualRows } from "./VirtualRows.ts"

const slowMs = 5_000
const searchMs = 250
const toldMs = 4_000
/** One pane has room. */
const narrowPx = 560
/** Three panes have. */
const widePx = 900
const tickMs = 20_000

/**
 * `<loopbox-inbox>`: conversations, the open one, and its context; live.
 *
 * Its state is in the attributes `thread`, `view`, `query`, `source`, `label` and `unread`, and in the events
 * `loopbox-select` and `loopbox-filter`, so that a page can keep it in its address.
 */
export class LoopboxInbox extends InboxAttributes {
  static override styles = inboxStyles

  #store: InboxStore | undefined
  readonly #rows = new VirtualRows(() => this.requestUpdate())
  readonly #scroll = new ThreadScroll(() => this.requestUpdate())
  #current: string | undefined
  /** As the reader chose; before that where there is room. */
  #details: boolean | undefined
  #isHelpOpen = false
  #deleting: Item | undefined
  #isSlow = false
  #reconnectUrl: string | undefined
  #told: string | undefined
  #searching: ReturnType<typeof setTimeout> | undefined
  #query: string | undefined
  readonly #arrivals = new Arrivals((items) => this.announce(arrivalText(this.texts, items)))
  #focusAfter: "composer" | "row" | "thread" | "network" | undefined
  #wasInList = false
  #focused: Element | null = null
  #width = 0
  #singleKeys: string | null = null
  readonly #resized = new ResizeObserver(([entry]) => this.#set(() => (this.#width = entry?.contentRect.width ?? 0)))
  #drawn = 0
  #ticking: ReturnType<typeof setInterval> | undefined
  /** Something else than the list's place may have changed; set before there are private members. */
  declare protected isStale: boolean
  readonly #onVisible = (): void => this.#read()

  constructor() {
    super()
    this.addEventListener("keydown", (event) => this.#onKey(event))
    this.addEventListener("focusin", () => {
      this.#current = this.#rowInFocus ?? this.#current
    })
  }

  override requestUpdate(...given: Parameters<InboxAttributes["requestUpdate"]>): void {
    this.isStale = true
    super.requestUpdate(...given)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    // "5 min" becomes "6 min".
    this.#resized.observe(this)
    this.#width = this.clientWidth
    this.#ticking = setInterval(() => this.#set(() => this.#store?.passTime()), tickMs)
    this.ownerDocument.addEventListener("visibilitychange", this.#onVisible)
    this.requestUpdate("client")
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#ticking)
    this.#resized.disconnect()
    this.ownerDocument.removeEventListener("visibilitychange", this.#onVisible)
    this.#store?.end()
    this.#store = undefined
  }

  get #isDetailsOpen(): boolean {
    return this.#details ?? this.#width >= widePx
  }

  get #hasSingleKeys(): boolean {
    const chosen = this.#singleKeys
    return chosen === "on" || (chosen !== "off" && this.singleKeys !== "off")
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isOther = ["client", "baseUrl", "getToken", "inboxScope", "externalUserId", "workspaceId", "agent"]
    if (this.isConnected && (this.#store === undefined || isOther.some((name) => changed.has(name)))) this.#begin()
    const filters = ["view", "query", "source", "label", "unread"]
    const store = this.#store
    if (store !== undefined && filters.some((name) => changed.has(name)) && !this.#isSame(store.list.filter)) {
      store.list.setFilter(this.filter)
      this.#rows.reset()
      this.#watchSlow()
    }
    if (store !== undefined && changed.has("thread")) this.#show(store)
    if (this.isStale) this.#drawn++
    if (this.isStale) this.#singleKeys = storageOf()?.getItem("loopbox:single-keys") ?? null
    this.isStale = false
    this.#wasInList = this.#rowInFocus !== null
    this.#focused = this.shadowRoot?.activeElement ?? null
    this.#scroll.before(this.renderRoot, store?.opened)
  }

  protected override render(): TemplateResult {
    const store = this.#store
    const texts = this.texts
    if (store === undefined) return emptyState({ heading: texts.notSetUp, text: texts.notSetUpText, icon: "warning" })
    const view = this.#viewOf(store, texts)
    const { list } = store
    this.#rows.keepPlace(
      (id) => list.indexOf(id),
      (from, to) => list.ids(from, to)
    )
    const hasThread = store.opened !== undefined
    return html`<div
        class="inbox ${hasThread ? "has-thread" : ""} ${this.#isDetailsOpen && hasThread ? "has-details" : ""}"
        part="inbox"
      >
        ${banner(view, this.#told)} ${listPane(view)}
        ${guard([this.#drawn], () => html`${threadPane(view)} ${contextPane(view)}`)}
      </div>
      ${dialogs(view)}`
  }

  protected override updated(): void {
    this.#scroll.after(this.renderRoot, this.#store?.opened)
    // Gone is the button of a message that was deleted, for one.
    const isLost = this.#focused?.isConnected === false
    const focus = this.#focusAfter ?? (this.#hasLostRow() ? "row" : isLost ? "messages" : undefined)
    if (focus === undefined) return
    this.#focusAfter = undefined
    const row = `[data-thread="${CSS.escape(this.#current ?? "")}"]`
    this.#focus(
      { composer: "#compose", row, thread: "#thread-name", network: "#at-network", messages: "#messages" }[focus]
    )
  }

  get #rowInFocus(): string | null {
    return this.shadowRoot?.activeElement?.getAttribute("data-thread") ?? null
  }

  /** Rows change under the focus: it stays with the conversation, not with its place. */
  #hasLostRow(): boolean {
    if (!this.#wasInList || this.#rowInFocus === this.#current) return false
    return this.#rowInFocus !== null || this.shadowRoot?.activeElement === null
  }

  #viewOf(store: InboxStore, texts: InboxMessages): InboxView {
    const { agent, agents, language, partMessages } = this
    return {
      store,
      rows: this.#rows,
      texts,
      partTexts: partMessages,
      language,
      now: new Date(),
      agent,
      agents,
      filter: { ...this.filter, query: this.#query ?? this.query },
      isSlow: this.#isSlow,
      current: this.#current,
      isDetailsOpen: this.#isDetailsOpen,
      hasSingleKeys: this.#hasSingleKeys,
      isHelpOpen: this.#isHelpOpen,
      deleting: this.#deleting,
      below: this.#scroll.below,
      reconnectUrl: this.#reconnectUrl,
      isWriting: this.shadowRoot?.activeElement?.id === "compose",
      changeFilter: (change) => this.#changeFilter(change),
      select: (id) => this.#select(id),
      goBack: () => this.#goBack(),
      showDetails: (isOpen) => this.#set(() => (this.#details = isOpen)),
      showHelp: (isOpen) => this.#set(() => (this.#isHelpOpen = isOpen)),
      askDelete: (item) => this.#set(() => (this.#deleting = item)),
      useSingleKeys: (isOn) => this.#set(() => storageOf()?.setItem("loopbox:single-keys", isOn ? "on" : "off")),
      resolve: () => this.#resolve(),
      reconnect: (thread) => void this.#reconnect(thread),
      send: () => this.#send(),
      focusComposer: () => this.#set(() => (this.#focusAfter = "composer")),
      scrollDown: () => this.#scroll.toEnd(this.renderRoot),
      scrolled: (event) => this.#scrolled(event),
      redrawRows: () => super.requestUpdate()
    }
  }

  #set(change: () => void): void {
    change()
    this.requestUpdate()
  }

  #begin(): void {
    this.#store?.end()
    this.#store = undefined
    const client = this.loopbox
    if (client === undefined) return
    const store = new InboxStore({
      client,
      scope: this.scope,
      agent: this.agent,
      workspaceId: this.workspaceId,
      now: () => new Date(),
      later: (run, ms) => void setTimeout(run, ms),
      changed: () => this.requestUpdate(),
      storage: storageOf(),
      storageName: this.storageName,
      arrived: (arrival) => this.#arrived(arrival),
      resumed: (missed) => this.#resumed(missed),
      told: (state) => this.announce(this.texts.states[state])
    })
    this.#store = store
    store.start(this.filter)
    this.#watchSlow()
    this.#show(store)
  }

  #isSame(filter: Filter): boolean {
    return JSON.stringify(filter) === JSON.stringify(this.filter)
  }

  #watchSlow(): void {
    this.#isSlow = false
    setTimeout(() => this.#set(() => (this.#isSlow = true)), slowMs)
  }

  /** Opens what the attribute names. */
  #show(store: InboxStore): void {
    const id = this.thread ?? ""
    if (id === (store.opened?.id ?? "")) return
    this.#reconnectUrl = undefined
    if (id === "") store.close()
    else {
      store.open(id)
      this.#current = id
    }
  }

  #changeFilter(change: Partial<Filter>): void {
    const filter = { ...this.filter, ...change }
    const apply = (): void => {
      this.#query = undefined
      Object.assign(this, filter)
      this.tell("loopbox-filter", filter)
    }
    clearTimeout(this.#searching)
    if (change.query === undefined || change.query === "") return apply()
    // What is typed is seen at once, and asked for once the typing rests.
    this.#set(() => (this.#query = change.query))
    this.#searching = setTimeout(apply, searchMs)
  }

  #select(id: string): void {
    this.#current = id
    this.thread = id
    this.tell("loopbox-select", { threadId: id, thread: this.#store?.list.find(id) })
    // Where the list goes out of sight the focus goes along.
    if (this.#width < narrowPx) this.#focusAfter = "thread"
    this.requestUpdate()
  }

  #goBack(): void {
    this.thread = undefined
    this.tell("loopbox-select", { threadId: null })
    this.#focusAfter = "row"
  }

  #resolve(): void {
    const store = this.#store
    const thread = store?.opened?.thread
    if (store === undefined || thread === undefined) return
    const isResolved = thread.thread_status === "resolved"
    const place = store.list.indexOf(thread.id)
    void store.setState(thread.id, { thread_status: isResolved ? "open" : "resolved" })
    this.announce(isResolved ? this.texts.reopenedNow : this.texts.resolvedNow)
    // In a view that it leaves, the keys go on with what comes next.
    const next = store.list.at(place + 1) ?? store.list.at(place - 1)
    if (this.view !== "all" && next !== undefined) this.#current = next.id
  }

  #send(): void {
    const opened = this.#store?.opened
    const target = opened?.target
    if (opened === undefined || target === undefined || obstacleOf(opened) !== undefined) return
    const measure = measureText(target.source, opened.kept.text, opened.composing.mode === "private")
    if (measure !== undefined && measure.length > measure.limit) return
    if (opened.send() === undefined) return
    this.announce(this.texts.states.sending)
    this.#scroll.stick()
    this.#focusAfter = "composer"
  }

  async #reconnect(thread: Thread): Promise<void> {
    const store = this.#store
    const detail = { accountId: thread.social_account_id, network: thread.account.network }
    const event = new CustomEvent("loopbox-reconnect", { detail, bubbles: true, composed: true, cancelable: true })
    if (!this.dispatchEvent(event) || store?.opened === undefined) return
    await store.opened.act("reconnect", async () => {
      const session = await this.loopbox?.connectedAccounts.reconnect(thread.social_account_id, { ...this.scope })
      this.#reconnectUrl = session?.url ?? undefined
      this.#set(() => (this.#focusAfter = "network"))
    })
  }

  #arrived(arrival: Arrival): void {
    const { item } = arrival
    this.#scroll.arrived(this.#store?.opened?.id === item.thread_id)
    if (this.#store?.opened?.id === item.thread_id) this.#read()
    this.#arrivals.take(item)
  }

  #resumed(missed: number | undefined): void {
    const told = missed === undefined ? this.texts.resumedAnew : this.texts.resumed(missed)
    this.announce(told)
    this.#set(() => (this.#told = told))
    setTimeout(() => this.#set(() => (this.#told = undefined)), toldMs)
  }

  /** What is open is read while somebody can see its end. */
  #read(): void {
    if (this.ownerDocument.visibilityState === "visible" && isAtEnd(this.renderRoot)) this.#store?.markRead()
  }

  #scrolled(event: Event): void {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    this.#scroll.scrolled(target)
    this.#read()
  }

  #onKey(event: KeyboardEvent): void {
    const [target] = event.composedPath()
    if (event.defaultPrevented || !(target instanceof HTMLElement) || this.#isHelpOpen || this.#deleting !== undefined)
      return
    const isTyping = target.matches("input:not([type=checkbox]), textarea, select") || target.isContentEditable
    const isInList = target.hasAttribute("data-thread")
    const action = actionOf(event, { isTyping, isInList, hasSingleKeys: this.#hasSingleKeys })
    if (action === undefined || !this.#act(action, target)) return
    event.preventDefault()
  }

  /** False where the key means nothing now. */
  #act(action: KeyAction, target: HTMLElement): boolean {
    const store = this.#store
    if (store === undefined) return false
    const inbox = {
      root: this.renderRoot,
      store,
      move: (step: number) => this.#move(store, step),
      resolve: () => this.#resolve(),
      focusAfter: (place: "composer" | "row" | "thread") => this.#set(() => (this.#focusAfter = place)),
      showHelp: () => this.#set(() => (this.#isHelpOpen = true)),
      goBack: () => this.#goBack(),
      isNarrow: this.#width < narrowPx
    }
    return runKey(action, target, inbox)
  }

  #move(store: InboxStore, step: number): boolean {
    const { list } = store
    const place = this.#current === undefined ? -1 : list.indexOf(this.#current)
    const next = list.at(Math.max(0, place + (place < 0 ? 1 : step)))
    if (next === undefined) return false
    this.#current = next.id
    this.#rows.reveal(list.indexOf(next.id))
    if (this.#rows.isNearEnd(list.length)) void list.loadMore()
    this.#focusAfter = "row"
    this.requestUpdate()
    return true
  }

  #focus(selector: string): void {
    const element = this.renderRoot.querySelector(selector)
    if (element instanceof HTMLElement) element.focus({ preventScroll: selector.startsWith("[") })
  }
}

if (customElements.get("loopbox-inbox") === undefined) customElements.define("loopbox-inbox", LoopboxInbox)
