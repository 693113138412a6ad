import type { Feature } from "./Feature.ts"
import type { Capability, NetworkDescriptor, PermissionRows } from "./Network.ts"

/**
 * The permissions of these rows that a token lacks: the first name of each. A list without any of the network's names
 * says nothing of what a token may do: then none. Pure.
 */
export const missingOf = (
  rows: PermissionRows,
  prefixes: ReadonlyArray<string>,
  permissions: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const isTelling = permissions.some((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  return isTelling ? rows.filter((row) => !row.some((name) => permissions.includes(name))).map(([name]) => name) : []
}

/** The features of which an account needs one. What is not named here depends on permissions only. */
const neededFeatures: { readonly [name in Capability]?: ReadonlyArray<Feature> } = {
  inbox: ["inbox"],
  reply: ["inbox"],
  private_reply: ["inbox"],
  hide: ["inbox", "moderate"],
  delete: ["inbox", "moderate"],
  like: ["inbox", "moderate"]
}

/**
 * What a token may do by its permissions, in the order of the descriptor. A list without any of the network's names says
 * nothing of what a token may do: then everything that the network knows. An account that was not connected for the inbox
 * has nothing of it, whatever its permissions; one without `features` is for all of them. Pure.
 */
export const capabilitiesOf = (
  { capabilities, permissionPrefixes }: Pick<NetworkDescriptor, "capabilities" | "permissionPrefixes">,
  { features, permissions }: { readonly features: ReadonlyArray<Feature>; readonly permissions: ReadonlyArray<string> }
): ReadonlyArray<Capability> =>
  capabilities
    .filter((one) => missingOf(one.permissions, permissionPrefixes, permissions).length === 0)
    .map(({ name }) => name)
    .filter((name) => features.length === 0 || (neededFeatures[name]?.some((one) => features.includes(one)) ?? true))
