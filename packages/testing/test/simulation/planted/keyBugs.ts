import { Option } from "effect"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** What looks a key up in more than it is for. */
export const keyBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "the key of a reply is looked up among all replies of its account",
    breaks: /a key finds the reply of another item/,
    plant: wrong(OutboundStore, (right, { inbox }) =>
      OutboundStore.of({
        ...right,
        submit: (name, decide) =>
          right.submit(name, (existing, rivals) => {
            const all = Array.from(
              inbox.accounts.get(name.accountId)?.operations.values() ?? [],
              (one) => one.operation
            )
            const named = all.find(
              ({ idempotencyKey }) =>
                Option.isSome(idempotencyKey) && Option.contains(name.idempotencyKey, idempotencyKey.value)
            )
            return decide(
              Option.orElse(existing, () => Option.fromUndefinedOr(named)),
              rivals
            )
          })
      })
    )
  }
]
