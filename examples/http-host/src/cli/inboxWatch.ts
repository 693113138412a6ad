import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Connection } from "./connection.ts"
import type { Scope } from "./inbox.ts"
import { followInbox } from "./inboxFollow.ts"
import { eventLine } from "./inboxText.ts"
import { note, print } from "./output.ts"

interface Wanted {
  readonly after: Option.Option<number>
  readonly json: boolean
}

/** Prints every change until Ctrl-C. */
export const watchInbox = (connection: Connection, scope: Scope, { after, json }: Wanted) =>
  followInbox(connection, scope, after, {
    begins: "Watching",
    onEvent: (frame, event) => {
      if (json) return print(frame)
      return Option.isSome(event) ? print(eventLine(event.value)) : Effect.void
    },
    onResync: (frame) => (json ? print(frame) : note("What came in between can't be told any more: list anew."))
  })
