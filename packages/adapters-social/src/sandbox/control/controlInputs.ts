import { Network } from "../../names.ts"
import * as Schema from "effect/Schema"
import { Faults } from "../faults/Faults.ts"
import { TokenChange } from "../Tokens.ts"
import { enclosures, surfaces } from "../Writing.ts"

const faults = Schema.optionalKey(Faults)
const text = Schema.String.check(Schema.isMaxLength(10_000))

/** What a person writes, and what goes wrong with telling it. */
export const WritingInput = Schema.Struct({
  network: Network,
  account_id: Schema.optionalKey(Schema.String),
  from: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100))),
  text,
  post_id: Schema.optionalKey(Schema.String),
  parent_id: Schema.optionalKey(Schema.String),
  attachment: Schema.optionalKey(Schema.Literals(enclosures)),
  surface: Schema.optionalKey(Schema.Literals(surfaces)),
  faults
})
export const WrittenInput = Schema.Struct({ network: Schema.optionalKey(Network), id: Schema.String, faults })
export const EditInput = Schema.Struct({ ...WrittenInput.fields, text })
export const HideInput = Schema.Struct({ ...WrittenInput.fields, is_hidden: Schema.optionalKey(Schema.Boolean) })
export const TokensInput = Schema.Struct({ network: Network, ...TokenChange.fields })
/** Which accounts; left out: all. */
export const AccountsInput = Schema.Struct({
  network: Schema.optionalKey(Network),
  account_id: Schema.optionalKey(Schema.String)
})
export const Nothing = Schema.Struct({})

/** As the sandbox names it inside. */
export const toPersonWrites = ({
  account_id,
  attachment,
  from,
  network,
  parent_id,
  post_id,
  surface,
  text
}: typeof WritingInput.Type) => ({
  network,
  text,
  from,
  attachment,
  surface,
  accountId: account_id,
  postId: post_id,
  parentId: parent_id
})
