import type { Loopbox, Page } from "@loopbox/client"
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { followInbox } from "../base/followInbox.ts"
import { messagesFor } from "../base/language.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"
import { englishAccounts, type AccountsMessages } from "../messages/english/accounts.ts"
import { germanAccounts } from "../messages/german/accounts.ts"
import { button } from "../parts/button.ts"
import { avatarStyles } from "../parts/avatarStyles.ts"
import { controls } from "../parts/controls.ts"
import { textField } from "../parts/field.ts"
import { emptyState, errorLine, loadingState } from "../parts/states.ts"
import "../parts/Dialog.ts"
import { type Account, groupsOf, hasWords } from "./AccountGroup.ts"
import { accountRow } from "./accountRow.ts"
import { accountsStyles } from "./accountsStyles.ts"
import { type connectable, connectMenu } from "./connectMenu.ts"
import { type ConnectReturn, readReturn, withoutReturn } from "./ConnectReturn.ts"
import { returnLine } from "./returnLine.ts"

/** From here on accounts are searched, not read. */
const manyAccounts = 12

/** So many are read at once; as many more each time that somebody asks. */
const batch = 500
/** What a browser may be sent back to: an address without a fragment. */
const pageAddress = (): string => withoutReturn(location.href).replace(/#.*$/, "")

/**
 * `<loopbox-accounts>`: the connected accounts, how well they are and what to do about it; connecting, and connecting again.
 *
 * Before somebody leaves for a network it tells `loopbox-connect` with `{ network, accountId }`; a page that calls
 * `preventDefault()` does the rest itself.
 */
export class LoopboxAccounts extends LoopboxElement {
  static override properties: PropertyDeclarations = {
    ...LoopboxElement.properties,
    returnUrl: { attribute: "return-url" }
  }

  static override styles = [tokens, controls, avatarStyles, accountsStyles]

  /** Where a person comes back to from a network; this page without it. */
  declare returnUrl: string | undefined

  #following: AbortController | undefined
  #accounts: ReadonlyArray<Account> = []
  #state: "loading" | "ready" | "failed" = "loading"
  #error: unknown
  #actionError: unknown
  #disconnecting: Account | undefined
  #returned: ConnectReturn | undefined
  #owner = ""
  #words = ""
  #wanted = batch
  #hasMore = false
  readonly #busy = new Set<string>()

  override connectedCallback(): void {
    super.connectedCallback()
    this.#takeReturn()
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

  protected override render(): TemplateResult {
    const texts = messagesFor({ english: englishAccounts, german: germanAccounts }, this.language, this.messages)
    const { partMessages } = this
    if (this.loopbox === undefined) {
      return emptyState({ heading: texts.notSetUp, text: texts.notSetUpText, icon: "warning" })
    }
    return html`<section class="accounts" part="accounts" aria-label=${texts.accounts}>
        ${this.#returnLine(texts)}
        ${this.#actionError === undefined ? nothing : errorLine(this.#actionError, partMessages)}
        ${
          this.#state === "failed"
            ? errorLine(this.#error, partMessages, () => void this.#load())
            : this.#state === "loading"
              ? loadingState(partMessages)
              : this.#listOf(texts)
        }
      </section>
      ${this.#dialog(texts)}`
  }

  #listOf(texts: AccountsMessages): TemplateResult {
    const connect = this.#connectMenu(texts)
    const all = this.#accounts
    if (all.length === 0) {
      return emptyState({ heading: texts.emptyHeading, text: texts.emptyText, icon: "person", action: connect })
    }
    const hasMany = all.length > manyAccounts || this.#hasMore
    const found = hasMany ? all.filter((account) => hasWords(account, this.#words)) : all
    return html`${
        hasMany
          ? textField({
              id: "search",
              label: texts.search,
              hideLabel: true,
              type: "search",
              placeholder: texts.search,
              value: this.#words,
              onInput: (words) => {
                this.#words = words
                this.requestUpdate()
              }
            })
          : nothing
      }
      ${found.length === 0 ? html`<p class="muted">${texts.noneFound}</p>` : this.#groups(texts, found)}
      <div class="foot">
        ${connect}
        ${
          this.#hasMore
            ? button({
                label: texts.more,
                onClick: () => {
                  this.#wanted += batch
                  void this.#load()
                }
              })
            : nothing
        }
      </div>`
  }

  #connectMenu(texts: AccountsMessages): TemplateResult {
    return connectMenu({
      texts,
      owner: this.inboxScope === "workspace" ? this.#owner : undefined,
      setOwner: (owner) => {
        this.#owner = owner
        this.requestUpdate()
      },
      connect: (network) => this.#connect(network)
    })
  }

  #groups(texts: AccountsMessages, accounts: ReadonlyArray<Account>): TemplateResult {
    const list = (all: ReadonlyArray<Account>): TemplateResult =>
      html`<ul role="list">
        ${all.map((account) => this.#row(texts, account))}
      </ul>`
    const hasOwners = this.inboxScope === "workspace" && accounts.some((one) => one.external_user_id !== null)
    if (!hasOwners) return list(accounts)
    return html`${groupsOf(accounts).map(
      ({ accounts: all, externalUserId }) =>
        html`<section class="group">
          <h2>
            ${externalUserId === null ? texts.ownGroup : html`${texts.userGroup} <code dir="auto">${externalUserId}</code>`}
            <span class="muted">${all.length}</span>
          </h2>
          ${list(all)}
        </section>`
    )}`
  }

  #row(texts: AccountsMessages, account: Account): TemplateResult {
    return accountRow(
      {
        texts,
        language: this.language,
        isBusy: (work) => this.#busy.has(work),
        reconnect: (one) => this.#reconnect(one),
        check: (one) => this.#check(one),
        disconnect: (one) => this.#ask(one)
      },
      account
    )
  }

  #returnLine(texts: AccountsMessages): TemplateResult | typeof nothing {
    const returned = this.#returned
    if (returned === undefined) return nothing
    const close = (): void => {
      this.#returned = undefined
      this.requestUpdate()
    }
    return returnLine({ returned, texts, closeLabel: this.partMessages.close, close })
  }

  #dialog(texts: AccountsMessages): TemplateResult {
    const { partMessages } = this
    const account = this.#disconnecting
    return html`<loopbox-dialog
      .heading=${texts.disconnectHeading}
      .closeLabel=${partMessages.close}
      .open=${account !== undefined}
      @close=${() => this.#ask(undefined)}
    >
      <p><strong dir="auto">${account?.name}</strong></p>
      <p>${texts.disconnectText}</p>
      <span slot="actions">${button({ label: partMessages.cancel, onClick: () => this.#ask(undefined) })}</span>
      <span slot="actions"
        >${button({
          label: texts.disconnect,
          kind: "danger",
          onClick: () => {
            this.#ask(undefined)
            if (account !== undefined) this.#disconnect(account)
          }
        })}</span
      >
    </loopbox-dialog>`
  }

  /** Reads what the address says of a dialog, and takes it out of there. */
  #takeReturn(): void {
    const returned = readReturn(location.href)
    if (returned === undefined) return
    this.#returned = returned
    history.replaceState(history.state, "", withoutReturn(location.href))
    this.tell("loopbox-connect-return", returned)
  }

  #begin(): void {
    this.#following?.abort()
    this.#following = undefined
    // Whose accounts these were, somebody else may be reading now.
    this.#accounts = []
    this.#hasMore = false
    this.#state = "loading"
    this.#actionError = undefined
    this.#disconnecting = undefined
    const client = this.loopbox
    if (client === undefined) return
    const following = new AbortController()
    this.#following = following
    void this.#load()
    const { scope, workspaceId } = this
    followInbox({
      client,
      scope,
      workspaceId,
      signal: following.signal,
      connected: () => (this.#state === "ready" ? void this.#load() : undefined),
      event: (event) => {
        if (event.type === "account.disconnected") this.#drop(event.account.id)
        else if (event.type === "account.connected" || event.type === "account.attention") this.#take(event.account)
        else if (event.type === "inbox.account_moved" || event.type === "resync_required") void this.#load()
      },
      refused: (error) => {
        this.#error = error
        this.#state = "failed"
        this.requestUpdate()
      }
    })
  }

  async #load(): Promise<void> {
    const following = this.#following
    const client = this.loopbox
    if (client === undefined || following === undefined) return
    if (this.#state === "failed") this.#state = "loading"
    this.requestUpdate()
    try {
      await this.#read(client, following.signal)
      this.#state = "ready"
    } catch (error) {
      if (following.signal.aborted) return
      this.#error = error
      this.#state = "failed"
    }
    this.requestUpdate()
  }

  async #read(client: Loopbox, signal: AbortSignal): Promise<void> {
    const accounts: Array<Account> = []
    let cursor: string | null = null
    do {
      const page: Page<Account> = await client.connectedAccounts.list(
        { ...this.scope, limit: 100, cursor: cursor ?? undefined },
        { signal }
      )
      accounts.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== null && accounts.length < this.#wanted)
    signal.throwIfAborted()
    this.#accounts = accounts
    this.#hasMore = cursor !== null
  }

  #take(account: Account): void {
    const isThere = this.#accounts.some(({ id }) => id === account.id)
    this.#accounts = isThere
      ? this.#accounts.map((one) => (one.id === account.id ? account : one))
      : [account, ...this.#accounts]
    this.requestUpdate()
  }

  #drop(id: string): void {
    this.#accounts = this.#accounts.filter((account) => account.id !== id)
    this.requestUpdate()
  }

  #ask(account: Account | undefined): void {
    this.#disconnecting = account
    this.requestUpdate()
  }

  #check({ id }: Account): void {
    const following = this.#following
    void this.#act(`check:${id}`, async () => {
      const account = await this.loopbox?.connectedAccounts.check(id, { ...this.scope })
      if (account !== undefined && following === this.#following) this.#take(account)
    })
  }

  #disconnect({ id }: Account): void {
    void this.#act(`disconnect:${id}`, async () => {
      await this.loopbox?.connectedAccounts.disconnect(id, { ...this.scope })
      this.#drop(id)
    })
  }

  #reconnect({ id, network }: Account): void {
    if (!this.#mayLeave(network, id)) return
    void this.#act(`connect:${id}`, async () => {
      const session = await this.loopbox?.connectedAccounts.reconnect(id, {
        ...this.scope,
        return_url: this.#returnUrl
      })
      this.#leave(session?.url)
    })
  }

  #connect(network: (typeof connectable)[number]): void {
    if (!this.#mayLeave(network, null)) return
    void this.#act("connect", async () => {
      const { scope } = this
      const owner = scope.inbox_scope === "workspace" ? this.#owner.trim() : ""
      const session = await this.loopbox?.connect.createSession({
        ...scope,
        ...(owner === "" ? {} : { external_user_id: owner }),
        network,
        return_url: this.#returnUrl
      })
      this.#leave(session?.url)
    })
  }

  get #returnUrl(): string {
    return this.returnUrl ?? pageAddress()
  }

  #mayLeave(network: string, accountId: string | null): boolean {
    const detail = { network, accountId }
    return this.dispatchEvent(
      new CustomEvent("loopbox-connect", { detail, bubbles: true, composed: true, cancelable: true })
    )
  }

  #leave(url: string | null | undefined): void {
    if (url !== null && url !== undefined) location.assign(url)
  }

  async #act(name: string, work: () => Promise<void>): Promise<void> {
    if (this.#busy.has(name)) return
    this.#busy.add(name)
    this.#actionError = undefined
    this.requestUpdate()
    await work().catch((error: unknown) => {
      this.#actionError = error
    })
    this.#busy.delete(name)
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-accounts") === undefined) customElements.define("loopbox-accounts", LoopboxAccounts)
