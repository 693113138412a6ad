import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { repeat } from "lit/directives/repeat.js"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { randomKey } from "../../base/randomKey.ts"
import { tokens } from "../../base/tokens.ts"
import { englishPosts, type PostsMessages } from "../../messages/english/posts.ts"
import { germanPosts } from "../../messages/german/posts.ts"
import { button } from "../../parts/button.ts"
import { controls } from "../../parts/controls.ts"
import { networkName } from "../../parts/networkBadge.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import "../../parts/Dialog.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { composeForm } from "./composeForm.ts"
import { postCard } from "./postCard.ts"
import { draftOf, emptyPost, momentOf, type PostDraft } from "./PostDraft.ts"
import { PostKeeper, type WrittenPost } from "./PostKeeper.ts"
import type { PostsState } from "./PostsState.ts"
import { type Post, PostsStore, type PostTarget } from "./PostsStore.ts"
import { postsStyles } from "./postsStyles.ts"

/** The browser's own store; undefined where it is closed to pages. */
const ownStorage = (): Storage | undefined => {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

const newPost = (): WrittenPost => ({ draft: emptyPost, key: randomKey() })

/** `<loopbox-console-posts>`: a post is written and judged while it is, and all posts with what became of them. */
export class PostsView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }
  static override styles = [tokens, controls, postsStyles]

  declare context: PageContext | undefined

  #store: PostsStore | undefined
  #keeper = new PostKeeper(undefined, "")
  #client: PageContext["client"] | undefined
  #written: WrittenPost = newPost()
  #search = ""
  #moving: PostsState["moving"]
  #removing: { readonly post: Post; readonly target: PostTarget } | undefined

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
    const { client, host, workspaceId } = context
    this.#client = client
    this.#store?.stop()
    this.#store = new PostsStore(client, { workspaceId, onAnswer: (sent) => host.noteSent(sent) }, () =>
      this.requestUpdate()
    )
    this.#store.start()
    this.#keeper = new PostKeeper(ownStorage(), workspaceId)
    this.#written = this.#keeper.read()
    this.#moving = undefined
    if (this.#written.draft.accountIds.length > 0) this.#store.judge(this.#written.draft)
  }

  protected override render(): TemplateResult {
    const store = this.#store
    if (store === undefined) return loadingState(this.partMessages)
    const page = this.#page(store)
    const isLoading = (store.accounts === undefined || store.posts === undefined) && store.failure === undefined
    return html`<div class="all">
        <div>
          <h1>${this.#texts.heading}</h1>
          <p class="quiet-text">${this.#texts.lead}</p>
        </div>
        ${
          store.failure === undefined || store.failedAt !== "load"
            ? nothing
            : errorLine(
                store.failure,
                this.partMessages,
                store.accounts === undefined ? () => void store.load() : undefined
              )
        }
        ${isLoading ? loadingState(this.partMessages) : nothing}
        ${store.accounts === undefined ? nothing : composeForm(page, store.accounts)}
        ${store.posts === undefined ? nothing : this.#list(page, store.posts)}
      </div>
      ${this.#removal(store)}`
  }

  #page(store: PostsStore): PostsState {
    return {
      store,
      draft: this.#written.draft,
      texts: this.#texts,
      partMessages: this.partMessages,
      language: this.language,
      search: this.#search,
      moving: this.#moving,
      write: (draft) => this.#write(store, draft),
      find: (search) => this.#set(() => (this.#search = search)),
      send: () => void this.#send(store),
      upload: (file) => void this.#upload(store, file),
      edit: (post) => this.#edit(store, post),
      dismiss: () => this.#write(store, emptyPost),
      setMoving: (moving) => this.#set(() => (this.#moving = moving)),
      move: (post, at) => void this.#move(store, post, at),
      askRemoval: (post, target) => this.#set(() => (this.#removing = { post, target })),
      openThread: (event, threadId) => {
        // Into another tab the browser goes by itself.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        this.context?.go("inbox", threadId)
      }
    }
  }

  #list(page: PostsState, posts: ReadonlyArray<Post>): TemplateResult {
    const { store } = page
    const heading = html`<h2>${this.#texts.list}</h2>`
    if (posts.length === 0) {
      return html`${heading}${emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "send" })}`
    }
    return html`${heading}
      <ul class="posts">
        ${repeat(
          posts,
          ({ id }) => id,
          (post) => postCard(page, post)
        )}
      </ul>
      ${
        store.hasMore
          ? button({ label: this.#texts.more, busy: store.busy === "more", onClick: () => void store.loadMore() })
          : nothing
      }
      ${store.failure === undefined || store.failedAt !== "more" ? nothing : errorLine(store.failure, this.partMessages)}`
  }

  #removal(store: PostsStore): TemplateResult {
    const texts = this.#texts
    const removing = this.#removing
    const close = (): void => this.#set(() => (this.#removing = undefined))
    return html`<loopbox-dialog
      .heading=${texts.removeThereHeading}
      .closeLabel=${this.partMessages.close}
      .open=${removing !== undefined}
      @close=${close}
    >
      <p>${texts.removeThereText(networkName(removing?.target.network ?? ""))}</p>
      <span slot="actions">${button({ label: this.partMessages.cancel, onClick: close })}</span>
      <span slot="actions"
        >${button({
          label: texts.removeThere,
          kind: "danger",
          onClick: () => {
            close()
            if (removing !== undefined) void store.removeTarget(removing.post, removing.target)
          }
        })}</span
      >
    </loopbox-dialog>`
  }

  #write(store: PostsStore, draft: PostDraft): void {
    this.#written = { draft, key: randomKey() }
    this.#keeper.write(this.#written)
    store.judge(draft)
    this.requestUpdate()
  }

  #edit(store: PostsStore, post: Post): void {
    this.#write(store, draftOf(post))
    void this.updateComplete.then(() => {
      const text = this.renderRoot.querySelector("#text")
      if (text instanceof HTMLElement) text.focus()
    })
  }

  async #send(store: PostsStore): Promise<void> {
    const sent = this.#written
    // What was refused stays as it was written.
    if (!(await store.send(sent.draft, sent.key)) || this.#written !== sent) return
    this.#written = newPost()
    this.#keeper.write(this.#written)
    this.announce(this.#texts.done[sent.draft.when])
    this.requestUpdate()
  }

  async #upload(store: PostsStore, file: File): Promise<void> {
    const id = await store.upload(file)
    const { draft } = this.#written
    if (id !== undefined) this.#write(store, { ...draft, mediaIds: [...draft.mediaIds, id] })
  }

  async #move(store: PostsStore, post: Post, at: string): Promise<void> {
    if (await store.move(post, momentOf(at))) this.#set(() => (this.#moving = undefined))
  }

  #set(change: () => void): void {
    change()
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-console-posts") === undefined) customElements.define("loopbox-console-posts", PostsView)
