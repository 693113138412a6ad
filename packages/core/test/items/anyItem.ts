import { Option } from "effect"
import * as fc from "fast-check"
import { InboxItemId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import type { InboxItem } from "../../src/items/InboxItem.ts"
import { noon } from "@loopbox/testing/fixtures/activities"

export const workspaceId = WorkspaceId.make(`ws_${"0".repeat(26)}`)
export const accountId = SocialAccountId.make(`acc_${"0".repeat(26)}`)

const maybe = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<Option.Option<A>> =>
  fc.option(values).map((value) => Option.fromNullishOr(value))

/** An item as readers see it; what no rule looks at is constant. */
export const anyItem: fc.Arbitrary<InboxItem> = fc
  .record({
    isRead: fc.boolean(),
    isOwn: fc.boolean(),
    authorId: maybe(fc.constantFrom("ann", "eve")),
    authorName: maybe(fc.constantFrom("Ann", "Eve")),
    authorAvatarUrl: maybe(fc.constant("https://example.test/a.png")),
    threadKey: fc.constantFrom("t1", "t2"),
    status: fc.constantFrom("open" as const, "assigned" as const, "resolved" as const)
  })
  .map(({ status, ...drawn }) => ({
    ...drawn,
    id: InboxItemId.make(`itm_${"0".repeat(26)}`),
    workspaceId,
    accountId,
    source: "ig_dm",
    externalId: "m1",
    parentExternalId: Option.none(),
    linkedPostId: Option.none(),
    body: "text",
    attachments: [],
    url: Option.none(),
    isHidden: false,
    isLiked: false,
    privateRepliedAt: Option.none(),
    postId: Option.none(),
    capabilities: [],
    replyWindow: Option.none(),
    receivedAt: noon,
    createdAt: noon,
    editedAt: Option.none(),
    thread: { status, assignedTo: status === "open" ? Option.none() : Option.some("ann") },
    account: {
      id: accountId,
      network: "instagram",
      name: "Page",
      avatarUrl: Option.none(),
      externalUserId: Option.none()
    }
  }))
