import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ManagedUserNotFound, WorkspaceNotFound } from "../access/AccessErrors.ts"
import { ManagedUserScope } from "../access/InboxScope.ts"
import { InboxStore, noFilter } from "../inbox/InboxStore.ts"
import type { ItemPosition } from "../items/InboxItem.ts"
import type { ThreadPosition } from "../items/threading/InboxThread.ts"
import { WorkspaceId } from "../kernel/Ids.ts"
import type { PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { MustBeWhole } from "../kernel/UnreadableRow.ts"
import { Networks } from "../networks/Networks.ts"
import { showPost } from "../posts/showPost.ts"
import { PostStore } from "../posts/PostStore.ts"
import { SavedReplyStore } from "../savedReplies/SavedReplyStore.ts"
import { noThreadFilter, ThreadStore } from "../threads/ThreadStore.ts"
import { ManagedUsers } from "../workspaces/ManagedUsers.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Exported, ExportLine, ExportRecord, ExportType } from "./ExportLine.ts"
import { type ExportQuery, ExportStore } from "./ExportStore.ts"

/** Records that one statement reads: so much of an export is in memory, however slowly it is read. */
export const exportedAtOnce = 100

type Lines = Stream.Stream<ExportLine, ManagedUserNotFound | StoreUnavailable>

/** Driving service: everything that is kept of a managed user (api-2.md §16). It does not authorise. */
export class ManagedUserExport extends Context.Service<
  ManagedUserExport,
  {
    /**
     * Finds the user, audits the export, and gives its lines. A page is read when the one before it was taken. The stream
     * fails, before its last line, if the user is erased meanwhile, and dies there of a row that only a newer version can
     * read.
     */
    readonly export: (
      workspaceId: string,
      externalUserId: string
    ) => Effect.Effect<Lines, WorkspaceNotFound | ManagedUserNotFound | StoreUnavailable>
  }
>()("@loopbox/core/exporting/ManagedUserExport") {
  static readonly layer: Layer.Layer<
    ManagedUserExport,
    never,
    ExportStore | InboxStore | ManagedUsers | PostStore | SavedReplyStore | ThreadStore | Workspaces
  > = Layer.effect(
    ManagedUserExport,
    Effect.suspend(() => make)
  )
}

interface Request<Key> {
  readonly limit: number
  readonly after: Option.Option<Key>
}

interface Found<A, Key> {
  readonly items: ReadonlyArray<A>
  readonly next: Option.Option<Key>
}

/** The records of one type, page after page. */
const paged = <Type extends ExportType, Key>(
  type: Type,
  read: (page: Request<Key>) => Effect.Effect<Found<Exported[Type], Key>, StoreUnavailable>
) =>
  Stream.paginate(Option.none<Key>(), (after) =>
    Effect.map(
      read({ limit: exportedAtOnce, after }),
      ({ items, next }) => [items.map((data) => ({ type, data })), Option.map(next, Option.some)] as const
    )
  )

const isWorkspaceId = Schema.is(WorkspaceId)
const anyPost = { status: Option.none(), accountId: Option.none() }

const make = Effect.gen(function* () {
  const store = yield* ExportStore
  const inbox = yield* InboxStore
  const posts = yield* PostStore
  const savedReplies = yield* SavedReplyStore
  const threads = yield* ThreadStore
  const users = yield* ManagedUsers
  const workspaces = yield* Workspaces
  const networks = yield* Networks

  /** All records but the first, in the order of the lines. A new type is one more line. */
  const recordsOf = (scope: ManagedUserScope): Stream.Stream<ExportRecord, StoreUnavailable> => {
    // His data is his, whatever the plan shows today.
    const items = { scope, sources: new Set(networks.sources) }
    const reads: ReadonlyArray<Stream.Stream<ExportRecord, StoreUnavailable>> = [
      paged("account", (page: ExportQuery) => store.accounts(scope, page)),
      paged("thread", (page: Request<ThreadPosition>) =>
        Effect.map(threads.list(items, { ...noThreadFilter, ...page }), (one) => ({
          items: one.threads,
          next: one.next
        }))
      ),
      paged("item", (page: Request<ItemPosition>) => inbox.list(items, { ...noFilter, ...page })),
      paged("note", (page: ExportQuery) => store.notes(scope, page)),
      paged("saved_reply", (page: PageRequest) => savedReplies.list(scope, page)),
      paged("operation", (page: ExportQuery) => store.operations(scope, page)),
      paged("post", (page: PageRequest) =>
        Effect.map(posts.list(scope, anyPost, page), (one) => ({ ...one, items: one.items.map(showPost) }))
      ),
      paged("media", (page: ExportQuery) => store.media(scope, page)),
      paged("webhook_endpoint", (page: ExportQuery) => store.webhookEndpoints(scope, page)),
      paged("audit_event", (page: ExportQuery) => store.auditEvents(scope, page))
    ]
    const all = Stream.flatMap(Stream.fromIterable(reads), (records) => records)
    return Stream.provideService(all, MustBeWhole, true)
  }

  /** The last line; an erasure in between may have left lines out, and must not look whole. */
  const endOf = ({ externalUserId, workspaceId }: ManagedUserScope, lines: number) =>
    Stream.fromEffect(
      Effect.flatMap(users.find(workspaceId, externalUserId), (user) =>
        Option.isSome(user)
          ? Effect.succeed<ExportLine>({ type: "end", lines })
          : Effect.fail(new ManagedUserNotFound({ externalUserId }))
      )
    )

  const begin = Effect.fn("ManagedUserExport.export")(function* (workspaceId: string, externalUserId: string) {
    const workspace = isWorkspaceId(workspaceId) ? yield* workspaces.find(workspaceId) : Option.none()
    if (Option.isNone(workspace)) return yield* new WorkspaceNotFound({ workspaceId })
    const scope = new ManagedUserScope({ workspaceId: workspace.value.id, externalUserId })
    const user = yield* store.begin(scope)
    if (Option.isNone(user)) return yield* new ManagedUserNotFound({ externalUserId })
    const first: ExportRecord = { type: "managed_user", data: user.value }
    const records = Stream.concat(Stream.succeed(first), recordsOf(scope))
    const lines: Lines = Stream.suspend(() => {
      let count = 0
      const counted = Stream.mapArray(records, (part) => {
        count += part.length
        return part
      })
      return Stream.concat(
        counted,
        Stream.suspend(() => endOf(scope, count))
      )
    })
    return lines
  })

  return ManagedUserExport.of({ export: begin })
})
