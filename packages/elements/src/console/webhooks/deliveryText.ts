import type { DeliveryDetail } from "./WebhooksStore.ts"

/** JSON with a line for each member; what is none stays as it is. */
export const prettyBody = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The request of a delivery as it goes over the wire; its signature is made anew for each attempt. */
export const requestText = ({ request }: DeliveryDetail): string => {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${request.url}`, ...headers, "", prettyBody(request.body)].join("\n")
}

/** The number of an event as it is typed; none is all that are kept. */
export const afterOf = (typed: string): number | undefined => {
  const text = typed.trim()
  if (text === "") return 0
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
