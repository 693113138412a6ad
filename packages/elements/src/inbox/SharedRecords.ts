import type { Thread } from "./records.ts"

type Account = Thread["account"]

/**
 * What thousands of conversations say alike is kept once: their accounts, and ids and times that a record has several times.
 * A list of 100,000 is a third of the objects then, and a page does not stand still while its browser clears up.
 */
export class SharedRecords {
  readonly #accounts = new Map<string, Account>()
  readonly #texts = new Map<string, string>()
  readonly #capabilities = new Map<string, Thread["last_item"]["capabilities"]>()

  /** The same record, of parts that others have, too. */
  share(thread: Thread): Thread {
    const { id, last_item, last_item_at } = thread
    const account = this.#account(thread.account)
    const sameTime = (at: string): string => (at === last_item_at ? last_item_at : at)
    return {
      ...thread,
      account,
      social_account_id: this.#text(thread.social_account_id),
      external_user_id: this.#textOrNull(thread.external_user_id),
      linked_post_id: this.#textOrNull(thread.linked_post_id),
      created_at: sameTime(thread.created_at),
      last_inbound_at: thread.last_inbound_at === null ? null : sameTime(thread.last_inbound_at),
      last_item: {
        ...last_item,
        account,
        thread_id: id,
        workspace_id: this.#text(last_item.workspace_id),
        social_account_id: this.#text(last_item.social_account_id),
        external_user_id: this.#textOrNull(last_item.external_user_id),
        linked_post_id: this.#textOrNull(last_item.linked_post_id),
        capabilities: this.#capabilitiesOf(last_item.capabilities),
        received_at: sameTime(last_item.received_at),
        created_at: sameTime(last_item.created_at)
      }
    }
  }

  #text(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  #textOrNull(text: string | null): string | null {
    return text === null ? null : this.#text(text)
  }

  #account(account: Account): Account {
    const known = this.#accounts.get(account.id)
    if (known?.name === account.name && known.avatar_url === account.avatar_url) return known
    this.#accounts.set(account.id, account)
    return account
  }

  #capabilitiesOf(capabilities: Thread["last_item"]["capabilities"]): Thread["last_item"]["capabilities"] {
    const key = capabilities.join()
    const known = this.#capabilities.get(key)
    if (known === undefined) this.#capabilities.set(key, capabilities)
    return known ?? capabilities
  }
}
