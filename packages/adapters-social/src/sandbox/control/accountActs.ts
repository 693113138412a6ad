import { Network } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { knownScopes } from "../consent/knownScopes.ts"
import { appScopedId } from "../graph/instagramNodes.ts"
import type { World } from "../World.ts"
import { isExpired } from "../Tokens.ts"
import { SandboxRefused } from "../Writing.ts"
import type { SandboxApi } from "./SandboxApi.ts"

/** An account that is meant; the first one of the network if none is named. */
export const AccountName = Schema.Struct({ network: Network, account_id: Schema.optionalKey(Schema.String) })

/** How tokens die: the person changed the password, removed the app, or the session ended. */
export const Death = Schema.Struct({
  ...AccountName.fields,
  reason: Schema.optionalKey(Schema.Literals(["password", "removed", "expired"]))
})

/** Permissions that go, by the network's names. */
export const Withdrawal = Schema.Struct({
  ...AccountName.fields,
  permissions: Schema.Array(Schema.String).check(Schema.isMinLength(1))
})

export const Role = Schema.Struct({ ...AccountName.fields, has_role: Schema.Boolean })

/** What acts on accounts look at. */
interface Place {
  readonly world: World
  readonly api: SandboxApi
}

/** One that is there. */
interface Meant {
  readonly network: Network
  readonly account_id: string
}

type Outcome<A> = Result.Result<A, SandboxRefused>

const refused = (reason: string): Outcome<never> => Result.fail(new SandboxRefused({ reason }))

const subcodes = { password: 460, removed: 458, expired: 463 } as const

/** Whose token reaches an account: of an Instagram account that has none, the Page's. */
const holderOf = ({ logins, tokens }: Place["api"], { account_id, network }: Meant) => {
  const isOwn = network !== "instagram" || tokens.ofAccounts(network, [account_id]).length > 0
  const page = isOwn ? undefined : logins.owners.pageOf(account_id)
  return page === undefined ? { network, accountId: account_id } : ({ network: "facebook", accountId: page } as const)
}

/** All whose tokens end together: on Facebook those of a person and of all their Pages. */
const togetherWith = (
  { logins }: Place["api"],
  { accountId, network }: { readonly network: Network; readonly accountId: string }
): ReadonlyArray<string> => {
  const person = network === "facebook" ? logins.owners.ownerOf(network, accountId) : undefined
  return person === undefined ? [accountId] : [person.id, ...person.accounts.map((one) => one.accountId)]
}

const find = ({ world }: Place, { account_id, network }: typeof AccountName.Type): Outcome<Meant> => {
  const found = world.findAccounts(network).find(({ accountId }) => accountId === (account_id ?? accountId))
  return found === undefined
    ? refused(`There is no such account of ${network} here.`)
    : Result.succeed({ network, account_id: found.accountId })
}

/** All tokens of the account end; on Facebook those of the person's other Pages with it. */
export const letDie = (sandbox: Place, { reason = "removed", ...named }: typeof Death.Type) =>
  Result.map(find(sandbox, named), (meant) => {
    const holder = holderOf(sandbox.api, meant)
    return sandbox.api.tokens.endAll(holder.network, togetherWith(sandbox.api, holder), subcodes[reason])
  })

/** The present tokens of the account lose permissions. */
export const withdraw = (sandbox: Place, { permissions, ...named }: typeof Withdrawal.Type) =>
  Result.gen(function* () {
    const holder = holderOf(sandbox.api, yield* find(sandbox, named))
    const unknown = permissions.find((one) => !knownScopes[holder.network].has(one))
    if (unknown !== undefined) return yield* refused(`${holder.network} has no permission ${unknown} here.`)
    const { logins, tokens } = sandbox.api
    const person = logins.owners.ownerOf(holder.network, holder.accountId)
    if (person !== undefined) logins.consents.withdraw(holder.network, person.id, permissions)
    return tokens.withdraw(holder.network, togetherWith(sandbox.api, holder), permissions)
  })

/** The person loses the role on a Page, or gets it back; the Page's token stays valid. */
export const setRole = (sandbox: Place, { has_role, ...named }: typeof Role.Type): Outcome<number> =>
  Result.flatMap(find(sandbox, named), (meant) => {
    const holder = holderOf(sandbox.api, meant)
    if (holder.network !== "facebook")
      return refused("Roles are those of Pages, and of Instagram accounts behind them.")
    const { owners } = sandbox.api.logins
    const isChange = owners.hasRole(holder.accountId) !== has_role
    owners.setRole(holder.accountId, has_role)
    return Result.succeed(isChange ? 1 : 0)
  })

/** What the network knows of an account, without its tokens. */
export const stateOf = (sandbox: Place, named: typeof AccountName.Type, at: DateTime.Utc) =>
  Result.map(find(sandbox, named), (meant) => {
    const { logins, subscriptions, tokens } = sandbox.api
    const holder = holderOf(sandbox.api, meant)
    const person = logins.owners.ownerOf(holder.network, holder.accountId)
    return {
      network: meant.network,
      network_account_id: meant.account_id,
      through_account_id: holder.network === meant.network ? null : holder.accountId,
      person_id: person?.id ?? null,
      has_role: holder.network !== "facebook" || logins.owners.hasRole(holder.accountId),
      is_subscribed: subscriptions.has(holder),
      fields: [...(subscriptions.fieldsOf(holder) ?? [])],
      events: subscriptions
        .listOfX()
        .filter(({ accountId }) => meant.network === "x" && accountId === meant.account_id)
        .map(({ eventType }) => eventType),
      is_in_development: logins.apps.stateOf(holder.network).isInDevelopment,
      tokens: tokens.ofAccounts(holder.network, [holder.accountId]).map((grant) => ({
        state: grant.isRevoked ? "revoked" : isExpired(grant, at) ? "expired" : "valid",
        permissions: [...tokens.scopesOf(grant, knownScopes[holder.network])],
        issued_at: DateTime.formatIso(grant.issuedAt),
        expires_at: Option.getOrNull(Option.map(grant.expiresAt, DateTime.formatIso))
      }))
    }
  })

/** What Meta sends to the host: that the person removed the app, or wants their data deleted. */
export const Callback = Schema.Struct({
  ...AccountName.fields,
  kind: Schema.Literals(["deauthorize", "data_deletion"]),
  /** Whom the request names, in place of the person's id for our app. */
  person_id: Schema.optionalKey(Schema.String)
})

/** Takes our app away from the account's person; who it is, and at which network. */
export const removeApp = (
  sandbox: Place,
  { person_id, ...named }: Pick<typeof Callback.Type, "network" | "account_id" | "person_id">
) =>
  Result.gen(function* () {
    const holder = holderOf(sandbox.api, yield* find(sandbox, named))
    if (holder.network === "x") return yield* refused("X calls nobody back.")
    const { logins, subscriptions, tokens } = sandbox.api
    const together = togetherWith(sandbox.api, holder)
    const owner = logins.owners.ownerOf(holder.network, holder.accountId)
    if (owner !== undefined) logins.consents.remove(holder.network, owner.id)
    tokens.endAll(holder.network, together, subcodes.removed)
    for (const accountId of together) subscriptions.set({ network: holder.network, accountId }, false)
    // Instagram knows the person by the id that only this app has of the account.
    const own = holder.network === "instagram" ? appScopedId({ accountId: holder.accountId }) : owner?.id
    return { network: holder.network, personId: person_id ?? own ?? holder.accountId }
  })
