import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { randomKey } from "../../base/randomKey.ts"
import { tokens } from "../../base/tokens.ts"
import { englishPosts, type PostsMessages } from "../../messages/english/posts.ts"
import { germanPosts } from "../../messages/german/posts.ts"
import { button } from "../../parts/button.ts"
import { controls } from "../../parts/controls.ts"
import { selectField, textField } from "../../parts/field.ts"
import { networkBadge, networkName } from "../../parts/networkBadge.ts"
import { plainText } from "../../parts/plainText.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import { fullTime } from "../../parts/times.ts"
import { timeOf } from "../../parts/Time.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { accountOf, emptyPost, mayRetry, type PostDraft } from "./PostDraft.ts"
import { type Account, type Post, PostsStore, type PostTarget } from "./PostsStore.ts"
import { postsStyles } from "./postsStyles.ts"

const times = ["now", "later", "draft"] as const

/** `<loopbox-console-posts>`: a post is written and judged while it is, and all posts with what became of them. */
export class PostsView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }
  static override styles = [tokens, controls, postsStyles]

  declare context: PageContext | undefined

  #store: PostsStore | undefined
  #client: PageContext["client"] | undefined
  #draft: PostDraft = emptyPost
  /** One for each draft, so that no click makes two posts of it. */
  #key = randomKey()

  get #texts(): PostsMessages {
    return messagesFor({ english: englishPosts, german: germanPosts }, this.language, this.messages)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#store?.stop()
    this.#store = undefined
    this.#client = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { context } = this
    if (!changed.has("context") || context === undefined || this.#client === context.client) return
    this.#client = context.client
    this.#store?.stop()
    this.#store = new PostsStore(context.client, () => this.requestUpdate())
    this.#store.start()
  }

  protected override render(): TemplateResult {
    const store = this.#store
    if (store === undefined) return loadingState(this.partMessages)
    return html`<div class="all">
      <div>
        <h1>${this.#texts.heading}</h1>
        <p class="quiet-text">${this.#texts.lead}</p>
      </div>
      ${store.failure === undefined ? nothing : errorLine(store.failure, this.partMessages)}
      ${store.accounts === undefined ? loadingState(this.partMessages) : this.#form(store, store.accounts)}
      <h2>${this.#texts.list}</h2>
      ${this.#list(store)}
    </div>`
  }

  #form(store: PostsStore, accounts: ReadonlyArray<Account>): TemplateResult {
    const texts = this.#texts
    const draft = this.#draft
    const isReady = draft.accountIds.length > 0 && (draft.when !== "later" || draft.at !== "")
    return html`<form class="form" aria-label=${texts.write} @submit=${(event: Event) => void this.#send(event, store)}>
      ${textField({
        id: "text",
        label: texts.text,
        rows: 4,
        value: draft.text,
        onInput: (text) => this.#write(store, { text })
      })}
      <fieldset>
        <legend>${texts.accounts}</legend>
        ${accounts.length === 0 ? html`<p class="quiet-text">${texts.noAccounts}</p>` : nothing}
        ${accounts.map((account) => this.#account(store, account))}
      </fieldset>
      <div class="pair">
        ${selectField({
          id: "media",
          label: texts.media,
          hint: texts.mediaHint,
          value: draft.mediaId,
          options: [
            { value: "", label: texts.noMedia },
            ...store.files.map(({ content_type, filename, id }) => ({
              value: id,
              label: `${filename ?? id} (${content_type})`
            }))
          ],
          onInput: (mediaId) => this.#write(store, { mediaId })
        })}
        ${selectField({
          id: "when",
          label: texts.when,
          value: draft.when,
          options: times.map((time) => ({ value: time, label: texts.times[time] })),
          onInput: (when) => this.#write(store, { when: times.find((time) => time === when) ?? "now" })
        })}
        ${
          draft.when !== "later"
            ? nothing
            : textField({
                id: "at",
                label: texts.at,
                hint: texts.atHint(Intl.DateTimeFormat().resolvedOptions().timeZone),
                type: "datetime-local",
                required: true,
                value: draft.at,
                onInput: (at) => this.#write(store, { at })
              })
        }
      </div>
      ${this.#general(store)}
      <div class="line">
        ${button({
          label: texts.send[draft.when],
          icon: "send",
          kind: "primary",
          type: "submit",
          disabled: !isReady,
          busy: store.busy === "create"
        })}
      </div>
    </form>`
  }

  #account(store: PostsStore, { id, name, network, username }: Account): TemplateResult {
    const { accountIds } = this.#draft
    const isChosen = accountIds.includes(id)
    const issues = (store.judgement?.issues ?? []).filter(({ path }) => accountOf(path, this.#draft) === id)
    const warnings = (store.judgement?.warnings ?? []).filter(({ path }) => accountOf(path, this.#draft) === id)
    return html`<div>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${isChosen}
          @change=${() =>
            this.#write(store, {
              accountIds: isChosen ? accountIds.filter((one) => one !== id) : [...accountIds, id]
            })}
        />${networkBadge(network)} <span>${name}</span>
        <span class="quiet-text">${username === null ? networkName(network) : `@${username}`}</span></label
      >
      ${issues.map(({ message }) => html`<p class="fault" role="alert">${networkName(network)}: ${message}</p>`)}
      ${warnings.map(({ message }) => html`<p class="warning">${networkName(network)}: ${message}</p>`)}
    </div>`
  }

  /** What is wrong with the whole, or that nothing is. */
  #general(store: PostsStore): TemplateResult | typeof nothing {
    const { judgement } = store
    if (judgement === undefined) return nothing
    if (judgement.valid) return html`<p class="good" role="status">${this.#texts.fits}</p>`
    const general = judgement.issues.filter(({ path }) => accountOf(path, this.#draft) === undefined)
    return html`${general.map(({ message, path }) => html`<p class="fault" role="alert">${path}: ${message}</p>`)}`
  }

  #list(store: PostsStore): TemplateResult | typeof nothing {
    if (store.posts === undefined) return store.failure === undefined ? loadingState(this.partMessages) : nothing
    if (store.posts.length === 0) {
      return emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "send" })
    }
    return html`<ul class="posts">
        ${store.posts.map((post) => this.#post(store, post))}
      </ul>
      ${store.hasMore ? button({ label: this.#texts.more, onClick: () => void store.loadMore() }) : nothing}`
  }

  #post(store: PostsStore, post: Post): TemplateResult {
    const texts = this.#texts
    const act = (label: string, work: () => Promise<boolean>) =>
      button({ label, busy: store.busy === post.id, onClick: () => void work() })
    return html`<li class="post" data-status=${post.status}>
      <div class="line">
        <span class="status ${post.status}">${texts.statuses[post.status]}</span>
        ${
          post.scheduled_at === null || post.status !== "scheduled"
            ? timeOf(post.created_at, this.language, "long")
            : html`<span>${texts.scheduledFor(fullTime(new Date(post.scheduled_at), this.language))}</span>`
        }
      </div>
      <p class="text">${post.text === null ? texts.noText : plainText(post.text)}</p>
      <ul>
        ${post.targets.map((target) => this.#target(store, post, target))}
      </ul>
      <div class="line">
        ${post.status === "draft" ? act(texts.publish, () => store.publish(post)) : nothing}
        ${post.status === "scheduled" ? act(texts.cancel, () => store.cancel(post)) : nothing}
        ${post.status === "draft" || post.status === "canceled" ? act(texts.remove, () => store.remove(post)) : nothing}
      </div>
    </li>`
  }

  #target(store: PostsStore, post: Post, target: PostTarget): TemplateResult {
    const texts = this.#texts
    const account = store.accounts?.find(({ id }) => id === target.social_account_id)
    return html`<li class="line">
      ${target.network === null ? nothing : networkBadge(target.network)}
      <span>${account?.name ?? target.social_account_id} ${texts.targets[target.status]}</span>
      ${target.error === null ? nothing : html`<span class="fault">${target.error.message} <code>${target.error.code}</code></span>`}
      ${
        target.url === null
          ? nothing
          : html`<a href=${target.url} target="_blank" rel="noopener noreferrer nofollow">${texts.openThere}</a>`
      }
      ${
        target.status === "published"
          ? html`<a href="/console/inbox" @click=${(event: Event) => this.#openInbox(event)}>${texts.answers}</a>`
          : nothing
      }
      ${mayRetry(target) ? button({ label: texts.retry, onClick: () => void store.retry(post, target) }) : nothing}
    </li>`
  }

  #openInbox(event: Event): void {
    event.preventDefault()
    this.context?.go("inbox")
  }

  #write(store: PostsStore, change: Partial<PostDraft>): void {
    this.#draft = { ...this.#draft, ...change }
    this.#key = randomKey()
    store.judge(this.#draft)
    this.requestUpdate()
  }

  async #send(event: Event, store: PostsStore): Promise<void> {
    event.preventDefault()
    // What was refused stays as it was written.
    if (await store.create(this.#draft, this.#key)) {
      this.#draft = emptyPost
      this.#key = randomKey()
      this.requestUpdate()
    }
  }
}

if (customElements.get("loopbox-console-posts") === undefined) customElements.define("loopbox-console-posts", PostsView)
