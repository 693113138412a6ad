import type { components, Loopbox } from "@loopbox/client"

export type Endpoint = components["schemas"]["WebhookEndpoint"]
export type Delivery = components["schemas"]["WebhookDelivery"]
export type DeliveryDetail = components["schemas"]["WebhookDeliveryDetail"]

/** An address as it is typed. */
export interface EndpointDraft {
  readonly url: string
  readonly events: string
  readonly description: string
  readonly is_ordered: boolean
}

export const emptyDraft: EndpointDraft = { url: "", events: "", description: "", is_ordered: false }

export const draftOf = ({ description, events, is_ordered, url }: Endpoint): EndpointDraft => ({
  url,
  events: (events ?? []).join(", "),
  description: description ?? "",
  is_ordered
})

/** A draft as the API takes it: no types are all of them. */
export const bodyOf = ({ description, events, is_ordered, url }: EndpointDraft) => {
  const types = events.split(/[\s,]+/).filter((type) => type !== "")
  const text = description.trim()
  return {
    url: url.trim(),
    events: types.length === 0 ? null : types,
    description: text === "" ? null : text,
    is_ordered
  }
}

const scope = { inbox_scope: "workspace" } as const
const pageSize = 25

/** How long an attempt that was asked for may be under way before it is looked at. */
const settleMs = 900

/** What the page Webhooks shows: addresses, and the deliveries of one. */
export class WebhooksStore {
  readonly #client: Loopbox
  readonly #onChange: () => void
  endpoints: ReadonlyArray<Endpoint> | undefined
  opened: string | undefined
  deliveries: ReadonlyArray<Delivery> | undefined
  detail: DeliveryDetail | undefined
  failure: unknown
  busy: string | undefined
  /** Shown once: of an address that was added, or that got a new one. */
  secret: string | undefined
  #cursor: string | null = null

  constructor(client: Loopbox, onChange: () => void) {
    this.#client = client
    this.#onChange = onChange
  }

  get hasMore(): boolean {
    return this.#cursor !== null
  }

  get endpoint(): Endpoint | undefined {
    return this.endpoints?.find(({ id }) => id === this.opened)
  }

  load(): Promise<boolean> {
    return this.#run("load", async () => {
      const all: Array<Endpoint> = []
      for await (const endpoint of this.#client.webhookEndpoints.list(scope)) all.push(endpoint)
      this.endpoints = all
    })
  }

  /** Shows the deliveries of an address; none of it for undefined. */
  async open(id: string | undefined): Promise<void> {
    this.opened = id
    this.deliveries = undefined
    this.detail = undefined
    if (id !== undefined) await this.loadDeliveries()
  }

  loadDeliveries(cursor?: string): Promise<boolean> {
    const id = this.opened ?? ""
    return this.#run("deliveries", async () => {
      const page = await this.#client.webhookEndpoints.listDeliveries(id, { ...scope, limit: pageSize, cursor })
      if (this.opened !== id) return
      this.deliveries = cursor === undefined ? page.data : [...(this.deliveries ?? []), ...page.data]
      this.#cursor = page.nextCursor
    })
  }

  loadMore(): Promise<boolean> {
    return this.loadDeliveries(this.#cursor ?? undefined)
  }

  create(draft: EndpointDraft): Promise<boolean> {
    return this.#run("create", async () => {
      const { secret, ...endpoint } = await this.#client.webhookEndpoints.create({ ...scope, ...bodyOf(draft) })
      this.secret = secret
      this.endpoints = [endpoint, ...(this.endpoints ?? [])]
    })
  }

  update(id: string, change: Partial<ReturnType<typeof bodyOf>> & { readonly status?: "enabled" | "disabled" }) {
    return this.#run("update", async () => {
      const changed = await this.#client.webhookEndpoints.update(id, { ...scope, ...change })
      this.endpoints = this.endpoints?.map((one) => (one.id === id ? changed : one))
    })
  }

  rotate(id: string): Promise<boolean> {
    return this.#run("rotate", async () => {
      this.secret = (await this.#client.webhookEndpoints.rotateSecret(id, scope)).secret
    })
  }

  remove(id: string): Promise<boolean> {
    return this.#run("remove", async () => {
      await this.#client.webhookEndpoints.remove(id, scope)
      this.endpoints = this.endpoints?.filter((one) => one.id !== id)
      this.opened = undefined
    })
  }

  test(id: string): Promise<boolean> {
    return this.#run("test", async () => {
      await this.#client.webhookEndpoints.test(id, scope)
      await this.#settled()
    })
  }

  /** Everything after an event once more; what is kept of it, which is a day. */
  replay(id: string, after: number): Promise<boolean> {
    return this.#run("replay", async () => {
      await this.#client.webhookEndpoints.replay(id, { ...scope, after_seq: after })
      await this.#settled()
    })
  }

  /** Looks anew where a delivery waits for its next attempt; what is read further down stays. */
  async follow(): Promise<void> {
    const isWaiting = this.deliveries?.some(({ status }) => status === "pending") === true
    if (this.busy !== undefined || !isWaiting || (this.deliveries?.length ?? 0) > pageSize) return
    try {
      await this.#refresh()
    } catch {
      // The list stands as it was; who asks for more is told what is wrong.
      return
    }
    this.#onChange()
  }

  redeliver(delivery: Delivery): Promise<boolean> {
    return this.#run("redeliver", async () => {
      await this.#client.webhookEndpoints.redeliver(delivery.endpoint_id, delivery.id, scope)
      await this.#settled()
    })
  }

  show(delivery: Delivery | undefined): Promise<boolean> {
    if (delivery === undefined) {
      this.detail = undefined
      this.#onChange()
      return Promise.resolve(true)
    }
    return this.#run("show", async () => {
      this.detail = await this.#client.webhookEndpoints.findDelivery(delivery.endpoint_id, delivery.id, scope)
    })
  }

  /** Looks once what was asked for has had the time to arrive. */
  async #settled(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    await this.#refresh()
  }

  async #refresh(): Promise<void> {
    const id = this.opened
    if (id === undefined) return
    const page = await this.#client.webhookEndpoints.listDeliveries(id, { ...scope, limit: pageSize })
    // How well the address is changes with what it answers: read after it, for nothing is looked at again once all arrived.
    const endpoint = await this.#client.webhookEndpoints.find(id, scope)
    this.endpoints = this.endpoints?.map((one) => (one.id === id ? endpoint : one))
    if (this.opened !== id) return
    this.deliveries = page.data
    this.#cursor = page.nextCursor
    const shown = this.detail
    if (shown !== undefined) this.detail = await this.#client.webhookEndpoints.findDelivery(id, shown.id, scope)
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
