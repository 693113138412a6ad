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

/**
 * What a token may do by its permissions, in the order of the descriptor. A list without any of the network's names says
 * nothing of what a token may do: then everything that the network knows. Pure.
 */
export const capabilitiesOf = (
  { capabilities, permissionPrefixes }: Pick<NetworkDescriptor, "capabilities" | "permissionPrefixes">,
  permissions: ReadonlyArray<string>
): ReadonlyArray<Capability> =>
  capabilities
    .filter((one) => missingOf(one.permissions, permissionPrefixes, permissions).length === 0)
    .map(({ name }) => name)
