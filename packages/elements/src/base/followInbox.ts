import type { InboxEvent, Loopbox } from "@loopbox/client"
import { isLoopboxError } from "./isLoopboxError.ts"
import type { InboxScope } from "./LoopboxElement.ts"

const againMs = 10_000

interface Followed {
  readonly client: Loopbox
  readonly scope: InboxScope
  readonly workspaceId: string | undefined
  /** Ends it. */
  readonly signal: AbortSignal
  /** A connection stands: what is shown may be older. */
  readonly connected: () => void
  readonly event: (event: InboxEvent) => void
  /** The host refuses it for good. */
  readonly refused: (error: unknown) => void
}

/** Follows an inbox for an element that shows little of it: until it is ended or refused. */
export const followInbox = (followed: Followed): void => {
  const { client, connected, event, refused, scope, signal, workspaceId } = followed
  const read = async (): Promise<void> => {
    const events = client.inbox.events({
      ...scope,
      workspace_id: workspaceId,
      signal,
      onConnection: ({ isConnected }) => {
        if (isConnected) connected()
      }
    })
    for await (const one of events) event(one)
  }
  void read().catch((error: unknown) => {
    if (signal.aborted) return
    if (isLoopboxError(error) && error.status >= 400 && error.status < 500) return refused(error)
    setTimeout(() => {
      if (!signal.aborted) followInbox(followed)
    }, againMs)
  })
}
