import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { repeat } from "lit/directives/repeat.js"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { tokens } from "../../base/tokens.ts"
import { englishWebhooks, type WebhooksMessages } from "../../messages/english/webhooks.ts"
import { germanWebhooks } from "../../messages/german/webhooks.ts"
import { button } from "../../parts/button.ts"
import { copyText } from "../../parts/copyText.ts"
import { controls } from "../../parts/controls.ts"
import "../../parts/Dialog.ts"
import { textField } from "../../parts/field.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import { relativeTime } from "../../parts/times.ts"
import { timeOf } from "../../parts/Time.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { prettyBody, requestText } from "./deliveryText.ts"
import { replayDialog } from "./replayDialog.ts"
import {
  bodyOf,
  type Delivery,
  type DeliveryDetail,
  draftOf,
  emptyDraft,
  type Endpoint,
  type EndpointDraft,
  WebhooksStore
} from "./WebhooksStore.ts"
import { webhooksStyles } from "./webhooksStyles.ts"

/** Between two looks while a delivery waits. */
const followMs = 5_000

/** `<loopbox-console-webhooks>`: addresses, and for one of them what was sent and answered. */
export class WebhooksView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }
  static override styles = [tokens, controls, webhooksStyles]

  declare context: PageContext | undefined

  #store: WebhooksStore | undefined
  #client: PageContext["client"] | undefined
  #draft: EndpointDraft | undefined
  #replayed: string | undefined
  #isRemoving = false
  #hasCopied = false

  get #texts(): WebhooksMessages {
    return messagesFor({ english: englishWebhooks, german: germanWebhooks }, this.language, this.messages)
  }

  #timer: ReturnType<typeof setInterval> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#timer = setInterval(() => {
      if (!document.hidden && this.context?.host.isWaiting !== true) void this.#store?.follow()
    }, followMs)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#timer)
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { context } = this
    if (!changed.has("context") || context === undefined) return
    if (this.#client !== context.client) {
      this.#client = context.client
      this.#store = new WebhooksStore(context.client, () => this.requestUpdate())
      void this.#store.load()
    }
    const wanted = context.route.rest === "" ? undefined : context.route.rest
    if (this.#store !== undefined && this.#store.opened !== wanted) void this.#store.open(wanted)
  }

  protected override render(): TemplateResult {
    const store = this.#store
    if (store === undefined) return loadingState(this.partMessages)
    const isList = store.opened === undefined
    return html`<div class="all">${isList ? this.#list(store) : this.#one(store)}</div>
      ${this.#form(store)} ${this.#secret(store)} ${this.#removal(store)} ${this.#delivery(store)}
      ${this.#replay(store)}`
  }

  #replay(store: WebhooksStore): TemplateResult {
    return replayDialog({
      typed: this.#replayed,
      failure: store.failure,
      isBusy: store.busy === "replay",
      texts: this.#texts,
      partMessages: this.partMessages,
      onInput: (typed) => this.#set(() => (this.#replayed = typed)),
      onReplay: (after) =>
        void store.replay(store.opened ?? "", after).then((isDone) => {
          if (isDone) this.#set(() => (this.#replayed = undefined))
        })
    })
  }

  /** A failure of the page itself; that of a form stands in the form. */
  #failure(store: WebhooksStore, retry: () => void): TemplateResult | typeof nothing {
    return store.failure === undefined || this.#draft !== undefined || this.#replayed !== undefined
      ? nothing
      : errorLine(store.failure, this.partMessages, retry)
  }

  #list(store: WebhooksStore): TemplateResult {
    return html`<div class="head">
        <div>
          <h1>${this.#texts.heading}</h1>
          <p class="quiet-text">${this.#texts.lead}</p>
        </div>
        ${button({ label: this.#texts.add, icon: "plus", kind: "primary", onClick: () => this.#edit(emptyDraft) })}
      </div>
      ${this.#failure(store, () => void store.load())} ${this.#rows(store)}`
  }

  #rows(store: WebhooksStore): TemplateResult | typeof nothing {
    if (store.endpoints === undefined) return store.failure === undefined ? loadingState(this.partMessages) : nothing
    if (store.endpoints.length === 0) {
      return emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "external" })
    }
    return html`<ul class="rows">
      ${store.endpoints.map(
        (endpoint) =>
          html`<li>
            <button class="row" type="button" @click=${() => this.context?.go("webhooks", endpoint.id)}>
              <span class="name">${endpoint.url}</span>
              <span class="note">${endpoint.events === null ? this.#texts.all : endpoint.events.join(", ")}</span>
              <span class="note">${this.#lastSuccess(endpoint)}</span>
              <span class="status ${endpoint.status}">${this.#texts.statuses[endpoint.status]}</span>
            </button>
          </li>`
      )}
    </ul>`
  }

  #lastSuccess({ last_success_at }: Endpoint): string {
    return last_success_at === null
      ? this.#texts.neverSucceeded
      : this.#texts.lastSuccess(relativeTime(new Date(last_success_at), new Date(), this.language))
  }

  #one(store: WebhooksStore): TemplateResult {
    const { endpoint } = store
    const back = button({
      label: this.#texts.back,
      icon: "back",
      kind: "quiet",
      onClick: () => this.context?.go("webhooks")
    })
    if (endpoint === undefined) {
      return html`<div class="way-back">${back}</div>
        ${store.endpoints === undefined ? loadingState(this.partMessages) : this.#failure(store, () => void store.load())}`
    }
    const isOff = endpoint.status === "disabled"
    return html`<div class="way-back">${back}</div>
      <div class="head">
        <div>
          <h1>${endpoint.url}</h1>
          <p class="quiet-text">
            <span class="status ${endpoint.status}">${this.#texts.statuses[endpoint.status]}</span>
            ${endpoint.status_reason === null ? nothing : this.#texts.reasons[endpoint.status_reason]}
            ${endpoint.events === null ? this.#texts.all : endpoint.events.join(", ")} · ${this.#lastSuccess(endpoint)}
          </p>
        </div>
        <div class="tools">
          ${button({
            label: this.#texts.test,
            icon: "send",
            kind: "primary",
            disabled: isOff,
            busy: store.busy === "test",
            onClick: () => void store.test(endpoint.id)
          })}
          ${button({ label: this.#texts.edit, onClick: () => this.#edit(draftOf(endpoint)) })}
          ${button({
            label: this.#texts.replay,
            icon: "refresh",
            disabled: isOff,
            onClick: () => this.#set(() => (this.#replayed = ""))
          })}
          ${button({
            label: isOff ? this.#texts.enable : this.#texts.disable,
            busy: store.busy === "update",
            onClick: () => void store.update(endpoint.id, { status: isOff ? "enabled" : "disabled" })
          })}
          ${button({ label: this.#texts.rotate, icon: "lock", onClick: () => void store.rotate(endpoint.id) })}
          ${button({
            label: this.#texts.remove,
            icon: "trash",
            kind: "danger",
            onClick: () => this.#set(() => (this.#isRemoving = true))
          })}
        </div>
      </div>
      <div class="head">
        <h2>${this.#texts.deliveries}</h2>
        ${button({
          label: this.#texts.refresh,
          icon: "refresh",
          kind: "quiet",
          busy: store.busy === "deliveries",
          onClick: () => void store.loadDeliveries()
        })}
      </div>
      ${this.#failure(store, () => void store.loadDeliveries())} ${this.#deliveries(store)}`
  }

  #deliveries(store: WebhooksStore): TemplateResult | typeof nothing {
    const { deliveries } = store
    if (deliveries === undefined) return store.failure === undefined ? loadingState(this.partMessages) : nothing
    if (deliveries.length === 0) {
      return emptyState({ heading: this.#texts.noDeliveries, text: this.#texts.noDeliveriesText, icon: "send" })
    }
    return html`<ul class="rows">
        ${repeat(
          deliveries,
          ({ id }) => id,
          (delivery) =>
            html`<li>
              <button class="row" type="button" @click=${() => void store.show(delivery)}>
                <span class="name">${delivery.event_type}</span>
                <span class="note">${this.#attempts(delivery)}</span>
                <span class="note">${timeOf(delivery.created_at, this.language, "long")}</span>
                <span class="status ${delivery.status}">${this.#texts.deliveryStatuses[delivery.status]}</span>
              </button>
            </li>`
        )}
      </ul>
      ${store.hasMore ? button({ label: this.#texts.more, onClick: () => void store.loadMore() }) : nothing}`
  }

  #attempts({ attempts, next_attempt_at }: Delivery): string {
    const next =
      next_attempt_at === null
        ? []
        : [this.#texts.nextAttempt(relativeTime(new Date(next_attempt_at), new Date(), this.language))]
    return [this.#texts.attempts(attempts), ...next].join(", ")
  }

  #delivery(store: WebhooksStore): TemplateResult {
    const { detail } = store
    return html`<loopbox-dialog
      heading=${detail?.event_type ?? ""}
      close-label=${this.partMessages.close}
      .open=${detail !== undefined}
      @close=${() => void store.show(undefined)}
    >
      ${detail === undefined ? nothing : this.#detail(store, detail)}
    </loopbox-dialog>`
  }

  #detail(store: WebhooksStore, detail: DeliveryDetail): TemplateResult {
    return html`<div class="detail">
      <div class="head">
        <span class="status ${detail.status}">${this.#texts.deliveryStatuses[detail.status]}</span>
        ${button({
          label: this.#texts.redeliver,
          icon: "refresh",
          busy: store.busy === "redeliver",
          onClick: () => void store.redeliver(detail)
        })}
      </div>
      ${store.failure === undefined ? nothing : errorLine(store.failure, this.partMessages)}
      <h2>${this.#texts.answers}</h2>
      ${detail.attempt_log.map(
        ({ at, duration_ms, error, response, status }) =>
          html`<div>
            <p>
              <strong>${status ?? this.#whyNoAnswer(error)}</strong>
              ${status === null && error !== null ? html`<code>${error}</code>` : nothing} ·
              ${this.#texts.milliseconds(duration_ms)} · ${timeOf(at, this.language, "long")}
            </p>
            ${response === null || response === "" ? nothing : html`<pre tabindex="0">${prettyBody(response)}</pre>`}
          </div>`
      )}
      ${detail.attempt_log.length === 0 ? html`<p class="quiet-text">${this.#texts.noAnswer}</p>` : nothing}
      <h2>${this.#texts.request}</h2>
      <pre tabindex="0">${requestText(detail)}</pre>
    </div>`
  }

  #whyNoAnswer(reason: string | null): string {
    const reasons: Readonly<Record<string, string>> = this.#texts.noAnswerReasons
    return reasons[reason ?? ""] ?? this.#texts.noAnswer
  }

  #form(store: WebhooksStore): TemplateResult {
    const draft = this.#draft ?? emptyDraft
    const field = (name: "url" | "events" | "description", hint?: string) =>
      textField({
        id: name,
        label: this.#texts[name],
        hint,
        value: draft[name],
        required: name === "url",
        onInput: (value) => this.#set(() => (this.#draft = { ...draft, [name]: value }))
      })
    return html`<loopbox-dialog
      heading=${store.opened === undefined ? this.#texts.addHeading : this.#texts.edit}
      close-label=${this.partMessages.close}
      .open=${this.#draft !== undefined}
      @close=${() => this.#set(() => (this.#draft = undefined))}
    >
      <form class="form" @submit=${(event: Event) => void this.#save(event, store, draft)}>
        ${store.failure === undefined ? nothing : errorLine(store.failure, this.partMessages)}
        ${field("url", this.#texts.urlHint)} ${field("events", this.#texts.eventsHint)} ${field("description")}
        <label class="check"
          ><input
            type="checkbox"
            .checked=${draft.is_ordered}
            @change=${() => this.#set(() => (this.#draft = { ...draft, is_ordered: !draft.is_ordered }))}
          />${this.#texts.ordered}</label
        >
        ${button({
          label: store.opened === undefined ? this.#texts.create : this.#texts.save,
          kind: "primary",
          type: "submit",
          busy: store.busy === "create" || store.busy === "update"
        })}
      </form>
    </loopbox-dialog>`
  }

  async #save(event: Event, store: WebhooksStore, draft: EndpointDraft): Promise<void> {
    event.preventDefault()
    const { opened } = store
    const isDone = await (opened === undefined ? store.create(draft) : store.update(opened, bodyOf(draft)))
    // What was typed stays where it is refused.
    if (isDone) this.#set(() => (this.#draft = undefined))
  }

  #secret(store: WebhooksStore): TemplateResult {
    const close = () =>
      this.#set(() => {
        store.secret = undefined
        this.#hasCopied = false
      })
    return html`<loopbox-dialog
      heading=${this.#texts.secretHeading}
      close-label=${this.partMessages.close}
      .open=${store.secret !== undefined}
      @close=${close}
    >
      <div class="detail">
        <p>${this.#texts.secretText}</p>
        <pre tabindex="0" data-first>${store.secret ?? ""}</pre>
        <div class="tools">
          ${button({
            label: this.#hasCopied ? this.#texts.copied : this.#texts.copy,
            onClick: () => void this.#copy(store.secret ?? "")
          })}
          ${button({ label: this.#texts.done, kind: "primary", onClick: close })}
        </div>
      </div>
    </loopbox-dialog>`
  }

  async #copy(text: string): Promise<void> {
    const isCopied = await copyText(text)
    this.#set(() => (this.#hasCopied = isCopied))
  }

  #removal(store: WebhooksStore): TemplateResult {
    const close = () => this.#set(() => (this.#isRemoving = false))
    const remove = async () => {
      if (await store.remove(store.opened ?? "")) this.context?.go("webhooks")
      close()
    }
    return html`<loopbox-dialog
      heading=${this.#texts.removeHeading}
      close-label=${this.partMessages.close}
      .open=${this.#isRemoving}
      @close=${close}
    >
      <div class="detail">
        <p>${this.#texts.removeText}</p>
        <div class="tools">
          ${button({ label: this.partMessages.cancel, onClick: close })}
          ${button({ label: this.#texts.remove, kind: "danger", busy: store.busy === "remove", onClick: () => void remove() })}
        </div>
      </div>
    </loopbox-dialog>`
  }

  #edit(draft: EndpointDraft): void {
    this.#set(() => (this.#draft = draft))
  }

  #set(change: () => void): void {
    change()
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-console-webhooks") === undefined)
  customElements.define("loopbox-console-webhooks", WebhooksView)
