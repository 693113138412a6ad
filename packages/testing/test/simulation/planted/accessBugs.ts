import { Effect, PubSub } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import type { AuditAction } from "@loopbox/core/audit/AuditEvent"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** Runs a call, and takes away the lines of the audit that it wrote of this. */
const unaudited = <A, E>(
  { inbox: { audit } }: MemoryState["Service"],
  action: AuditAction,
  call: Effect.Effect<A, E>
) =>
  Effect.suspend(() => {
    const before = new Set(audit.kept)
    return Effect.tap(call, () =>
      Effect.sync(() => {
        audit.kept = audit.kept.filter((line) => before.has(line) || line.action !== action)
      })
    )
  })

/** Runs a call, of whose changes of access nobody hears. */
const unheard = Effect.fnUntraced(function* <A, E>(state: MemoryState["Service"], call: Effect.Effect<A, E>) {
  const { accessChanges } = state
  Object.assign(state, { accessChanges: yield* PubSub.sliding<WorkspaceId>(1) })
  return yield* Effect.ensuring(
    call,
    Effect.sync(() => Object.assign(state, { accessChanges }))
  )
})

/** What somebody may do ends, or begins, and nobody is told. */
export const accessBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a managed user is erased, and stays in what they have open",
    breaks: /keeps the access that they have open/,
    plant: wrong(ManagedUsers, (right, state) =>
      ManagedUsers.of({ ...right, erase: (...of) => unheard(state, right.erase(...of)) })
    )
  },
  {
    name: "a workspace is erased, and its people stay in what they have open",
    breaks: /keeps the access that they have open/,
    plant: wrong(Workspaces, (right, state) =>
      Workspaces.of({ ...right, erase: (...of) => unheard(state, right.erase(...of)) })
    )
  },
  {
    name: "the audit does not tell of a key that is made",
    breaks: /no line of the audit tells that key_.* was made/,
    plant: wrong(ApiKeys, (right, state) =>
      ApiKeys.of({ ...right, insert: (key) => unaudited(state, "api_key.created", right.insert(key)) })
    )
  },
  {
    name: "the audit does not tell of a key that is revoked",
    breaks: /no line of the audit tells that key_.* was revoked/,
    plant: wrong(ApiKeys, (right, state) =>
      ApiKeys.of({ ...right, revoke: (...of) => unaudited(state, "api_key.revoked", right.revoke(...of)) })
    )
  },
  {
    name: "the audit does not tell of a post that is deleted",
    breaks: /no line of the audit tells that pst_.* was changed/,
    plant: wrong(PostStore, (right, state) =>
      PostStore.of({ ...right, change: (...of) => unaudited(state, "post.deleted", right.change(...of)) })
    )
  },
  {
    name: "the audit does not tell that an account has lost its access",
    breaks: /no line of the audit tells that .* has lost its access/,
    plant: wrong(AccountCredentials, (right, state) =>
      AccountCredentials.of({ ...right, drop: (...of) => unaudited(state, "account.updated", right.drop(...of)) })
    )
  }
]
