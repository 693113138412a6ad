import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { repeat } from "lit/directives/repeat.js"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { tokens } from "../../base/tokens.ts"
import { englishSandbox, type SandboxMessages } from "../../messages/english/sandbox.ts"
import { germanSandbox } from "../../messages/german/sandbox.ts"
import { button } from "../../parts/button.ts"
import { controls } from "../../parts/controls.ts"
import { selectField, textField } from "../../parts/field.ts"
import { networkName } from "../../parts/networkBadge.ts"
import { plainText } from "../../parts/plainText.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import { tabs } from "../../parts/tabs.ts"
import { timeOf } from "../../parts/Time.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { accountsBox, faultsBox } from "./breaking.ts"
import { firstFault } from "./SandboxFault.ts"
import { type SandboxNetwork, sandboxNetworks } from "./SandboxNetwork.ts"
import { type SandboxItem, SandboxStore, type Written } from "./SandboxStore.ts"
import { keepTyped, readTyped } from "./typedText.ts"
import { sandboxStyles } from "./sandboxStyles.ts"

const kinds = ["comment", "message", "mention"] as const

const isKind = (text: string): text is Written["kind"] => kinds.some((kind) => kind === text)

/** `<loopbox-console-sandbox>`: a person's side of the simulated networks. */
export class SandboxView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }
  static override styles = [tokens, controls, sandboxStyles]

  declare context: PageContext | undefined

  #store: SandboxStore | undefined
  #from = "Ann Lee"
  #kind: Written["kind"] = "comment"
  #text = readTyped()
  #under: SandboxItem | undefined
  #editing: { readonly id: string; readonly text: string } | undefined
  #fault = firstFault("instagram")

  get #texts(): SandboxMessages {
    return messagesFor({ english: englishSandbox, german: germanSandbox }, this.language, this.messages)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#store?.start()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#store?.stop()
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("context") || this.context === undefined || this.#store !== undefined) return
    this.#store = new SandboxStore(this.context.host, () => this.requestUpdate())
    this.#store.start()
  }

  protected override render(): TemplateResult {
    const store = this.#store
    if (store === undefined) return loadingState(this.partMessages)
    const texts = this.#texts
    const breaking = this.#breaking(store)
    return html`<div class="all">
      <div class="head">
        <div>
          <h1>${texts.heading}</h1>
          <p class="quiet-text">${texts.lead}</p>
        </div>
        ${tabs<SandboxNetwork>({
          label: texts.network,
          tabs: sandboxNetworks.map((id) => ({ id, label: networkName(id) })),
          selected: store.network,
          panel: "network",
          onSelect: (network) => {
            this.#under = undefined
            this.#fault = { ...this.#fault, endpoint: firstFault(network).endpoint, accountId: "" }
            store.choose(network)
          }
        })}
      </div>
      <div class="all" id="network" role="tabpanel" aria-label=${networkName(store.network)}>
        ${store.failure === undefined ? nothing : errorLine(store.failure, this.partMessages)}
        ${store.away === undefined ? nothing : errorLine(store.away, this.partMessages, () => void store.look())}
        <div class="columns">
          <div class="all">${this.#writing(store)} ${accountsBox(breaking)}</div>
          ${faultsBox(breaking)}
        </div>
        <h2>${texts.there}</h2>
        ${this.#items(store)}
      </div>
    </div>`
  }

  #writing(store: SandboxStore): TemplateResult {
    const texts = this.#texts
    return html`<form class="box" aria-label=${texts.write} @submit=${(event: Event) => void this.#write(event, store)}>
      <h2>${texts.write}</h2>
      <div class="pair">
        ${textField({
          id: "from",
          label: texts.from,
          hint: texts.fromHint,
          value: this.#from,
          required: true,
          onInput: (value) => this.#set(() => (this.#from = value))
        })}
        ${selectField({
          id: "kind",
          label: texts.kind,
          value: this.#kind,
          options: kinds.map((kind) => ({ value: kind, label: texts.kinds[kind] })),
          onInput: (kind) => this.#set(() => (this.#kind = isKind(kind) ? kind : "comment"))
        })}
      </div>
      ${
        this.#under === undefined
          ? nothing
          : html`<p class="quiet-text">
              ${texts.under(this.#under.text)}
              ${button({ label: texts.notUnder, kind: "quiet", onClick: () => this.#set(() => (this.#under = undefined)) })}
            </p>`
      }
      ${textField({
        id: "text",
        label: texts.text,
        rows: 3,
        value: this.#text,
        required: true,
        onInput: (value) => this.#type(value)
      })}
      <div class="head">
        <p class="told" role="status">${store.told === undefined ? "" : store.told ? texts.told : texts.notTold}</p>
        <div class="tools">
          ${button({
            label: texts.crowd,
            busy: store.busy === "crowd",
            onClick: () => void store.writeMany(this.#kind, this.#under)
          })}
          ${button({ label: texts.send, icon: "send", kind: "primary", type: "submit", busy: store.busy === "write" })}
        </div>
      </div>
    </form>`
  }

  async #write(event: Event, store: SandboxStore): Promise<void> {
    event.preventDefault()
    const { network } = store
    const written = { network, kind: this.#kind, from: this.#from, text: this.#text, under: this.#under }
    // What was refused stays where it was typed.
    if (await store.write(written)) {
      // What was typed meanwhile stays, too.
      if (this.#text === written.text) this.#type("")
      this.#set(() => (this.#under = undefined))
    }
  }

  #type(text: string): void {
    keepTyped(text)
    this.#set(() => (this.#text = text))
  }

  #breaking(store: SandboxStore): Parameters<typeof faultsBox>[0] {
    return {
      store,
      texts: this.#texts,
      chosen: this.#fault,
      choose: (change) => this.#set(() => (this.#fault = { ...this.#fault, ...change })),
      openAccounts: (event) => {
        event.preventDefault()
        this.context?.go("accounts")
      }
    }
  }

  #items(store: SandboxStore): TemplateResult | typeof nothing {
    if (store.items === undefined) return store.away === undefined ? loadingState(this.partMessages) : nothing
    if (store.items.length === 0) {
      return emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "note" })
    }
    return html`<ul class="rows">
      ${repeat(
        store.items,
        ({ id }) => id,
        (item) => this.#item(store, item)
      )}
    </ul>`
  }

  #item(store: SandboxStore, item: SandboxItem): TemplateResult {
    const texts = this.#texts
    const notes = [
      texts[item.kind],
      ...(item.is_sent_by_loopbox ? [texts.byLoopbox] : []),
      ...(item.is_deleted ? [texts.deleted] : []),
      ...(item.is_hidden ? [texts.hidden] : []),
      ...(item.edits > 0 ? [texts.edited] : [])
    ]
    const editing = this.#editing?.id === item.id ? this.#editing : undefined
    return html`<li class=${item.is_deleted ? "is-gone" : ""} data-id=${item.id}>
      <div class="words">
        <p>
          <strong>${item.author.name}</strong>
          <span class="quiet-text">${notes.join(" · ")} · ${timeOf(item.written_at, this.language)}</span>
        </p>
        ${editing === undefined ? html`<p class="text">${plainText(item.text, this.partMessages)}</p>` : this.#edit(store, item, editing.text)}
      </div>
      ${item.is_deleted ? nothing : this.#tools(store, item)}
    </li>`
  }

  #edit(store: SandboxStore, item: SandboxItem, text: string): TemplateResult {
    const save = async () => {
      if (await store.edit(item, text)) this.#set(() => (this.#editing = undefined))
    }
    return html`${textField({
      id: `edit-${item.id}`,
      label: this.#texts.text,
      hideLabel: true,
      value: text,
      onInput: (value) => this.#set(() => (this.#editing = { id: item.id, text: value })),
      onEnter: () => void save()
    })}
    ${button({ label: this.#texts.save, kind: "primary", onClick: () => void save() })}
    ${button({ label: this.partMessages.cancel, onClick: () => this.#set(() => (this.#editing = undefined)) })}`
  }

  #tools(store: SandboxStore, item: SandboxItem): TemplateResult {
    const texts = this.#texts
    const canAnswer = item.kind !== "message"
    return html`<div class="tools">
      ${
        canAnswer
          ? button({
              label: texts.answer,
              icon: "reply",
              iconOnly: true,
              kind: "quiet",
              onClick: () => this.#set(() => (this.#under = item))
            })
          : nothing
      }
      ${
        item.is_own
          ? nothing
          : html`${button({
              label: texts.edit,
              icon: "note",
              iconOnly: true,
              kind: "quiet",
              onClick: () => this.#set(() => (this.#editing = { id: item.id, text: item.text }))
            })}
            ${button({
              label: texts.remove,
              icon: "trash",
              iconOnly: true,
              kind: "quiet",
              onClick: () => void store.remove(item)
            })}`
      }
    </div>`
  }

  #set(change: () => void): void {
    change()
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-console-sandbox") === undefined)
  customElements.define("loopbox-console-sandbox", SandboxView)
