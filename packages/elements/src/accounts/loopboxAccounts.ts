import type { components } from "@loopbox/client"
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { followInbox } from "../base/followInbox.ts"
import { messagesFor } from "../base/language.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { tokens } from "../base/tokens.ts"
import { englishAccounts, type AccountsMessages } from "../messages/english/accounts.ts"
import { germanAccounts } from "../messages/german/accounts.ts"
import { avatar } from "../parts/avatar.ts"
import { button } from "../parts/button.ts"
import { avatarStyles } from "../parts/avatarStyles.ts"
import { controls } from "../parts/controls.ts"
import { icon } from "../parts/icon.ts"
import { networkBadge, networkName } from "../parts/networkBadge.ts"
import { emptyState, errorLine, loadingState } from "../parts/states.ts"
import { relativeTime } from "../parts/times.ts"
import "../parts/Dialog.ts"
import "../parts/Menu.ts"
import { accountsStyles } from "./accountsStyles.ts"

type Account = components["schemas"]["ConnectedAccount"]

const slowMs = 5_000
const networks = ["instagram", "facebook", "threads", "x"]

const isNetwork = (name: string): name is "instagram" | "facebook" | "threads" | "x" => networks.includes(name)

/** What a browser may be sent back to: an address without a fragment. */
const pageAddress = (): string => location.href.replace(/#.*$/, "")

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
  #isSlow = false
  #disconnecting: Account | undefined
  readonly #busy = new Set<string>()

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

  protected override render(): TemplateResult {
    const texts = messagesFor({ english: englishAccounts, german: germanAccounts }, this.language, this.messages)
    const { partMessages } = this
    if (this.loopbox === undefined) {
      return emptyState({ heading: texts.notSetUp, text: texts.notSetUpText, icon: "warning" })
    }
    return html`<section class="accounts" part="accounts" aria-label=${texts.accounts}>
        ${this.#actionError === undefined ? nothing : errorLine(this.#actionError, partMessages)}
        ${
          this.#state === "failed"
            ? errorLine(this.#error, partMessages, () => void this.#load())
            : this.#state === "loading"
              ? loadingState(partMessages, this.#isSlow)
              : this.#listOf(texts)
        }
      </section>
      ${this.#dialog(texts)}`
  }

  #listOf(texts: AccountsMessages): TemplateResult {
    const connect = html`<loopbox-menu side="start" .label=${texts.connect} .icon=${"plus"}>
      ${networks.map(
        (network) =>
          html`<button type="button" class="menu-item" data-closes @click=${() => this.#connect(network)}>
            ${networkBadge(network)}<span>${networkName(network)}</span>
          </button>`
      )}
    </loopbox-menu>`
    if (this.#accounts.length === 0) {
      return emptyState({ heading: texts.emptyHeading, text: texts.emptyText, icon: "person", action: connect })
    }
    return html`<ul role="list">
        ${this.#accounts.map((account) => this.#row(texts, account))}
      </ul>
      <div>${connect}</div>`
  }

  #row(texts: AccountsMessages, account: Account): TemplateResult {
    const { health, id, name, network, status, username } = account
    const state = status === "disconnected" ? "disconnected" : health.status
    const looks = { ok: "good", degraded: "careful", broken: "bad", disconnected: "" }
    const needsPerson = status === "reauth_required" || health.problems.some(({ code }) => code === "missing_scopes")
    return html`<li class="account" part="account">
      <span class="picture">${avatar(name, account.avatar_url)}${networkBadge(network)}</span>
      <div class="about">
        <p class="name">
          <span dir="auto">${name}</span>
          <span class="status ${looks[state]}">${texts.statuses[state]}</span>
        </p>
        <p class="muted">
          ${networkName(network)}${username === null ? nothing : html` · <span dir="ltr">@${username}</span>`} ·
          ${this.#heard(texts, account)}
        </p>
        ${health.problems.map((problem) => this.#problem(texts, problem))}
      </div>
      <div class="work">
        ${
          needsPerson
            ? button({
                label: texts.reconnect,
                kind: "primary",
                busy: this.#busy.has(`connect:${id}`),
                onClick: () => this.#reconnect(account)
              })
            : nothing
        }
        ${button({
          label: texts.check,
          icon: "refresh",
          iconOnly: true,
          kind: "quiet",
          busy: this.#busy.has(`check:${id}`),
          onClick: () => this.#check(account)
        })}
        ${button({
          label: texts.disconnect,
          icon: "trash",
          iconOnly: true,
          kind: "quiet",
          onClick: () => this.#ask(account)
        })}
      </div>
    </li>`
  }

  #heard(texts: AccountsMessages, { health }: Account): string {
    const times = [health.last_webhook_at, health.last_poll_at].flatMap((at) => (at === null ? [] : [Date.parse(at)]))
    if (times.length === 0) return texts.neverHeard
    return texts.lastArrival(relativeTime(new Date(Math.max(...times)), new Date(), this.language))
  }

  #problem(texts: AccountsMessages, problem: Account["health"]["problems"][number]): TemplateResult {
    const now = new Date()
    const { code, message, remedy, retry_at, since } = problem
    return html`<div class="problem" part="problem">
      ${icon("warning", 16)}
      <p>
        <strong>${message}</strong> ${remedy}
        <span class="muted"
          >${texts.since(relativeTime(new Date(since), now, this.language))}${
            retry_at === null ? "" : `, ${texts.retried(relativeTime(new Date(retry_at), now, this.language))}`
          } <code>${code}</code></span
        >
      </p>
    </div>`
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

  #begin(): void {
    this.#following?.abort()
    this.#following = undefined
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
    this.#isSlow = false
    setTimeout(() => {
      this.#isSlow = true
      this.requestUpdate()
    }, slowMs)
    this.requestUpdate()
    await client.connectedAccounts.list({ ...this.scope, limit: 100 }, { signal: following.signal }).then(
      ({ data }) => {
        this.#accounts = data
        this.#state = "ready"
      },
      (error: unknown) => {
        if (following.signal.aborted) return
        this.#error = error
        this.#state = "failed"
      }
    )
    this.requestUpdate()
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
    void this.#act(`check:${id}`, async () => {
      const account = await this.loopbox?.connectedAccounts.check(id, { ...this.scope })
      if (account !== undefined) this.#take(account)
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

  #connect(network: string): void {
    if (!isNetwork(network) || !this.#mayLeave(network, null)) return
    void this.#act("connect", async () => {
      const { scope } = this
      const session = await this.loopbox?.connect.createSession({ ...scope, network, return_url: this.#returnUrl })
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
