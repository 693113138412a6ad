/** A change as a text frame of the socket has it, of whatever kind. */
export interface EventFrame {
  readonly type: string
  readonly at: string
  readonly [member: string]: unknown
}

/**
 * The body of a webhook: the event as on the socket, but its type and time stand outside, and the rest is `data`
 * (api-2.md §15).
 */
export const toWebhookBody = ({ at, type, ...data }: EventFrame): string =>
  JSON.stringify({ type, timestamp: at, data })
