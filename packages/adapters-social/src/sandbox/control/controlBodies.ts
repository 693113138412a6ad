import { networks } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AskedRequest } from "./SandboxApi.ts"
import type { Subscriptions } from "../Subscriptions.ts"
import type { World } from "../World.ts"
import type { Writing } from "../Writing.ts"

/** Without tokens. */
export const accountBodies = (world: World, subscriptions: Subscriptions) =>
  networks.flatMap((network) =>
    world.findAccounts(network).map(({ accountId, name, username }) => ({
      network,
      network_account_id: accountId,
      name,
      username,
      is_subscribed: subscriptions.has({ network, accountId })
    }))
  )

const targetOf = (world: World, { account, otherParty, parentId, postId }: Writing) => {
  if (Option.isSome(otherParty)) return { to: otherParty.value.name, id: otherParty.value.id, text: null }
  const target = Option.flatMap(
    Option.orElse(parentId, () => postId),
    (id) => world.findWriting(account.network, id)
  )
  return Option.getOrNull(Option.map(target, ({ author, id, text }) => ({ to: author.name, id, text })))
}

/** What our side posted over the networks' APIs, the oldest first. */
export const sentBodies = (world: World) =>
  networks
    .flatMap((network) => world.findAccounts(network).flatMap(world.ofAccount))
    .flatMap((writing) => Option.toArray(Option.map(writing.sent, ({ metadata }) => ({ metadata, writing }))))
    .toSorted((one, other) => DateTime.Order(one.writing.writtenAt, other.writing.writtenAt))
    .map(({ metadata, writing }) => ({
      network: writing.account.network,
      network_account_id: writing.account.accountId,
      kind: writing.kind,
      id: writing.id,
      text: writing.text,
      in_reply_to: targetOf(world, writing),
      metadata: Option.getOrNull(metadata),
      sent_at: DateTime.formatIso(writing.writtenAt),
      is_deleted: writing.isDeleted
    }))

export const requestBody = ({
  accountId,
  at,
  endpoint,
  fault,
  inputs,
  method,
  network,
  path,
  status
}: AskedRequest) => ({
  at: DateTime.formatIso(at),
  network,
  endpoint,
  method,
  path,
  inputs,
  network_account_id: Option.getOrNull(accountId),
  fault: Option.getOrNull(fault),
  status: Option.getOrNull(status)
})
