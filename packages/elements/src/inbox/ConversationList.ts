import type { Loopbox } from "@loopbox/client"
import { isLoopboxError } from "../base/isLoopboxError.ts"
import type { InboxScope } from "../base/LoopboxElement.ts"
import type { AnswerState } from "./Answer.ts"
import { type Filter, matches, noFilter, queryOf } from "./Filter.ts"
import type { Thread } from "./records.ts"
import { SortedThreads } from "./SortedThreads.ts"

/** How a list is doing. `slow`: it is still loading after some seconds. */
export type LoadState = "loading" | "ready" | "failed"

/** What the stores of one inbox work with. */
export interface InboxSetting {
  readonly client: Loopbox
  readonly scope: InboxScope
  /** Whose view "mine" is; empty where the page does not say. */
  readonly agent: string
  readonly now: () => Date
  /** Runs it after so many milliseconds. */
  readonly later: (run: () => void, ms: number) => void
  /** Something that is shown has changed. */
  readonly changed: () => void
  /** An answer of this page has come so far. */
  readonly told: (state: AnswerState) => void
}

const pageSize = 100
/** Pages that are read anew where nobody says which thread has changed: as far as a reader goes back to. */
const mostPages = 20
/** Changes within so many milliseconds are read with one request. */
const gatherMs = 300
/** Threads that are read singly in one pass. */
const mostFound = 20
/** Threads whose last change is remembered. */
const mostTouched = 4_000

/** The conversations of a filter: pages of the API, kept true by what events told to have changed. */
export class ConversationList {
  readonly #setting: InboxSetting
  readonly #threads = new SortedThreads()
  /** Threads whose counts have to be read again. */
  #dirty = new Set<string>()
  #isGathering = false
  /** Any thread may have changed, not only those of the first page. */
  #isAnyDirty = false
  /** By thread: when an event last told of it. A page that was asked for earlier does not overwrite that. */
  readonly #touched = new Map<string, number>()
  #tick = 0
  #loading = new AbortController()
  #cursor: string | null = null
  filter: Filter = noFilter
  state: LoadState = "loading"
  error: unknown
  isLoadingMore = false
  moreError: unknown

  /** Told of each record that the host gave, listed or not. */
  readonly #took: (thread: Thread) => void

  constructor(setting: InboxSetting, took: (thread: Thread) => void) {
    this.#setting = setting
    this.#took = took
  }

  /** How many are loaded. */
  get length(): number {
    return this.#threads.length
  }

  /** Ids from one place to another, newest first. */
  ids(from: number, to: number): ReadonlyArray<string> {
    return this.#threads.ids(from, to)
  }

  at(place: number): Thread | undefined {
    return this.#threads.at(place)
  }

  /** Whether older ones can be loaded. */
  get hasMore(): boolean {
    return this.#cursor !== null
  }

  find(id: string): Thread | undefined {
    return this.#threads.find(id)
  }

  findByLastItem(itemId: string): Thread | undefined {
    return this.#threads.findByLastItem(itemId)
  }

  indexOf(id: string): number {
    return this.#threads.indexOf(id)
  }

  setFilter(filter: Filter): void {
    this.filter = filter
    void this.load()
  }

  /** Loads the first page, instead of all that is there. */
  async load(): Promise<void> {
    this.#loading.abort()
    const loading = new AbortController()
    this.#loading = loading
    this.state = "loading"
    this.error = undefined
    this.isLoadingMore = false
    this.moreError = undefined
    this.#threads.clear()
    this.#dirty.clear()
    this.#isAnyDirty = false
    this.#cursor = null
    this.#setting.changed()
    await this.#read(loading, undefined).then(
      () => {
        this.state = "ready"
      },
      (error: unknown) => {
        if (loading.signal.aborted) return
        this.state = "failed"
        this.error = error
      }
    )
    if (!loading.signal.aborted) this.#setting.changed()
  }

  async loadMore(): Promise<void> {
    const cursor = this.#cursor
    if (cursor === null || this.isLoadingMore || this.state !== "ready") return
    const loading = this.#loading
    this.isLoadingMore = true
    this.moreError = undefined
    this.#setting.changed()
    await this.#read(loading, cursor).catch((error: unknown) => {
      this.moreError = error
    })
    if (loading.signal.aborted) return
    this.isLoadingMore = false
    this.#setting.changed()
  }

  /** Everything that is listed may have changed, but the reader's place in it is kept. */
  refreshAll(): void {
    if (this.state === "failed") void this.load()
    else this.#gather()
  }

  /** Something has changed in a thread, and nobody says in which: what is loaded is read again. */
  refreshLoaded(): void {
    this.#isAnyDirty = true
    this.refreshAll()
  }

  /** A thread whose record has to be read again. */
  refresh(id: string): void {
    this.touch(id)
    this.#dirty.add(id)
    this.#gather()
  }

  /** An event told of a thread: what was asked for before that is older. */
  touch(id: string): void {
    this.#touched.delete(id)
    this.#touched.set(id, ++this.#tick)
    if (this.#touched.size <= mostTouched) return
    for (const oldest of this.#touched.keys()) {
      this.#touched.delete(oldest)
      break
    }
  }

  /** Takes a record that is newer than what is there. */
  take(thread: Thread): void {
    this.touch(thread.id)
    this.#place(thread)
    this.#setting.changed()
  }

  /** Everything was read. */
  readAll(): void {
    this.#threads.markAllRead()
    this.refreshAll()
  }

  /** Changes a record that is listed until the host's own comes. */
  patch(id: string, change: (thread: Thread) => Thread): void {
    const thread = this.#threads.find(id)
    if (thread === undefined) return
    this.#threads.upsert(change(thread))
  }

  remove(id: string): void {
    this.touch(id)
    this.#threads.remove(id)
  }

  end(): void {
    this.#loading.abort()
  }

  #list(cursor: string | undefined, signal: AbortSignal) {
    const { agent, client, scope } = this.#setting
    return client.threads.list({ ...scope, ...queryOf(this.filter, agent), limit: pageSize, cursor }, { signal })
  }

  async #read(loading: AbortController, cursor: string | undefined): Promise<void> {
    const began = this.#tick
    const { data, nextCursor } = await this.#list(cursor, loading.signal)
    if (loading.signal.aborted) return
    this.#cursor = nextCursor
    this.#takePage(data, began)
  }

  #takePage(threads: ReadonlyArray<Thread>, began: number): void {
    for (const thread of threads) {
      if (this.#isNewer(thread.id, began)) continue
      this.#threads.upsert(thread)
      this.#took(thread)
    }
  }

  #isNewer(id: string, tick: number): boolean {
    return (this.#touched.get(id) ?? 0) > tick
  }

  #place(thread: Thread): void {
    const { agent, now } = this.#setting
    const { query } = this.filter
    this.#took(thread)
    if (!matches(thread, this.filter, agent, now())) return this.#threads.remove(thread.id)
    if (this.#threads.has(thread.id)) return this.#threads.upsert(thread)
    // Only the host can say whether words are in it.
    if (query.trim() !== "") return
    // Below what is loaded there would be a gap above it.
    if (this.#cursor !== null && this.#threads.isOlderThanAll(thread.last_item_at)) return
    this.#threads.upsert(thread)
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    this.#setting.later(() => void this.#readChanged(), gatherMs)
  }

  /** Reads the first page, where what has changed stands most of the time, and singly what is not on it. */
  async #readChanged(): Promise<void> {
    const loading = this.#loading
    const dirty = this.#dirty
    this.#dirty = new Set()
    const isAnyDirty = this.#isAnyDirty
    this.#isAnyDirty = false
    const began = this.#tick
    const settled = await this.#readChanges(loading, dirty, began, isAnyDirty ? mostPages : 1).then(
      () => true,
      () => false
    )
    this.#isGathering = false
    if (loading.signal.aborted) return
    // A lost connection is told elsewhere; what was not read is read with what changes next.
    if (!settled) for (const id of dirty) this.#dirty.add(id)
    if (!settled && isAnyDirty) this.#isAnyDirty = true
    this.#setting.changed()
    if (settled && (this.#dirty.size > 0 || this.#isAnyDirty)) this.#gather()
  }

  /** Reads the first pages that are loaded; what they list, and where the list goes on after them. */
  async #readPages(loading: AbortController, began: number, most: number) {
    const listed = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < most; page++) {
      const { data, nextCursor } = await this.#list(cursor, loading.signal)
      if (loading.signal.aborted) return { listed, nextCursor }
      for (const { id } of data) listed.add(id)
      this.#takePage(data, began)
      cursor = nextCursor ?? undefined
      if (cursor === undefined || listed.size >= this.length) break
    }
    return { listed, nextCursor: cursor ?? null }
  }

  async #readChanges(
    loading: AbortController,
    dirty: ReadonlySet<string>,
    began: number,
    pages: number
  ): Promise<void> {
    if (this.state !== "ready") return
    const { listed, nextCursor } = await this.#readPages(loading, began, pages)
    if (loading.signal.aborted) return
    const isWhole = nextCursor === null || this.length <= listed.size
    if (isWhole) this.#cursor = nextCursor
    const others = Array.from(dirty).filter((id) => !listed.has(id))
    const missing = this.#threads.ids(0, nextCursor === null ? undefined : listed.size).filter((id) => !listed.has(id))
    const asked = Array.from(new Set([...others, ...missing]))
    const now = asked.slice(0, mostFound)
    // Those of many that are left are read by the next pass.
    for (const id of asked.slice(mostFound)) this.#dirty.add(id)
    for (const id of now) if (!this.#isNewer(id, began)) await this.#readOne(id, loading.signal, began)
  }

  async #readOne(id: string, signal: AbortSignal, began: number): Promise<void> {
    const { client, scope } = this.#setting
    const thread = await client.threads.find(id, { ...scope }, { signal }).catch((error: unknown) => {
      if (isLoopboxError(error) && error.status === 404) return undefined
      throw error
    })
    if (signal.aborted || this.#isNewer(id, began)) return
    if (thread === undefined) this.#threads.remove(id)
    else this.#place(thread)
  }
}
