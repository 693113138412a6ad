import type { PropertyDeclarations } from "lit"
import { messagesFor } from "../base/language.ts"
import { LoopboxElement } from "../base/LoopboxElement.ts"
import { englishInbox, type InboxMessages } from "../messages/english/inbox.ts"
import { germanInbox } from "../messages/german/inbox.ts"
import { type Filter, isView, noFilter, type View } from "./Filter.ts"

/** What a page may say to an inbox, by attribute or property. */
export class InboxAttributes extends LoopboxElement {
  static override properties: PropertyDeclarations = {
    ...LoopboxElement.properties,
    thread: { reflect: true },
    view: { reflect: true },
    query: { reflect: true },
    source: { reflect: true },
    label: { reflect: true },
    unread: { type: Boolean, reflect: true },
    agent: {},
    agents: { attribute: false },
    singleKeys: { attribute: "single-keys" }
  }

  /** The open conversation's id. */
  declare thread: string | undefined
  declare view: View
  declare query: string
  declare source: string
  declare label: string
  declare unread: boolean
  /** Who works here: whose conversations are "mine", and who notes are by. */
  declare agent: string
  /** Others whom conversations may be assigned to. */
  declare agents: ReadonlyArray<string>
  /** `off` turns single keys off until the reader turns them on. */
  declare singleKeys: string | undefined

  constructor() {
    super()
    this.view = noFilter.view
    this.query = ""
    this.source = ""
    this.label = ""
    this.unread = false
    this.agent = ""
    this.agents = []
  }

  /** Tells what is kept in the browser from another host's, inbox's or colleague's. */
  get storageName(): string {
    const { agent, baseUrl, externalUserId, inboxScope, workspaceId } = this
    const names = [baseUrl, workspaceId, inboxScope, externalUserId, agent]
    // Without an agent as it was before there was one in it.
    return names.join("|").replace(/\|$/, "")
  }

  /** Texts in the reader's language. */
  get texts(): InboxMessages {
    return messagesFor({ english: englishInbox, german: germanInbox }, this.language, this.messages)
  }

  /** What is listed, as the attributes say. */
  get filter(): Filter {
    const { label, query, source, unread, view } = this
    return {
      view: isView(view) ? view : noFilter.view,
      query: query ?? "",
      source: source ?? "",
      label: label ?? "",
      unread
    }
  }
}
