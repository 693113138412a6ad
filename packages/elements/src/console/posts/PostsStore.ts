import type { components, Loopbox } from "@loopbox/client"
import { isLoopboxError } from "../../base/isLoopboxError.ts"
import { followInbox } from "../../base/followInbox.ts"
import { uploadFile, type UploadOptions } from "../media/uploadFile.ts"
import { changeBody, type PostDraft, postBody } from "./PostDraft.ts"

export type Post = components["schemas"]["Post"]
export type PostTarget = components["schemas"]["PostTarget"]
export type Account = components["schemas"]["ConnectedAccount"]
export type Item = components["schemas"]["InboxItem"]
export type StoredFile = components["schemas"]["Media"]
type Judgement = components["schemas"]["PostJudgement"]

const scope = { inbox_scope: "workspace" } as const
const pageSize = 20
const judgeMs = 500
/** Of more, the page names the first ones. */
const mostAccounts = 1_000
const answersShown = 20

const hasPost = (event: object): event is { readonly post: Post } => "post" in event

/** What the page Posts shows: accounts and files to choose from, what the networks say of a draft, and all posts. */
export class PostsStore {
  readonly #client: Loopbox
  readonly #upload: Pick<UploadOptions, "onAnswer" | "workspaceId">
  readonly #onChange: () => void
  readonly #stopped = new AbortController()
  #judging: ReturnType<typeof setTimeout> | undefined
  /** The draft as it stands: an answer about another one is dropped. */
  #judged: PostDraft | undefined
  #cursor: string | null = null
  accounts: ReadonlyArray<Account> | undefined
  files: ReadonlyArray<StoredFile> = []
  posts: ReadonlyArray<Post> | undefined
  /** What people answered to posts, by post; asked for when it is opened. */
  readonly answers = new Map<string, ReadonlyArray<Item>>()
  judgement: Judgement | undefined
  failure: unknown
  /** What failed, so that it is told where one looks: `send`, `upload`, `judge`, `more`, a post's id, or `load`. */
  failedAt = "load"
  busy: string | undefined
  /** How much of a file has been sent, from 0 to 1; undefined where none is on its way. */
  sent: number | undefined

  constructor(client: Loopbox, upload: Pick<UploadOptions, "onAnswer" | "workspaceId">, onChange: () => void) {
    this.#client = client
    this.#upload = upload
    this.#onChange = onChange
  }

  get hasMore(): boolean {
    return this.#cursor !== null
  }

  /** Loads, and follows what becomes of posts until it is stopped. */
  start(): void {
    void this.load()
    followInbox({
      client: this.#client,
      scope,
      workspaceId: this.#upload.workspaceId,
      signal: this.#stopped.signal,
      connected: () => void this.#look().catch(() => undefined),
      event: (event) => {
        if (event.type === "resync_required") void this.#look().catch(() => undefined)
        else if (event.type === "inbox.new_item") this.#takeAnswer(event.item)
        else if (hasPost(event)) this.#take(event.post)
      },
      refused: (error) => this.#fail(error)
    })
  }

  stop(): void {
    this.#stopped.abort()
    clearTimeout(this.#judging)
    this.#judged = undefined
  }

  load(): Promise<boolean> {
    return this.#run("load", async () => {
      const [files] = await Promise.all([this.#client.media.list({ limit: 50 }), this.#loadAccounts(), this.#look()])
      this.files = files.data.filter(({ content_type, status }) => status === "ready" && content_type !== "image/gif")
    })
  }

  loadMore(): Promise<boolean> {
    return this.#run("more", async () => {
      const page = await this.#client.posts.list({ ...scope, limit: pageSize, cursor: this.#cursor ?? undefined })
      this.posts = [...(this.posts ?? []), ...page.data]
      this.#cursor = page.nextCursor
    })
  }

  /** Asks what the networks would say, once the writing rests. */
  judge(draft: PostDraft): void {
    clearTimeout(this.#judging)
    this.judgement = undefined
    this.failure = undefined
    this.#judged = draft
    if (draft.accountIds.length > 0) this.#judging = setTimeout(() => void this.#ask(draft), judgeMs)
    this.#onChange()
  }

  /** Publishes, plans or keeps what was written; a kept draft is changed. Refused, it says at each account why. */
  async send(draft: PostDraft, idempotencyKey: string): Promise<boolean> {
    const isSent = await this.#run("send", async () => {
      const post =
        draft.changes === undefined
          ? await this.#client.posts.create({ ...scope, ...postBody(draft) }, { idempotencyKey })
          : await this.#change(draft.changes, draft)
      clearTimeout(this.#judging)
      this.#judged = undefined
      this.judgement = undefined
      this.#take(post)
    })
    if (!isSent && isLoopboxError(this.failure) && this.failure.code === "VALIDATION_ERROR") await this.#ask(draft)
    return isSent
  }

  /** Uploads a file, and gives its id; undefined where that failed. */
  async upload(file: File): Promise<string | undefined> {
    let id: string | undefined
    this.sent = 0
    await this.#run("upload", async () => {
      try {
        const onProgress = (sent: number): void => {
          this.sent = sent
          this.#onChange()
        }
        const { signal } = this.#stopped
        const uploaded = await uploadFile(file, { ...this.#upload, onProgress, signal })
        this.files = [await this.#client.media.find(uploaded, {}), ...this.files]
        id = uploaded
      } finally {
        this.sent = undefined
      }
    })
    return id
  }

  publish(post: Post): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.publish(post.id, scope))
  }

  /** Gives a scheduled post another time. */
  move(post: Post, scheduled_at: string | null): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.edit(post.id, { ...scope, scheduled_at }))
  }

  cancel(post: Post): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.cancel(post.id, scope))
  }

  remove(post: Post): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.remove(post.id, scope))
  }

  retry(post: Post, target: PostTarget): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.retryTarget(post.id, target.id, scope))
  }

  /** Deletes what was published, at its network. */
  removeTarget(post: Post, target: PostTarget): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.removeTarget(post.id, target.id, scope))
  }

  /** Reads what people answered; again, it is out of sight. */
  toggleAnswers({ id }: Post): Promise<boolean> {
    if (this.answers.delete(id)) {
      this.#onChange()
      return Promise.resolve(true)
    }
    return this.#run(`answers:${id}`, async () => {
      const page = await this.#client.inbox.list({ ...scope, post_id: id, is_own: false, limit: answersShown })
      this.answers.set(id, page.data)
    })
  }

  async #change(id: string, draft: PostDraft): Promise<Post> {
    const changed = await this.#client.posts.edit(id, { ...scope, ...changeBody(draft) })
    return draft.when === "draft" ? changed : await this.#client.posts.publish(id, scope)
  }

  async #loadAccounts(): Promise<void> {
    const accounts: Array<Account> = []
    for await (const account of this.#client.connectedAccounts.list({ ...scope, limit: 100 })) {
      if (account.status !== "disconnected") accounts.push(account)
      if (accounts.length >= mostAccounts) break
    }
    this.accounts = accounts
  }

  async #ask(draft: PostDraft): Promise<void> {
    const answered = await this.#client.posts.validate({ ...scope, ...postBody(draft) }).then(
      (judgement) => ({ judgement, failure: undefined }),
      (failure: unknown) => ({ judgement: undefined, failure })
    )
    if (this.#judged !== draft) return
    this.judgement = answered.judgement
    if (answered.failure !== undefined) this.#fail(answered.failure, "judge")
    this.#onChange()
  }

  #act(post: Post, work: () => Promise<unknown>): Promise<boolean> {
    return this.#run(post.id, async () => {
      await work()
      await this.#look()
    })
  }

  /** A post as it is now; one that is not in the list is the newest. */
  #take(post: Post): void {
    const posts = this.posts ?? []
    const known = posts.find(({ id }) => id === post.id)
    if (known !== undefined && known.updated_at > post.updated_at) return
    this.posts = known === undefined ? [post, ...posts] : posts.map((one) => (one === known ? post : one))
    this.#onChange()
  }

  #takeAnswer(item: Item): void {
    const there = item.post_id === null ? undefined : this.answers.get(item.post_id)
    if (there === undefined || item.post_id === null || item.is_own) return
    this.answers.set(item.post_id, [item, ...there.filter(({ id }) => id !== item.id)])
    this.#onChange()
  }

  #fail(error: unknown, at = "load"): void {
    this.failure = error
    this.failedAt = at
    this.#onChange()
  }

  /** The newest page anew; what was loaded behind it stays. */
  async #look(): Promise<void> {
    const page = await this.#client.posts.list({ ...scope, limit: pageSize })
    const newest = new Set(page.data.map(({ id }) => id))
    const last = page.data.at(-1)?.created_at ?? ""
    const older = (this.posts ?? []).filter(({ created_at, id }) => !newest.has(id) && created_at < last)
    this.posts = [...page.data, ...older]
    if (older.length === 0) this.#cursor = page.nextCursor
    this.#onChange()
  }

  async #run(name: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = name
    this.failure = undefined
    this.#onChange()
    try {
      await work()
      return true
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#fail(error, name)
      return false
    } finally {
      this.busy = undefined
      this.#onChange()
    }
  }
}
