import * as Schema from "effect/Schema"

/** Where the networks that Loopbox brings deliver to: `/v1/webhooks/<endpoint>` (api.md §7). */
export const webhookEndpoints = ["meta", "threads", "x"] as const

const open = "A host may have others: take any name."

/** A network in an answer. */
export const NetworkName = Schema.String.annotate({
  description: `\`instagram\`, \`facebook\`, \`threads\` or \`x\`. ${open}`
})

const titles: Readonly<Record<string, string>> = {
  instagram: "Instagram",
  facebook: "Facebook",
  threads: "Threads",
  x: "X"
}

/** How a network is called in a sentence for people. */
export const networkTitle = (network: string): string => titles[network] ?? network

/** A source in an answer. */
export const SourceName = Schema.String.annotate({
  description: `\`ig_comment\`, \`ig_dm\`, \`fb_comment\`, \`fb_dm\`, \`threads_reply\` or \`x_reply\`. ${open}`
})
