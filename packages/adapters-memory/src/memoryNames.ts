import * as Option from "effect/Option"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { AccountName } from "@loopbox/core/accounts/SocialAccounts"
import { isIdOf } from "@loopbox/core/networks/InboundActivity"

/** Whether webhooks name the account so. */
export const isNamed = ({ by, network, value }: AccountName, account: SocialAccount): boolean =>
  account.network === network &&
  (by === "id"
    ? isIdOf(account, value)
    : Option.exists(account.username, (name) => name.toLowerCase() === value.toLowerCase()))
