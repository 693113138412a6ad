import type { ConsoleHost } from "../shell/ConsoleHost.ts"

/** Something that stands on a simulated network. */
export interface SandboxItem {
  readonly network: string
  readonly id: string
  readonly kind: "post" | "comment" | "message"
  readonly author: { readonly name: string }
  readonly is_own: boolean
  readonly text: string
  readonly parent_id: string | null
  readonly is_hidden: boolean
  readonly is_deleted: boolean
  readonly edits: number
  readonly written_at: string
  readonly is_sent_by_loopbox: boolean
}

export const sandboxNetworks = ["instagram", "facebook", "threads", "x"] as const
export type SandboxNetwork = (typeof sandboxNetworks)[number]

export interface Written {
  readonly network: SandboxNetwork
  readonly kind: "comment" | "message" | "mention"
  readonly from: string
  readonly text: string
  /** What it is written under. */
  readonly under: SandboxItem | undefined
}

/** What is written, as the sandbox takes it. */
export const writtenBody = ({ from, network, text, under }: Written): Readonly<Record<string, string>> => ({
  network,
  text,
  ...(from.trim() === "" ? {} : { from: from.trim() }),
  ...(under === undefined ? {} : under.kind === "post" ? { post_id: under.id } : { parent_id: under.id })
})

const everyMs = 3_000

/** What the page Sandbox shows: what is on a network, and how it is broken. */
export class SandboxStore {
  readonly #host: ConsoleHost
  readonly #onChange: () => void
  #timer: ReturnType<typeof setInterval> | undefined
  network: SandboxNetwork = "instagram"
  items: ReadonlyArray<SandboxItem> | undefined
  faultCount = 0
  /** Why what the person asked for last was not done. */
  failure: unknown
  /** Why the network can't be looked at; gone with the next look that can. */
  away: unknown
  busy: string | undefined
  /** Whether the network told of what was written last. */
  told: boolean | undefined

  constructor(host: ConsoleHost, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
  }

  start(): void {
    void this.look()
    this.#timer ??= setInterval(() => {
      if (!document.hidden) void this.look()
    }, everyMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  choose(network: SandboxNetwork): void {
    this.network = network
    this.items = undefined
    this.told = undefined
    void this.look()
  }

  async look(): Promise<void> {
    const { network } = this
    try {
      const [items, faults] = await Promise.all([
        this.#host.ask<ReadonlyArray<SandboxItem>>("GET", `/sandbox/items?network=${network}&limit=50`),
        this.#host.ask<ReadonlyArray<{ readonly network: string }>>("GET", "/sandbox/faults")
      ])
      if (network !== this.network) return
      this.items = items
      this.away = undefined
      this.faultCount = faults.filter((fault) => fault.network === network).length
    } catch (error) {
      this.away = error
    }
    this.#onChange()
  }

  write(written: Written): Promise<boolean> {
    return this.#act("write", async () => {
      const { is_told } = await this.#host.ask<{ readonly is_told: boolean }>(
        "POST",
        `/sandbox/${written.kind}`,
        writtenBody(written)
      )
      this.told = is_told
    })
  }

  edit({ id, network }: SandboxItem, text: string): Promise<boolean> {
    return this.#act("edit", async () => {
      await this.#host.ask("POST", "/sandbox/edit", { network, id, text })
    })
  }

  remove({ id, network }: SandboxItem): Promise<boolean> {
    return this.#act("remove", async () => {
      await this.#host.ask("POST", "/sandbox/delete", { network, id })
    })
  }

  break(kind: string, times: number): Promise<boolean> {
    const { network } = this
    return this.#act("break", async () => {
      await this.#host.ask("POST", "/sandbox/faults", { network, kind, times })
    })
  }

  mend(): Promise<boolean> {
    const { network } = this
    return this.#act("mend", async () => {
      await this.#host.ask("POST", "/sandbox/faults/clear", { network })
    })
  }

  async #act(name: string, work: () => Promise<void>): Promise<boolean> {
    this.busy = name
    this.failure = undefined
    this.#onChange()
    try {
      await work()
      await this.look()
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
