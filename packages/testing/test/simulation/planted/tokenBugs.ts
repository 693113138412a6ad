import { DateTime, Effect, Option } from "effect"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type Store = AccountCredentials["Service"]

const wrongStore = (
  make: (right: Store, inbox: Parameters<Parameters<typeof wrong>[1]>[1]["inbox"]) => Partial<Store>
) => wrong(AccountCredentials, (right, { inbox }) => AccountCredentials.of({ ...right, ...make(right, inbox) }))

const earlier = DateTime.makeUnsafe("1960-01-01T00:00:00Z")

export const tokenBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "two processes renew one token at a time",
    breaks: /a token was renewed by two at a time|has to be connected again/,
    plant: wrongStore((right, { accounts }) => ({
      claimRenewal: (claim, lease) =>
        Effect.suspend(() => {
          const entry = accounts.get(claim.accountId)
          if (entry !== undefined) entry.renewal = { ...entry.renewal, turn: Option.none() }
          return right.claimRenewal(claim, lease)
        })
    }))
  },
  {
    name: "a renewed token is used, and not stored",
    breaks: /failed in fair weather|has to be connected again|before half of its life/,
    plant: wrongStore((right) => ({
      settleRenewal: (claim, outcome) =>
        outcome._tag === "Renewed" ? Effect.succeed(true) : right.settleRenewal(claim, outcome)
    }))
  },
  {
    name: "a renewal that ends late overwrites the token of a new login",
    breaks: /an older token .* came back/,
    plant: wrongStore((right, { accounts }) => ({
      settleRenewal: (claim, outcome) =>
        Effect.suspend(() => {
          const sealed = accounts.get(claim.accountId)?.sealed ?? claim.sealed
          return right.settleRenewal({ ...claim, sealed }, outcome)
        })
    }))
  },
  {
    name: "until when a renewed token is good is not written",
    breaks: /until when a token is good/,
    plant: wrongStore((right) => ({
      settleRenewal: (claim, outcome) =>
        right.settleRenewal(claim, outcome._tag === "Renewed" ? { ...outcome, expiresAt: Option.none() } : outcome)
    }))
  },
  {
    name: "a token is renewed whether it is due or not",
    breaks: /renewed before half of its life/,
    plant: wrongStore((right) => ({
      find: (...of) =>
        Effect.map(
          right.find(...of),
          Option.map((found) => ({ ...found, renewAt: Option.some(earlier) }))
        ),
      claimRenewal: (claim, lease) => right.claimRenewal(claim, { ...lease, dueAt: Option.none() })
    }))
  },
  {
    name: "a token is never renewed before its end",
    breaks: /no token .* was renewed|with a token that has expired/,
    plant: wrongStore((right) => ({
      find: (...of) =>
        Effect.map(
          right.find(...of),
          Option.map((found) => ({ ...found, renewAt: Option.none() }))
        )
    }))
  },
  {
    name: "a call that fails with an old token disconnects who has logged in again",
    breaks: /ended a new login/,
    plant: wrongStore((right, { accounts }) => ({
      expire: (workspaceId, id, sealed) =>
        Effect.suspend(() => right.expire(workspaceId, id, accounts.get(id)?.sealed ?? sealed))
    }))
  }
]
