import { html, type TemplateResult } from "lit"
import { ifDefined } from "lit/directives/if-defined.js"
import "../../inbox/loopboxInbox.ts"
import type { PageContext } from "../shell/ConsolePage.ts"

const filterNames = ["view", "query", "source", "label"] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const detailOf = (event: Event): Readonly<Record<string, unknown>> =>
  event instanceof CustomEvent && isRecord(event.detail) ? event.detail : {}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The workspace's inbox, with its state in the address. */
export const inboxPage = ({ client, go, route, workspaceId }: PageContext): TemplateResult => {
  const kept = Object.fromEntries(route.query)
  const onSelect = (event: Event): void => go("inbox", textOf(detailOf(event)["threadId"]), kept)
  const onFilter = (event: Event): void => {
    const detail = detailOf(event)
    const query = Object.fromEntries(filterNames.map((name) => [name, textOf(detail[name])]))
    // What is open stays open while one searches.
    go("inbox", route.rest, { ...query, unread: detail["unread"] === true ? "1" : "" }, true)
  }
  return html`<loopbox-inbox
    inbox-scope="workspace"
    workspace-id=${workspaceId}
    agent="operator"
    thread=${ifDefined(route.rest === "" ? undefined : route.rest)}
    view=${ifDefined(kept["view"])}
    query=${ifDefined(kept["query"])}
    source=${ifDefined(kept["source"])}
    label=${ifDefined(kept["label"])}
    ?unread=${kept["unread"] === "1"}
    .client=${client}
    @loopbox-select=${onSelect}
    @loopbox-filter=${onFilter}
  ></loopbox-inbox>`
}
