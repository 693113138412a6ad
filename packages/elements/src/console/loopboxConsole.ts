import type { Loopbox } from "@loopbox/client"
import { html, nothing, type PropertyValues, type TemplateResult } from "lit"
import { messagesFor } from "../base/language.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"
import { type ConsoleMessages, englishConsole } from "../messages/english/console.ts"
import { germanConsole } from "../messages/german/console.ts"
import { button } from "../parts/button.ts"
import { copyText } from "../parts/copyText.ts"
import { controls } from "../parts/controls.ts"
import { textField } from "../parts/field.ts"
import { icon } from "../parts/icon.ts"
import { emptyState, errorLine, loadingState } from "../parts/states.ts"
import "../parts/Dialog.ts"
import "../parts/Menu.ts"
import { ConsoleHost, type ConsoleSession } from "./shell/ConsoleHost.ts"
import type { PageContext } from "./shell/ConsolePage.ts"
import { insecurePage, mark, signInPage, unreachablePage } from "./shell/gatePages.ts"
import { pageRegistry } from "./shell/pageRegistry.ts"
import { RequestLog, type SentRequest } from "./shell/RequestLog.ts"
import { requestsDialog } from "./shell/requestsDialog.ts"
import { addressOf, type PageId, pageIds, type Route, routeOf, takeTicket, ticketOf } from "./shell/routes.ts"
import { keepChoice, readLocale, readTheme, readWorkspace } from "./shell/settingsStore.ts"
import { settingsPanel, workspaceField } from "./shell/settingsPanel.ts"
import { shellStyles } from "./shell/shellStyles.ts"

type Phase = "starting" | "signed_out" | "ready" | "unreachable" | "insecure"

/** `<loopbox-console>`: all of a Loopbox host on one page. Its state is in the address of the page. */
export class LoopboxConsole extends LoopboxElement {
  static override styles = [tokens, controls, shellStyles]

  #left = new AbortController()
  #phase: Phase = "starting"
  #session: ConsoleSession | undefined
  #failure: unknown
  #signOutFailure: unknown
  #route: Route = routeOf(location.pathname, location.search)
  #workspaceId = ""
  #client: { readonly workspaceId: string; readonly client: Loopbox } | undefined
  #adminToken = ""
  #isBusy = false
  #showsRequests = false
  #copied: SentRequest | undefined
  readonly #pages = new Map<PageId, (context: PageContext) => TemplateResult>()
  readonly #log = new RequestLog(() => this.requestUpdate())
  readonly #host = new ConsoleHost(location.origin, this.#log, () => this.#endSession())

  get #texts(): ConsoleMessages {
    return messagesFor({ english: englishConsole, german: germanConsole }, this.language, this.messages)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.documentElement.lang = readLocale(navigator.languages)
    this.#setTheme(readTheme())
    const { signal } = (this.#left = new AbortController())
    window.addEventListener("popstate", this.#readAddress, { signal })
    window.addEventListener("hashchange", this.#readLink, { signal })
    window.addEventListener("pageshow", this.#comeBack, { signal })
    document.addEventListener("visibilitychange", this.#lookForSession, { signal })
    window.addEventListener("online", this.#look, { signal })
    window.addEventListener("offline", this.#look, { signal })
    void this.#start()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#left.abort()
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    document.title = this.#texts.title(
      this.#phase === "ready" ? this.#texts.pages[this.#route.page] : this.#texts.signIn
    )
  }

  protected override render(): TemplateResult {
    if (this.#phase === "starting") return html`<div class="gate">${loadingState(this.partMessages)}</div>`
    if (this.#phase === "unreachable") {
      return unreachablePage(
        this.#texts,
        errorLine(this.#failure, this.partMessages, () => void this.#start())
      )
    }
    if (this.#phase === "insecure") return insecurePage(this.#texts)
    // A session that ended leaves the page as it is, below a dialog: what was typed is still there.
    if (this.#session === undefined) return signInPage(this.#texts, this.#signInForm())
    return html`<div class="frame">
        ${this.#side(this.#session)}
        <main>
          ${this.#signOutFailure === undefined ? nothing : errorLine(this.#signOutFailure, this.partMessages, () => void this.#signOut())}
          ${navigator.onLine ? nothing : html`<p class="notice" role="status">${icon("warning")}${this.#texts.offline}</p>`}
          ${this.#page(this.#session)}
        </main>
      </div>
      ${this.#requests()}
      <loopbox-dialog
        heading=${this.#texts.signedOutHeading}
        close-label=${this.partMessages.close}
        .open=${this.#phase === "signed_out"}
        @close=${() => location.reload()}
      >
        <p>${this.#texts.signedOutText}</p>
        ${this.#signInForm()}
      </loopbox-dialog>`
  }

  #signInForm(): TemplateResult {
    return html`<form class="sign-in" @submit=${this.#submit}>
      ${this.#failure === undefined ? nothing : errorLine(this.#failure, this.partMessages)}
      <p>${this.#texts.signInOr}</p>
      ${textField({
        id: "admin-token",
        label: this.#texts.adminToken,
        type: "password",
        autocomplete: "current-password",
        required: true,
        value: this.#adminToken,
        onInput: (value) => this.#set(() => (this.#adminToken = value))
      })}
      ${button({ label: this.#texts.signIn, kind: "primary", type: "submit", busy: this.#isBusy })}
    </form>`
  }

  #side(session: ConsoleSession): TemplateResult {
    const shown = pageIds.filter((page) => pageRegistry[page]?.isShown?.(session) ?? pageRegistry[page] !== undefined)
    return html`<header class="side">
      <button class="skip" type="button" @click=${this.#skip}>${this.#texts.skip}</button>
      ${mark()}
      <nav aria-label=${this.#texts.navigation}>
        <ul>
          ${shown.map((page) => {
            const isCurrent = page === this.#route.page
            return html`<li>
              <a
                href=${addressOf(page)}
                aria-current=${isCurrent ? "page" : nothing}
                @click=${(event: MouseEvent) => this.#follow(event, page)}
                >${icon(pageRegistry[page]?.icon ?? "file")}<span>${this.#texts.pages[page]}</span></a
              >
            </li>`
          })}
        </ul>
      </nav>
      <div class="foot">
        ${this.#workspaceField("workspace", session)}
        <loopbox-menu label=${this.#texts.menu} icon="person" quiet side="up">${this.#settings(session)}</loopbox-menu>
        ${button({
          label: this.#texts.requests,
          icon: "file",
          kind: "quiet",
          onClick: () => this.#set(() => (this.#showsRequests = true))
        })}
        <p class="version">Loopbox ${session.version}</p>
      </div>
    </header>`
  }

  #settings(session: ConsoleSession): TemplateResult {
    return settingsPanel({
      texts: this.#texts,
      workspace: this.#workspaceField("workspace-here", session),
      onLanguage: (language) => {
        keepChoice("language", language)
        document.documentElement.lang = readLocale(navigator.languages)
      },
      onTheme: (theme) => {
        keepChoice("theme", theme)
        this.#setTheme(readTheme())
      },
      onSignOut: () => void this.#signOut()
    })
  }

  #workspaceField(id: string, session: ConsoleSession): TemplateResult | typeof nothing {
    return workspaceField(id, session, this.#workspaceId, this.#texts, (chosen) => this.#chooseWorkspace(chosen))
  }

  #page(session: ConsoleSession): TemplateResult {
    const { page } = this.#route
    const isWide = pageRegistry[page]?.isWide === true
    const frame = (content: TemplateResult) =>
      html`<div class="page ${isWide ? "wide" : ""}" id="content" tabindex="-1">
        ${isWide ? html`<h1 class="visually-hidden">${this.#texts.pages[page]}</h1>` : nothing} ${content}
      </div>`
    if (this.#workspaceId === "") {
      return frame(emptyState({ heading: this.#texts.noWorkspace, text: this.#texts.makeWorkspace, icon: "panel" }))
    }
    const render = this.#pages.get(page)
    if (render === undefined) {
      void this.#load(page)
      return frame(
        this.#failure === undefined
          ? loadingState(this.partMessages)
          : errorLine(this.#failure, this.partMessages, () => this.#set(() => (this.#failure = undefined)))
      )
    }
    return frame(render(this.#context(session)))
  }

  #context(session: ConsoleSession): PageContext {
    const workspaceId = this.#workspaceId
    if (this.#client?.workspaceId !== workspaceId) {
      this.#client = { workspaceId, client: this.#host.clientOf(workspaceId) }
    }
    const { client } = this.#client
    const go: PageContext["go"] = (page, rest, query, replace) => this.#go(addressOf(page, rest, query), replace)
    return {
      host: this.#host,
      client,
      workspaceId,
      session,
      language: this.language,
      texts: this.#texts,
      route: this.#route,
      go
    }
  }

  #requests(): TemplateResult {
    return requestsDialog({
      sent: this.#log.all,
      apiUrl: this.#session?.api_url ?? location.origin,
      isOpen: this.#showsRequests,
      copied: this.#copied,
      texts: this.#texts,
      partMessages: this.partMessages,
      onClose: () => this.#set(() => (this.#showsRequests = false)),
      onCopy: (sent, text) => void this.#copy(sent, text)
    })
  }

  async #copy(sent: SentRequest, text: string): Promise<void> {
    const isCopied = await copyText(text)
    this.#set(() => (this.#copied = isCopied ? sent : undefined))
  }

  async #start(): Promise<void> {
    this.#set(() => {
      this.#phase = "starting"
      this.#session = undefined
      this.#failure = undefined
    })
    try {
      // By http from another machine browsers do not say which page asks. It is told before a link is used up.
      if (!window.isSecureContext && !(await this.#host.isHeard())) {
        this.#set(() => (this.#phase = "insecure"))
        return
      }
      const ticket = takeTicket()
      if (ticket !== undefined) await this.#host.signIn({ ticket }).catch((error: unknown) => (this.#failure = error))
      const session = await this.#host.readSession()
      this.#set(() => this.#begin(session))
    } catch (error) {
      this.#set(() => {
        this.#phase = "unreachable"
        this.#failure = error
      })
    }
  }

  #begin(session: ConsoleSession | undefined): void {
    if (session === undefined) {
      this.#phase = "signed_out"
      return
    }
    this.#failure = undefined
    this.#session = session
    this.#phase = "ready"
    const kept = readWorkspace()
    const [first] = session.workspaces
    if (session.workspaces.some(({ id }) => id === this.#workspaceId)) return
    this.#workspaceId = session.workspaces.find(({ id }) => id === kept)?.id ?? first?.id ?? ""
  }

  #endSession(): void {
    if (this.#phase === "ready") this.#set(() => (this.#phase = "signed_out"))
  }

  async #load(page: PageId): Promise<void> {
    if (this.#failure !== undefined) return
    const found = pageRegistry[page]
    if (found === undefined) return this.#go(addressOf("inbox"), true)
    try {
      const render = await found.load()
      this.#set(() => this.#pages.set(page, render))
    } catch (error) {
      this.#set(() => (this.#failure = error))
    }
  }

  async #signOut(): Promise<void> {
    try {
      this.#signOutFailure = undefined
      await this.#host.signOut()
      this.#set(() => {
        this.#session = undefined
        this.#phase = "signed_out"
        this.#log.clear()
      })
    } catch (error) {
      // The session still counts, and the page does not look as if it had ended.
      this.#set(() => (this.#signOutFailure = error))
    }
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault()
    void this.#signInBy({ admin_token: this.#adminToken })
  }

  async #signInBy(by: Parameters<ConsoleHost["signIn"]>[0]): Promise<void> {
    this.#set(() => {
      this.#isBusy = true
      this.#failure = undefined
    })
    try {
      await this.#host.signIn(by)
      const session = await this.#host.readSession()
      this.#set(() => {
        this.#adminToken = ""
        this.#begin(session)
      })
    } catch (error) {
      // A link that is used up changes nothing for who is signed in.
      if (this.#phase !== "ready") this.#failure = error
    } finally {
      this.#set(() => (this.#isBusy = false))
    }
  }

  #chooseWorkspace(id: string): void {
    keepChoice("workspace", id)
    this.#workspaceId = id
    this.#log.clear()
    this.#go(addressOf(this.#route.page))
  }

  #follow(event: MouseEvent, page: PageId): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    this.#log.clear()
    this.#go(addressOf(page))
  }

  #go(address: string, replace = false): void {
    if (replace) history.replaceState(null, "", address)
    else if (address !== location.pathname + location.search) history.pushState(null, "", address)
    this.#readAddress()
  }

  readonly #skip = (): void => {
    const content = this.renderRoot.querySelector("#content")
    if (content instanceof HTMLElement) content.focus()
  }

  readonly #readAddress = (): void => this.#set(() => (this.#route = routeOf(location.pathname, location.search)))

  /** A link that is opened where a page of ours stands loads nothing anew: only what is behind the # changes. */
  readonly #readLink = (): void => {
    if (ticketOf(location.hash) === undefined) return
    if (this.#phase === "unreachable" || this.#phase === "insecure") return void this.#start()
    const ticket = takeTicket()
    if (ticket !== undefined) void this.#signInBy({ ticket })
  }

  /** Out of the browser's memory, where a page may have been signed out meanwhile: nothing is shown before that is known. */
  readonly #comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void this.#start()
  }

  /** Signed in again on another page of this browser, one goes on here, too. */
  readonly #lookForSession = (): void => {
    if (document.hidden || this.#phase !== "signed_out") return
    void this.#host.resume().then(
      (session) => session !== undefined && this.#set(() => this.#begin(session)),
      () => undefined
    )
  }

  readonly #look = (): void => this.requestUpdate()

  #setTheme(theme: "auto" | "light" | "dark"): void {
    this.theme = theme === "auto" ? undefined : theme
    document.documentElement.style.colorScheme = theme === "auto" ? "" : theme
    this.requestUpdate()
  }

  #set(change: () => void): void {
    change()
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-console") === undefined) customElements.define("loopbox-console", LoopboxConsole)
