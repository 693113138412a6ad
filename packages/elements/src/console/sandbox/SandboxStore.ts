import type { ConsoleHost } from "../shell/ConsoleHost.ts"
import type { SandboxNetwork } from "./SandboxNetwork.ts"
import { type ChosenFault, faultBody, type SandboxFault, silence, soundSettings } from "./SandboxFault.ts"

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

/** An account at a network, and what its tokens are there. */
export interface SandboxAccount {
  readonly id: string
  readonly name: string
  readonly state: "valid" | "expired" | "revoked" | "none"
}

/** How an account's access ends: by time, by a new password, or because its person removed the app. */
export type SandboxEnding = "expired" | "password" | "removed"

interface ListedAccount {
  readonly network: string
  readonly network_account_id: string
  readonly name: string
}

interface AccountState {
  readonly tokens: ReadonlyArray<{ readonly state: "valid" | "expired" | "revoked" }>
}

/** Of more accounts the page shows the first ones. */
const mostAccounts = 12

/** What people write who come all at once. */
const crowd: ReadonlyArray<readonly [name: string, text: string]> = [
  ["Mara Lind", "Is this still available?"],
  ["Jonas Weber", "How long does delivery take?"],
  ["Aiko Tanaka", "Love it! 😍"],
  ["Sam Okoye", "Does it come in green?"],
  ["Lucía Prieto", "¿Hacéis envíos a España?"],
  ["Noor Haddad", "My order has not arrived yet."],
  ["Pat Doyle", "Which size would you take?"],
  ["Elif Kaya", "Bravo 👏"],
  ["Tom Berg", "The link does not work for me."],
  ["Ana Ruiz", "Thanks, that was quick!"]
]

const everyMs = 3_000

/** What the page Sandbox shows: what is on a network, and how it is broken. */
export class SandboxStore {
  readonly #host: ConsoleHost
  readonly #onChange: () => void
  #timer: ReturnType<typeof setInterval> | undefined
  network: SandboxNetwork = "instagram"
  items: ReadonlyArray<SandboxItem> | undefined
  faults: ReadonlyArray<SandboxFault> = []
  /** How long what is written now stays unseen by whoever reads; 0 where nothing is. */
  lag_ms = 0
  accounts: ReadonlyArray<SandboxAccount> = []
  endpoints: ReadonlyArray<string> = []
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
      if (!document.hidden && !this.#host.isWaiting) void this.look()
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
    this.faults = []
    this.accounts = []
    this.endpoints = []
    // At once: nobody acts on what stands at another network.
    this.#onChange()
    void this.look()
  }

  async look(): Promise<void> {
    const { network } = this
    try {
      const [items, faults, settings, accounts] = await Promise.all([
        this.#host.ask<ReadonlyArray<SandboxItem>>("GET", `/sandbox/items?network=${network}&limit=50`),
        this.#host.ask<ReadonlyArray<SandboxFault>>("GET", "/sandbox/faults"),
        this.#host.ask<{ readonly lag_ms: number }>("GET", "/sandbox/settings"),
        this.#readAccounts(network),
        this.#readEndpoints(network)
      ])
      if (network !== this.network) return
      this.items = items
      this.away = undefined
      this.faults = faults.filter((fault) => fault.network === network)
      this.lag_ms = settings.lag_ms
      this.accounts = accounts
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

  /** Ten people write, one after another. */
  writeMany(kind: Written["kind"], under: SandboxItem | undefined): Promise<boolean> {
    const { network } = this
    return this.#act("crowd", async () => {
      for (const [from, text] of crowd) {
        await this.#host.ask("POST", `/sandbox/${kind}`, writtenBody({ network, kind, from, text, under }))
      }
      this.told = undefined
    })
  }

  break(chosen: ChosenFault): Promise<boolean> {
    const { network } = this
    return this.#act("break", async () => {
      await this.#host.ask("POST", "/sandbox/faults", faultBody(network, chosen))
    })
  }

  /** Lets the network take the next answer without saying so. */
  fallSilent(): Promise<boolean> {
    const { fault, settings } = silence(this.network)
    return this.#act("silence", async () => {
      await this.#host.ask("POST", "/sandbox/settings", settings)
      await this.#host.ask("POST", "/sandbox/faults", fault)
    })
  }

  /** Lets an account's access end, as it does at the network. */
  endAccess({ id }: SandboxAccount, ending: SandboxEnding): Promise<boolean> {
    const { network } = this
    return this.#act(`account:${id}`, async () => {
      await (ending === "expired"
        ? this.#host.ask("POST", "/sandbox/tokens", { network, account_id: id, state: "expired" })
        : this.#host.ask("POST", "/sandbox/account/die", { network, account_id: id, reason: ending }))
    })
  }

  /** Lets the tokens that the account has be good again. */
  restoreAccess({ id }: SandboxAccount): Promise<boolean> {
    const { network } = this
    return this.#act(`account:${id}`, async () => {
      await this.#host.ask("POST", "/sandbox/tokens", { network, account_id: id, state: "valid" })
    })
  }

  mend(): Promise<boolean> {
    const { network } = this
    return this.#act("mend", async () => {
      await this.#host.ask("POST", "/sandbox/faults/clear", { network })
      await this.#host.ask("POST", "/sandbox/settings", soundSettings)
    })
  }

  async #readAccounts(network: SandboxNetwork): Promise<ReadonlyArray<SandboxAccount>> {
    const all = await this.#host.ask<ReadonlyArray<ListedAccount>>("GET", "/sandbox/accounts")
    const ours = all.filter((one) => one.network === network).slice(0, mostAccounts)
    return Promise.all(
      ours.map(async ({ name, network_account_id: id }) => {
        const query = new URLSearchParams({ network, account_id: id })
        const { tokens = [] } = await this.#host.ask<Partial<AccountState>>("GET", `/sandbox/account?${query}`)
        // Any that is good lets it in; of the others the last one says why not.
        const state = tokens.some((one) => one.state === "valid") ? "valid" : (tokens.at(-1)?.state ?? "none")
        return { id, name, state }
      })
    )
  }

  /** They are the same as long as the host runs. */
  async #readEndpoints(network: SandboxNetwork): Promise<void> {
    if (this.endpoints.length > 0) return
    const all = await this.#host.ask<ReadonlyArray<{ readonly network: string; readonly endpoint: string }>>(
      "GET",
      "/sandbox/endpoints"
    )
    const ours = all.filter((one) => one.network === network).map(({ endpoint }) => endpoint)
    if (network === this.network) this.endpoints = [...new Set(ours)].sort()
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
