import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ManagedUserScope } from "@loopbox/core/access/InboxScope"
import type { AuditEvent } from "@loopbox/core/audit/AuditEvent"
import { type ExportPage, type ExportQuery, ExportStore } from "@loopbox/core/exporting/ExportStore"
import { showEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { filesOf } from "@loopbox/core/posts/showPost"
import { audit, changing } from "./memoryAudit.ts"
import { MemoryState } from "./MemoryState.ts"

/** A page of rows in any order, by their ids. */
const pageOf = <A extends { readonly id: string }>(rows: Iterable<A>, { after, limit }: ExportQuery): ExportPage<A> => {
  const rest = Array.from(rows)
    .filter(({ id }) => Option.isNone(after) || id > after.value)
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const items = rest.slice(0, limit)
  const last = items[items.length - 1]
  return { items, next: rest.length > limit && last !== undefined ? Option.some(last.id) : Option.none() }
}

export const layer: Layer.Layer<ExportStore, never, MemoryState> = Layer.effect(
  ExportStore,
  Effect.map(MemoryState, ({ inbox, media }) => {
    const isOf = (user: ManagedUserScope) => (one: { workspaceId: string; externalUserId: Option.Option<string> }) =>
      one.workspaceId === user.workspaceId && Option.contains(one.externalUserId, user.externalUserId)
    const accountsOf = (user: ManagedUserScope) =>
      Array.from(inbox.accounts.values()).filter(({ account }) => isOf(user)(account))
    const operationsOf = (user: ManagedUserScope) =>
      accountsOf(user).flatMap(({ operations }) => Array.from(operations.values(), ({ operation }) => operation))
    const postsOf = (user: ManagedUserScope) =>
      Array.from(inbox.posts.values(), ({ kept }) => kept).filter(({ post }) => isOf(user)(post))

    const targetsOf = (user: ManagedUserScope): Record<string, ReadonlySet<string>> => ({
      managed_user: new Set([user.externalUserId]),
      account: new Set(accountsOf(user).map(({ account }) => account.id)),
      post: new Set(postsOf(user).map(({ post }) => post.id)),
      item: new Set(
        accountsOf(user).flatMap(({ items }) =>
          Array.from(items.values()).flatMap((item) => (item._tag === "LiveItem" ? [item.id] : []))
        )
      )
    })
    const isAbout =
      (user: ManagedUserScope, targets: Record<string, ReadonlySet<string>>) =>
      ({ target, workspaceId }: AuditEvent) =>
        workspaceId === user.workspaceId && targets[target.type]?.has(target.id) === true

    return ExportStore.of({
      begin: ({ externalUserId, workspaceId }) =>
        changing((change) => {
          const user = Option.fromUndefinedOr(inbox.managedUsers.get(workspaceId)?.get(externalUserId))
          if (Option.isSome(user)) {
            audit(inbox, change, workspaceId, { action: "managed_user.exported", targetId: externalUserId })
          }
          return user
        }),
      accounts: (user, query) =>
        Effect.sync(() =>
          pageOf(
            accountsOf(user).map(({ account }) => account),
            query
          )
        ),
      notes: (user, query) =>
        Effect.sync(() =>
          pageOf(
            accountsOf(user).flatMap(({ notes }) => Array.from(notes.values())),
            query
          )
        ),
      operations: (user, query) => Effect.sync(() => pageOf(operationsOf(user), query)),
      media: (user, query) =>
        Effect.sync(() => {
          const named = new Set<string>([
            ...postsOf(user).flatMap((kept) => Array.from(filesOf(kept))),
            ...operationsOf(user).flatMap((operation) => operation.media.map(({ mediaId }) => mediaId))
          ])
          const kept = Array.from(media.values()).filter(
            (entry) =>
              entry.deletedAt === undefined && entry.media.workspaceId === user.workspaceId && named.has(entry.media.id)
          )
          return pageOf(
            kept.map((entry) => entry.media),
            query
          )
        }),
      webhookEndpoints: (user, query) =>
        Effect.sync(() =>
          pageOf(
            Array.from(inbox.outgoing.endpoints.values(), ({ endpoint }) => endpoint)
              .filter(isOf(user))
              .map(showEndpoint),
            query
          )
        ),
      auditEvents: (user, query) =>
        Effect.sync(() => pageOf(inbox.audit.kept.filter(isAbout(user, targetsOf(user))), query))
    })
  })
)
