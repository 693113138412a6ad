import { randomKey } from "../base/randomKey.ts"
import { isLoopboxError } from "../base/isLoopboxError.ts"
import { readUpTo } from "../base/readUpTo.ts"
import { type Answer, type AnswerState, begin, fail, follow, isOf } from "./Answer.ts"
import type { InboxSetting, LoadState } from "./ConversationList.ts"
import { type Composing, type Kept, Keeper, plainReply } from "./Keeper.ts"
import type { Account, Item, MediaContext, Note, Operation, Thread } from "./records.ts"
import { ThreadItems } from "./ThreadItems.ts"

const pageSize = 50
const mostNotes = 1_000
/** So long after a person sent it an answer still goes out by itself; later it would be by surprise. */
const promptMs = 60_000

/** The conversation that is open: its items, notes, post, and answers on their way. */
export class OpenThread {
  readonly id: string
  readonly #setting: InboxSetting
  readonly #keeper: Keeper
  readonly #ending = new AbortController()
  readonly #items = new ThreadItems()
  /** Its own items that this page has sent. */
  readonly #sent = new Set<string>()
  thread: Thread | undefined
  state: LoadState = "loading"
  error: unknown
  isLoadingOlder = false
  notes: ReadonlyArray<Note> = []
  /** Its account, where something keeps one from answering; undefined until it is read. */
  account: Account | undefined
  context: MediaContext | undefined
  contextState: LoadState = "loading"
  kept: Kept
  /** What was done last and failed. */
  actionError: unknown
  /** Keys of answers whose call is running. */
  readonly #delivering = new Set<string>()
  /** Items and controls whose work is running, by a name. */
  readonly busy = new Set<string>()
  /** Told when the host has given the thread's record anew. */
  readonly #took: (thread: Thread) => void

  constructor(id: string, setting: InboxSetting, keeper: Keeper, took: (thread: Thread) => void) {
    this.id = id
    this.#setting = setting
    this.#keeper = keeper
    this.#took = took
    const kept = keeper.read(id)
    // Without a half-written one the next answer goes to whom it always goes.
    const other: Composing = kept.note === "" ? plainReply : { itemId: null, mode: "note" }
    this.kept = kept.text === "" ? { ...kept, composing: other } : kept
  }

  get composing(): Composing {
    return this.kept.composing
  }

  /** Oldest first, as a conversation is read. */
  get items(): ReadonlyArray<Item> {
    return this.#items.ordered
  }

  get answers(): ReadonlyArray<Answer> {
    return this.kept.answers
  }

  get hasOlder(): boolean {
    return this.#items.cursor !== null
  }

  /** The item that an answer would go to. */
  get target(): Item | undefined {
    const wanted = this.composing.mode === "private" ? "private_reply" : "reply"
    if (this.composing.itemId !== null) {
      const chosen = this.#items.find(this.composing.itemId)
      if (chosen !== undefined) return chosen
    }
    const others = this.items.filter(({ is_own }) => !is_own)
    return others.findLast(({ capabilities }) => capabilities.includes(wanted)) ?? others.at(-1)
  }

  /** Its account has changed, and so may what can be done here. */
  loadOf(account: Account): Promise<void> {
    this.account = account
    return this.load()
  }

  /** Reads its newest page; `isAnew` forgets what is older, of which nobody told what became. */
  async load(isAnew = false): Promise<void> {
    const { client, scope } = this.#setting
    const { signal } = this.#ending
    this.state = "loading"
    this.error = undefined
    this.#setting.changed()
    const began = this.#items.now
    await Promise.all([
      client.threads.find(this.id, { ...scope }, { signal }),
      client.threads.items(this.id, { ...scope, limit: pageSize, order: "newest" }, { signal })
    ]).then(
      ([thread, { data, nextCursor }]) => {
        this.thread = thread
        this.#took(thread)
        this.#items.takeNewest(data, nextCursor, began, isAnew)
        this.state = "ready"
        this.#loadContext()
        void this.#loadAccount()
        this.#checkAnswers()
      },
      (error: unknown) => {
        if (signal.aborted) return
        this.state = "failed"
        this.error = error
      }
    )
    if (!signal.aborted) this.#setting.changed()
    await this.loadNotes()
  }

  async loadNotes(): Promise<void> {
    const { client, scope } = this.#setting
    const { signal } = this.#ending
    await readUpTo(mostNotes, client.notes.list(this.id, { ...scope, limit: 100 }, { signal })).then(
      (notes) => {
        this.notes = notes
      },
      // The conversation itself is there; notes come with the next load.
      () => undefined
    )
    if (!signal.aborted) this.#setting.changed()
  }

  async loadOlder(): Promise<void> {
    const { cursor } = this.#items
    if (cursor === null || this.isLoadingOlder) return
    const { client, scope } = this.#setting
    const { signal } = this.#ending
    this.isLoadingOlder = true
    this.#setting.changed()
    const began = this.#items.now
    await client.threads.items(this.id, { ...scope, limit: pageSize, order: "newest", cursor }, { signal }).then(
      ({ data, nextCursor }) => {
        this.#items.takeOlder(data, nextCursor, began)
      },
      (error: unknown) => {
        this.actionError = error
      }
    )
    this.isLoadingOlder = false
    if (!signal.aborted) this.#setting.changed()
  }

  /** Takes an item as an event or an answer tells it. */
  takeItem(item: Item): void {
    this.#items.take(item)
    if (item.is_own) this.#dropAnswer(item)
  }

  removeItem(id: string): void {
    this.#items.remove(id)
  }

  has(id: string): boolean {
    return this.#items.find(id) !== undefined
  }

  /** Whether it is an answer that was sent from here. */
  isSent(id: string): boolean {
    return this.#sent.has(id)
  }

  takeNote(note: Note): void {
    this.notes = [...this.notes.filter(({ id }) => id !== note.id), note]
  }

  removeNote(id: string): void {
    this.notes = this.notes.filter((note) => note.id !== id)
  }

  takeOperation(operation: Operation): void {
    const answer = this.answers.find((one) => isOf(one, operation))
    if (answer === undefined) return
    const next = follow(answer, operation)
    const item = operation.response_item_id === null ? undefined : this.#items.find(operation.response_item_id)
    if (next.state === "sent" && item !== undefined) {
      this.#setAnswers(this.answers.filter(({ key }) => key !== answer.key))
      this.#isDone(item.id, answer.state)
    } else this.#setAnswer(next)
  }

  keep(change: Partial<Kept>): void {
    this.kept = { ...this.kept, ...change }
    const { composing, ...words } = change
    // Whom an answer is for goes along with its words: before the first of them nothing was kept. A note is for nobody.
    const isAnswer = this.composing.mode !== "note" && (composing !== undefined || "text" in change)
    this.#keeper.write(this.id, isAnswer ? { ...words, composing: this.composing } : words)
  }

  /** Keeps what is being typed, and shows it. */
  write(change: Partial<Kept>): void {
    this.keep(change)
    this.#setting.changed()
  }

  compose(composing: Partial<Composing>): void {
    this.write({ composing: { ...this.composing, ...composing } })
  }

  /** Sends what is written, to the target, under a key of its own. */
  send(): Answer | undefined {
    const { target } = this
    const text = this.kept.text.trim()
    if (text === "" || target === undefined) return undefined
    const isPrivate = this.composing.mode === "private"
    const at = this.#setting.now().toISOString()
    const answer = begin({ key: randomKey(), itemId: target.id, text, isPrivate, at })
    this.keep({ text: "", composing: plainReply, answers: [...this.answers, answer] })
    this.#setting.changed()
    void this.#deliver(answer)
    return answer
  }

  /** Sends an answer again under its key, which never sends it twice. */
  retry(key: string): void {
    const answer = this.answers.find((one) => one.key === key)
    if (answer === undefined || answer.state !== "failed") return
    const again: Answer = { ...answer, state: "sending", failure: null, remedy: "none" }
    this.#setAnswer(again)
    void this.#deliver(again)
  }

  /** Puts a failed answer back where it can be changed. */
  edit(key: string): void {
    const answer = this.answers.find((one) => one.key === key)
    if (answer === undefined) return
    const text = this.kept.text.trim() === "" ? answer.text : `${this.kept.text}\n${answer.text}`
    const composing: Composing = { itemId: answer.itemId, mode: answer.isPrivate ? "private" : "reply" }
    this.keep({ text, composing, answers: this.answers.filter((one) => one.key !== key) })
    this.#setting.changed()
  }

  drop(key: string): void {
    this.#setAnswers(this.answers.filter((one) => one.key !== key))
  }

  /** What has just failed for want of a connection is sent now that there is one. */
  retryLost(): void {
    for (const answer of this.answers) {
      if (answer.failure?.code === "CONNECTION_FAILED" && this.#isPrompt(answer)) this.retry(answer.key)
    }
  }

  /**
   * Runs work that a person asked for; its failure is shown above the conversation until they ask for something more. Of what has
   * waited for other work they have not seen yet how that ended.
   */
  async act(name: string, work: () => Promise<unknown>, hasWaited = false): Promise<boolean> {
    if (this.busy.has(name)) return false
    this.busy.add(name)
    if (!hasWaited) this.actionError = undefined
    this.#setting.changed()
    const isDone = await work().then(
      () => true,
      (error: unknown) => {
        this.actionError = error
        return false
      }
    )
    this.busy.delete(name)
    this.#setting.changed()
    return isDone
  }

  end(): void {
    this.#ending.abort()
  }

  async #deliver(answer: Answer): Promise<void> {
    const { client, scope } = this.#setting
    this.#delivering.add(answer.key)
    const plain = { ...scope, text: answer.text }
    const isLate = this.#items.find(answer.itemId)?.reply_window?.mode === "human_agent"
    // It is a person who writes here, as the network demands after a day.
    const members = isLate ? { ...plain, tag: "human_agent" as const } : plain
    const options = { idempotencyKey: answer.key }
    // Not ended with the thread: what a person sent goes on while they read another conversation.
    const sent = answer.isPrivate
      ? client.outbound.privateReply(answer.itemId, plain, options)
      : client.outbound.reply(answer.itemId, members, options)
    await sent.then(
      (item) => {
        if (item.thread_id === this.id) this.takeItem(item)
        this.#isDone(item.id)
        this.#setAnswers(this.answers.filter(({ key }) => key !== answer.key))
      },
      (error: unknown) => {
        const current = this.answers.find(({ key }) => key === answer.key)
        if (current !== undefined) this.#setAnswer(fail(current, error))
      }
    )
    this.#delivering.delete(answer.key)
  }

  #isPrompt({ at }: Answer): boolean {
    return this.#setting.now().getTime() - Date.parse(at) < promptMs
  }

  /** Nobody has said here what became of it: it goes on at once, or once a person asks for it again. */
  #goOn(answer: Answer): void {
    // Times of the same form, which are in order as texts.
    const isThere = this.items.some((item) => item.is_own && item.body === answer.text && item.created_at >= answer.at)
    if (this.#isPrompt(answer)) void this.#deliver(answer)
    else if (isThere) this.drop(answer.key)
    else this.#setAnswer({ ...answer, state: "failed", remedy: "retry" })
  }

  /** Answers of an earlier page whose end is not known here. */
  #checkAnswers(): void {
    const { client, scope } = this.#setting
    for (const answer of this.answers) {
      if (answer.operationId !== null) {
        void client.outbound.findOperation(answer.operationId, { ...scope }).then(
          (operation) => this.takeOperation(operation),
          (error: unknown) => {
            if (isLoopboxError(error) && error.status === 404) this.drop(answer.key)
          }
        )
      } else if (answer.state === "sending" && !this.#delivering.has(answer.key)) this.#goOn(answer)
    }
  }

  #setAnswer(answer: Answer): void {
    const before = this.answers.find(({ key }) => key === answer.key)
    this.#setAnswers(this.answers.map((one) => (one.key === answer.key ? answer : one)))
    if (before?.state !== answer.state) this.#setting.told(answer.state)
  }

  #setAnswers(answers: ReadonlyArray<Answer>): void {
    this.keep({ answers })
    this.#setting.changed()
  }

  /** Its item is in the thread before its call has ended. */
  #dropAnswer(item: Item): void {
    const same = this.answers.find(
      ({ state, text }) => text === item.body && (state === "sending" || state === "checking" || state === "sent")
    )
    if (same === undefined) return
    this.keep({ answers: this.answers.filter(({ key }) => key !== same.key) })
    this.#isDone(item.id, same.state)
  }

  /** An answer stands in the conversation, which is told once. */
  #isDone(itemId: string, before?: AnswerState): void {
    const isKnown = this.#sent.has(itemId) || before === "sent"
    this.#sent.add(itemId)
    if (!isKnown) this.#setting.told("sent")
  }

  /** Whose fault it is that nothing can be answered, the account says. */
  async #loadAccount(): Promise<void> {
    const { client, scope } = this.#setting
    const { target, thread } = this
    if (thread === undefined || target === undefined || target.capabilities.includes("reply")) return
    await client.connectedAccounts.find(thread.social_account_id, { ...scope }, { signal: this.#ending.signal }).then(
      (account) => {
        this.account = account
        this.#setting.changed()
      },
      // What can be said without it stands there.
      () => undefined
    )
  }

  #loadContext(): void {
    const { client, scope } = this.#setting
    const item = this.items.at(-1)
    if (item === undefined || this.thread?.linked_post_id === null) {
      this.contextState = "ready"
      return
    }
    void client.outbound.findMediaContext(item.id, { ...scope }, { signal: this.#ending.signal }).then(
      (context) => {
        this.context = context
        this.contextState = "ready"
        this.#setting.changed()
      },
      () => {
        this.contextState = "failed"
        this.#setting.changed()
      }
    )
  }
}
