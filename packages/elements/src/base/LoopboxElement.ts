import { Loopbox } from "@loopbox/client"
import { LitElement, type PropertyDeclarations } from "lit"
import { FocusKeeper } from "./FocusKeeper.ts"
import { languageOf, messagesFor } from "./language.ts"
import { englishParts, type PartMessages } from "../messages/english/parts.ts"
import { germanParts } from "../messages/german/parts.ts"

/** Whose inbox an element shows: the members that every call of it takes. */
export interface InboxScope {
  readonly inbox_scope: "managed_user" | "workspace"
  readonly external_user_id?: string | undefined
}

/** What a client goes on asking with, also where its element has another workspace by then. */
const fetchOf =
  (workspaceId: string | undefined): typeof globalThis.fetch =>
  (input, init) => {
    if (workspaceId === undefined) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.set("X-Workspace-Id", workspaceId)
    return fetch(input, { ...init, headers })
  }

/**
 * What every element is: it knows its host, whose inbox it shows and the reader's language, and tells a screen reader what
 * happened.
 *
 * The client is made of `base-url` and `getToken`, or handed down by a parent as the property `client`.
 */
export class LoopboxElement extends LitElement {
  static override properties: PropertyDeclarations = {
    baseUrl: { attribute: "base-url" },
    inboxScope: { attribute: "inbox-scope" },
    externalUserId: { attribute: "external-user-id" },
    workspaceId: { attribute: "workspace-id" },
    theme: { reflect: true },
    client: { attribute: false },
    getToken: { attribute: false },
    messages: { attribute: false }
  }

  /** Where the host is, with its prefix if it has one. */
  declare baseUrl: string | undefined
  /** `managed_user`, with `external-user-id`, or `workspace`. */
  declare inboxScope: "managed_user" | "workspace"
  /** The managed user whose inbox it is. */
  declare externalUserId: string | undefined
  /** The workspace of a dashboard token that names none. */
  declare workspaceId: string | undefined
  /** `light` or `dark`; by the page and the reader's setting without it. */
  declare theme: "light" | "dark" | undefined
  /** Instead of `baseUrl` and `getToken`. */
  declare client: Loopbox | undefined
  /** Gives a dashboard token; asked when one is needed, and again when it has ended. Another function is another person's. */
  declare getToken: (() => string | Promise<string>) | undefined
  /** Texts instead of the built-in ones, by their names in the README. */
  declare messages: Readonly<Record<string, unknown>> | undefined

  #made: { readonly of: ReadonlyArray<unknown>; readonly client: Loopbox } | undefined
  #live: HTMLElement | undefined
  #languages: MutationObserver | undefined

  constructor() {
    super()
    this.inboxScope = "workspace"
  }

  /** The client that is to be used; undefined until `base-url` and `getToken`, or `client`, are there. */
  get loopbox(): Loopbox | undefined {
    if (this.client !== undefined) return this.client
    const { baseUrl, externalUserId, getToken, inboxScope, workspaceId } = this
    if (baseUrl === undefined || getToken === undefined) return undefined
    // A client keeps its token: who signs in after somebody else would go on with theirs.
    const of = [baseUrl, getToken, workspaceId, inboxScope, externalUserId]
    const made = this.#made
    if (made && of.every((one, place) => one === made.of[place])) return made.client
    const client = new Loopbox({
      baseUrl: new URL(baseUrl, this.ownerDocument.baseURI).href.replace(/\/$/, ""),
      getToken: async () => ((await getToken()) ?? "").trim(),
      fetch: fetchOf(workspaceId)
    })
    this.#made = { of, client }
    return client
  }

  /** The members of every call about this inbox. */
  get scope(): InboxScope {
    return this.inboxScope === "managed_user"
      ? { inbox_scope: "managed_user", external_user_id: this.externalUserId ?? "" }
      : { inbox_scope: "workspace" }
  }

  /** The reader's language, as the page says it. */
  get language(): string {
    return languageOf(this)
  }

  /** Texts that all parts have. */
  get partMessages(): PartMessages {
    return messagesFor({ english: englishParts, german: germanParts }, this.language, this.messages)
  }

  /** Tells a screen reader what happened, once nothing else is being read. */
  announce(text: string): void {
    const live = this.#live
    if (live === undefined) return
    // The same words twice are told twice only where the text was another in between.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text
  }

  /** Tells the page; events of elements cross shadow roots. */
  tell<Detail>(type: string, detail: Detail): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#languages = new MutationObserver(() => this.requestUpdate())
    for (const element of [this, this.ownerDocument.documentElement]) {
      this.#languages.observe(element, { attributes: true, attributeFilter: ["lang", "dir"] })
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#languages?.disconnect()
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    const live = this.ownerDocument.createElement("div")
    live.className = "visually-hidden"
    live.setAttribute("role", "status")
    root.append(live)
    this.#live = live
    new FocusKeeper(this).follow(root)
    return root
  }
}
