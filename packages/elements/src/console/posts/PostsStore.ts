import type { components, Loopbox } from "@loopbox/client"
import { type PostDraft, postBody } from "./PostDraft.ts"

export type Post = components["schemas"]["Post"]
export type PostTarget = components["schemas"]["PostTarget"]
export type Account = components["schemas"]["ConnectedAccount"]
type StoredFile = components["schemas"]["Media"]
type Judgement = components["schemas"]["PostJudgement"]

const scope = { inbox_scope: "workspace" } as const
const pageSize = 20
const judgeMs = 500
const lookMs = 2_000

const isMoving = ({ status }: Post): boolean => status === "publishing" || status === "scheduled"

/** What the page Posts shows: accounts and files to choose from, what the networks say of a draft, and all posts. */
export class PostsStore {
  readonly #client: Loopbox
  readonly #onChange: () => void
  #judging: ReturnType<typeof setTimeout> | undefined
  /** The draft as it stands: an answer about another one is dropped. */
  #judged: PostDraft | undefined
  #looking: ReturnType<typeof setInterval> | undefined
  #cursor: string | null = null
  accounts: ReadonlyArray<Account> | undefined
  files: ReadonlyArray<StoredFile> = []
  posts: ReadonlyArray<Post> | undefined
  judgement: Judgement | undefined
  failure: unknown
  busy: string | undefined

  constructor(client: Loopbox, onChange: () => void) {
    this.#client = client
    this.#onChange = onChange
  }

  get hasMore(): boolean {
    return this.#cursor !== null
  }

  start(): void {
    void this.load()
    this.#looking ??= setInterval(() => {
      if (!document.hidden && this.posts?.some(isMoving) === true) void this.#look().catch(() => undefined)
    }, lookMs)
  }

  stop(): void {
    clearInterval(this.#looking)
    clearTimeout(this.#judging)
    this.#looking = undefined
    this.#judged = undefined
  }

  load(): Promise<boolean> {
    return this.#run("load", async () => {
      const [accounts, files] = await Promise.all([
        this.#client.connectedAccounts.list({ ...scope, limit: 100 }),
        this.#client.media.list({ limit: 50 }),
        this.#look()
      ])
      this.accounts = accounts.data.filter(({ status }) => status !== "disconnected")
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

  create(draft: PostDraft, idempotencyKey: string): Promise<boolean> {
    return this.#run("create", async () => {
      const post = await this.#client.posts.create({ ...scope, ...postBody(draft) }, { idempotencyKey })
      clearTimeout(this.#judging)
      this.#judged = undefined
      this.judgement = undefined
      this.posts = [post, ...(this.posts ?? []).filter(({ id }) => id !== post.id)]
    })
  }

  publish(post: Post): Promise<boolean> {
    return this.#act(post, () => this.#client.posts.publish(post.id, scope))
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

  async #ask(draft: PostDraft): Promise<void> {
    const answered = await this.#client.posts.validate({ ...scope, ...postBody(draft) }).then(
      (judgement) => ({ judgement, failure: undefined }),
      (failure: unknown) => ({ judgement: undefined, failure })
    )
    if (this.#judged !== draft) return
    this.judgement = answered.judgement
    if (answered.failure !== undefined) this.failure = answered.failure
    this.#onChange()
  }

  #act(post: Post, work: () => Promise<unknown>): Promise<boolean> {
    return this.#run(post.id, async () => {
      await work()
      await this.#look()
    })
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
      this.failure = error
      return false
    } finally {
      this.busy = undefined
      this.#onChange()
    }
  }
}
