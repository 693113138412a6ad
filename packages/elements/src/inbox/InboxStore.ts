import type { InboxEvent } from "@loopbox/client"
import { isLoopboxError } from "../base/isLoopboxError.ts"
import { readUpTo } from "../base/readUpTo.ts"
import { ConversationList, type InboxSetting } from "./ConversationList.ts"
import type { Filter } from "./Filter.ts"
import { InTurn, isDone } from "./InTurn.ts"
import { Keeper, type Storage } from "./Keeper.ts"
import { OpenThread } from "./OpenThread.ts"
import type { Item, SavedReply, Thread } from "./records.ts"

/** The line under the inbox. `refused`: the host ended it for good, and a person has to do something. */
export type Connection = "connecting" | "live" | "lost" | "refused"

/** What arrived, for whoever does not look. */
export interface Arrival {
  readonly item: Item
  /** It came while the line was lost. */
  readonly isLate: boolean
}

export interface InboxOptions extends InboxSetting {
  readonly workspaceId?: string | undefined
  readonly storage: Storage | undefined
  /** Tells drafts of one host and inbox from another's. */
  readonly storageName: string
  readonly arrived: (arrival: Arrival) => void
  /** The line stands again; so many items came in between. Undefined where nobody can tell, and all was read anew. */
  readonly resumed: (missed: number | undefined) => void
}

/** Items whose thread is remembered. Just below a power of two, for a map is as large as the next one after what is taken out of it. */
const mostRemembered = 4_000

/** Between two counts of what came while the line was lost, and how many there are at most. */
const lookMs = 1_000
const mostLooks = 10
const mostReplies = 1_000

/** All that an inbox shows: fed by pages and by events, of which the last is always right. */
export class InboxStore {
  readonly #options: InboxOptions
  readonly #keeper: Keeper
  readonly #ending = new AbortController()
  readonly list: ConversationList
  readonly #labels = new Set<string>()
  /** Texts to answer with; undefined until they are read. */
  savedReplies: ReadonlyArray<SavedReply> | undefined
  opened: OpenThread | undefined
  connection: Connection = "connecting"
  refusal: unknown
  /** Until this number events tell what came while the line was lost. */
  #lateUntil = 0
  #missed = 0
  /** Of the last event. */
  #seq = 0
  /** More came in between than the host can tell. */
  #isAnew = false
  /** By item: its thread, of those that events told of last. */
  readonly #threadOf = new Map<string, string>()
  readonly #changes = new InTurn()
  #hasConnected = false

  constructor(options: InboxOptions) {
    this.#options = options
    this.#keeper = new Keeper(options.storage, options.storageName)
    this.list = new ConversationList(options, (thread) => {
      if (this.opened?.id === thread.id) this.opened.thread = thread
    })
  }

  get labels(): ReadonlyArray<string> {
    return Array.from(this.#labels).toSorted()
  }

  start(filter: Filter): void {
    this.list.filter = filter
    void this.list.load()
    void this.#follow()
    void this.loadLabels()
    void this.#loadSavedReplies()
  }

  end(): void {
    this.#ending.abort()
    this.list.end()
    this.opened?.end()
  }

  /** Tries everything anew, after a refusal or a failure. */
  restart(): void {
    void this.list.load()
    if (this.opened?.state === "failed") void this.opened.load()
    if (this.connection === "refused") void this.#follow()
  }

  async loadLabels(): Promise<void> {
    const { client, scope } = this.#options
    await client.labels.list({ ...scope }).then(
      ({ data }) => {
        for (const { label } of data) this.#labels.add(label)
        this.#options.changed()
      },
      () => undefined
    )
  }

  open(id: string): OpenThread {
    if (this.opened?.id === id) return this.opened
    this.opened?.end()
    const opened = new OpenThread(id, this.#options, this.#keeper, (thread) => this.list.take(thread))
    opened.thread = this.list.find(id)
    this.opened = opened
    void opened.load().then(() => this.markRead())
    this.#options.changed()
    return opened
  }

  close(): void {
    this.opened?.end()
    this.opened = undefined
    this.#options.changed()
  }

  /** The open conversation is being read. */
  markRead(): void {
    const { opened } = this
    if (opened?.state !== "ready") return
    const { id } = opened
    const thread = this.list.find(id) ?? opened.thread
    if (thread === undefined || thread.unread_count === 0) return
    this.#patch(id, (one) => ({ ...one, unread_count: 0 }))
    this.#options.changed()
    const { client, scope } = this.#options
    void client.threads.markRead(id, { ...scope }).catch(() => this.list.refresh(id))
  }

  markUnread(): void {
    const { opened } = this
    const last = opened?.items.findLast(({ is_own }) => !is_own)
    if (opened === undefined || last === undefined) return
    const { client, scope } = this.#options
    this.#patch(opened.id, (one) => ({ ...one, unread_count: Math.max(1, one.unread_count) }))
    void opened.act("unread", () => client.moderation.markUnread(last.id, { ...scope }))
  }

  /** Time has passed. */
  passTime(): void {
    const window = this.opened?.target?.reply_window
    const isPast = window?.mode !== "closed" && Date.parse(window?.closes_at ?? "") < this.#options.now().getTime()
    // The network's next word on it, which the host knows.
    if (isPast && this.opened?.state === "ready") void this.opened.load()
  }

  /** Moves a thread; it is shown at once, and as it was if the host refuses. */
  setState(
    id: string,
    state: {
      readonly thread_status: Thread["thread_status"]
      readonly assigned_to?: string | null
      readonly snoozed_until?: string | null
    }
  ): Promise<boolean> {
    const { client, scope } = this.#options
    this.#patch(id, (one) => ({
      ...one,
      ...state,
      assigned_to: state.thread_status === "open" ? null : (state.assigned_to ?? one.assigned_to)
    }))
    return this.#act(id, "state", () => client.threads.setState(id, { ...scope, ...state }))
  }

  setLabels(id: string, labels: ReadonlyArray<string>): Promise<boolean> {
    const { client, scope } = this.#options
    for (const label of labels) this.#labels.add(label)
    this.#patch(id, (one) => ({ ...one, labels: [...labels] }))
    return this.#act(id, "labels", () => client.threads.setLabels(id, { ...scope, labels: [...labels] }))
  }

  /** Adds the note that is written. */
  addNote(): void {
    const { opened } = this
    const text = opened?.kept.note.trim() ?? ""
    if (opened === undefined || text === "") return
    const { agent, client, scope } = this.#options
    const members = { ...scope, text, ...(agent === "" ? {} : { author: agent }) }
    void opened.act("note", async () => {
      opened.takeNote(await client.notes.create(opened.id, members))
      opened.keep({ note: "" })
    })
  }

  removeNote(noteId: string): void {
    const { opened } = this
    if (opened === undefined) return
    const { client, scope } = this.#options
    void opened.act(`note:${noteId}`, async () => {
      await client.notes.remove(opened.id, noteId, { ...scope })
      opened.removeNote(noteId)
    })
  }

  /** Hides, shows, likes or deletes an item on its network. */
  moderate(item: Item, action: "hide" | "unhide" | "like" | "unlike" | "delete"): void {
    const { opened } = this
    if (opened === undefined) return
    const { client, scope } = this.#options
    void opened.act(`${action}:${item.id}`, async () => {
      if (action === "delete") {
        await client.moderation.remove(item.id, { ...scope })
        opened.removeItem(item.id)
        this.list.refresh(opened.id)
      } else opened.takeItem(await client.moderation[action](item.id, { ...scope }))
    })
  }

  /** What is asked for while a change is under way waits for it: the host, and the page, end with what a person did last. */
  #act(id: string, name: string, work: () => Promise<Thread>): Promise<boolean> {
    this.#options.changed()
    return this.#changes.run(id, async (isLast, hasWaited) => {
      const change = async (): Promise<void> => {
        const thread = await work()
        // Else what was done since would be gone from the page for a moment.
        if (isLast()) this.list.take(thread)
      }
      if (this.opened?.id === id ? await this.opened.act(name, change, hasWaited) : await isDone(change())) return true
      if (!isLast()) return false
      this.list.refresh(id)
      void this.opened?.load()
      return false
    })
  }

  #patch(id: string, change: (thread: Thread) => Thread): void {
    this.list.patch(id, change)
    if (this.opened?.id === id && this.opened.thread !== undefined) this.opened.thread = change(this.opened.thread)
  }

  async #loadSavedReplies(): Promise<void> {
    const { client, scope } = this.#options
    const list = client.savedReplies.list({ ...scope, limit: 100 }, { signal: this.#ending.signal })
    this.savedReplies = await readUpTo(mostReplies, list).catch(() => undefined)
    this.#options.changed()
  }

  async #follow(): Promise<void> {
    const { client, scope, workspaceId } = this.#options
    const { signal } = this.#ending
    this.connection = "connecting"
    this.refusal = undefined
    this.#hasConnected = false
    const events = client.inbox.events({
      ...scope,
      workspace_id: workspaceId,
      signal,
      onConnection: (change) => (change.isConnected ? this.#connected(change.seq) : this.#lost())
    })
    const read = async (): Promise<void> => {
      for await (const event of events) {
        this.#apply(event)
        this.#options.changed()
      }
    }
    await read().catch((error: unknown) => {
      if (signal.aborted) return
      const isRefused = isLoopboxError(error) && error.status >= 400 && error.status < 500
      this.connection = isRefused ? "refused" : "lost"
      this.refusal = isRefused ? error : undefined
      this.#options.changed()
      if (!isRefused) this.#options.later(() => (signal.aborted ? undefined : void this.#follow()), 5_000)
    })
  }

  #connected(seq: number): void {
    this.connection = "live"
    if (this.#hasConnected) {
      this.#lateUntil = seq
      this.#missed = 0
      this.#isAnew = false
      this.#tellMissed(0, mostLooks)
    }
    this.#hasConnected = true
    // What changed between the page and the first event is in neither.
    this.list.refreshAll()
    this.opened?.retryLost()
    this.#options.changed()
  }

  /** What came in between is told by the events that follow at once: it is counted until no more of them come. */
  #tellMissed(counted: number, looks: number): void {
    const until = this.#lateUntil
    this.#options.later(() => {
      if (until !== this.#lateUntil || this.#ending.signal.aborted) return
      const isAll = this.#isAnew || this.#seq >= until || counted === this.#missed || looks === 0
      if (isAll) this.#options.resumed(this.#isAnew ? undefined : this.#missed)
      else this.#tellMissed(this.#missed, looks - 1)
    }, lookMs)
  }

  #lost(): void {
    if (this.#ending.signal.aborted) return
    this.connection = "lost"
    this.#options.changed()
  }

  #apply(event: InboxEvent): void {
    if ("seq" in event) this.#seq = event.seq
    switch (event.type) {
      case "resync_required":
        this.#isAnew = true
        void this.list.load()
        if (this.opened !== undefined) void this.opened.load(true)
        return
      case "inbox.new_item":
        return this.#arrive(event.item, event.seq)
      case "inbox.item_updated":
        return this.#update(event.item)
      case "inbox.item_deleted":
        return this.#delete(event.item_id)
      case "inbox.items_read":
        return this.list.readAll()
      case "inbox.account_moved":
        void this.list.load()
        if (this.opened !== undefined) void this.opened.load(true)
        return
      case "inbox.thread_updated":
        if (event.thread !== null) this.list.take(event.thread)
        else this.list.refreshLoaded()
        return
      case "inbox.note_added":
        if (this.opened?.id === event.note.thread_id) this.opened.takeNote(event.note)
        return
      case "inbox.note_deleted":
        this.opened?.removeNote(event.note_id)
        return
      case "inbox.reply_updated":
        this.opened?.takeOperation(event.operation)
        return
      case "account.attention":
      case "account.connected":
        // What can be done with its items may be another now.
        if (this.opened?.thread?.social_account_id === event.account.id) void this.opened.loadOf(event.account)
        return
      default:
        return
    }
  }

  #arrive(item: Item, seq: number): void {
    this.#remember(item)
    const isLate = seq <= this.#lateUntil
    if (isLate) this.#missed++
    const isRead = item.is_read || item.is_own
    this.list.patch(item.thread_id, (thread) =>
      thread.last_item.id === item.id || thread.last_item_at > item.received_at
        ? thread
        : {
            ...thread,
            last_item: item,
            last_item_at: item.received_at,
            unread_count: thread.unread_count + (isRead ? 0 : 1)
          }
    )
    if (this.opened?.id === item.thread_id) this.opened.takeItem(item)
    this.list.refresh(item.thread_id)
    if (!item.is_own) this.#options.arrived({ item, isLate })
  }

  #update(item: Item): void {
    this.#remember(item)
    this.list.patch(item.thread_id, (thread) =>
      thread.last_item.id === item.id ? { ...thread, last_item: item } : thread
    )
    if (this.opened?.id === item.thread_id) this.opened.takeItem(item)
    this.list.refresh(item.thread_id)
  }

  /** The event of a deletion names the item alone. */
  #delete(itemId: string): void {
    const known =
      (this.opened?.has(itemId) === true ? this.opened.id : undefined) ??
      this.#threadOf.get(itemId) ??
      this.list.findByLastItem(itemId)?.id
    // Also where it is not there yet: the page with it may be on its way.
    this.opened?.removeItem(itemId)
    if (known === undefined) this.list.refreshLoaded()
    else this.list.refresh(known)
  }

  #remember(item: Item): void {
    this.#threadOf.delete(item.id)
    this.#threadOf.set(item.id, item.thread_id)
    if (this.#threadOf.size <= mostRemembered) return
    for (const oldest of this.#threadOf.keys()) {
      this.#threadOf.delete(oldest)
      break
    }
  }
}
