import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboxScope } from "../../access/InboxScope.ts"
import type { SocialAccount } from "../../accounts/SocialAccount.ts"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import { SocialAccountId, type WorkspaceId } from "../../kernel/Ids.ts"
import { MediaLibrary } from "../../media/MediaLibrary.ts"
import { missingOf } from "../../networks/capabilitiesOf.ts"
import { Connectors, connectorTo } from "../../networks/Connectors.ts"
import { Networks } from "../../networks/Networks.ts"
import type { MediaShape } from "../../networks/publishing/Publication.ts"
import type { AccountFacts, PostFacts } from "../judging/judgePost.ts"
import { mediaShape } from "../judging/mediaShape.ts"
import { mediaIdsOf, type PostInput } from "../PostInput.ts"

/** The facts that a post is judged by, with the accounts that they are of. */
export interface GatheredFacts extends PostFacts {
  readonly known: ReadonlyMap<string, SocialAccount>
}

const isAccountId = Schema.is(SocialAccountId)

/** Reads everything that a post names, as far as the scope may see it. */
export const makeGatherFacts = Effect.gen(function* () {
  const accounts = yield* SocialAccounts
  const library = yield* MediaLibrary
  const connectors = yield* Connectors
  const networks = yield* Networks

  const findAccount = Effect.fnUntraced(function* (scope: InboxScope, id: string) {
    const found = isAccountId(id) ? yield* accounts.findKept(scope.workspaceId, id) : Option.none<SocialAccount>()
    return Option.filter(
      found,
      ({ externalUserId }) => scope._tag === "WorkspaceScope" || Option.contains(externalUserId, scope.externalUserId)
    )
  })

  const factsOf = ({ network, permissions, status }: SocialAccount): AccountFacts => ({
    isConnected: status === "connected",
    missingScopes: Option.match(networks.describe(network), {
      onNone: () => [],
      onSome: ({ capabilities, permissionPrefixes }) =>
        capabilities
          .filter(({ name }) => name === "publish")
          .flatMap((one) => missingOf(one.permissions, permissionPrefixes, permissions))
    }),
    publish: Option.fromUndefinedOr(connectorTo(connectors, network).publish)
  })

  /** Absent: there is no such file, or its bytes are gone. `none` inside: its upload is not finished. */
  const findShape = Effect.fnUntraced(
    function* (workspaceId: WorkspaceId, id: string) {
      const media = yield* library.find(workspaceId, id)
      if (media._tag === "PendingMedia") return Option.some(Option.none<MediaShape>())
      return Option.some(Option.some(mediaShape(yield* library.examined(media))))
    },
    Effect.catchTags({ MediaNotFound: () => Effect.succeedNone, BlobMissing: () => Effect.succeedNone })
  )

  return Effect.fnUntraced(function* (scope: InboxScope, input: Pick<PostInput, "mediaIds" | "targets">) {
    const known = new Map<string, SocialAccount>()
    for (const id of new Set(input.targets.map(({ accountId }) => accountId))) {
      const account = yield* findAccount(scope, id)
      if (Option.isSome(account)) known.set(id, account.value)
    }
    const media = new Map<string, Option.Option<MediaShape>>()
    for (const id of new Set(input.targets.flatMap((target) => mediaIdsOf(input, target)))) {
      const shape = yield* findShape(scope.workspaceId, id)
      if (Option.isSome(shape)) media.set(id, shape.value)
    }
    const facts: GatheredFacts = {
      known,
      accounts: new Map(Array.from(known, ([id, account]) => [id, factsOf(account)])),
      media
    }
    return facts
  })
})
