import type { Capability, NetworkDescriptor } from "./Network.ts"

/**
 * What a token may do by its permissions, in the order of the descriptor. A list without any of the network's names says
 * nothing of what a token may do: then everything that the network knows. Pure.
 */
export const capabilitiesOf = (
  { capabilities, permissionPrefixes }: Pick<NetworkDescriptor, "capabilities" | "permissionPrefixes">,
  permissions: ReadonlyArray<string>
): ReadonlyArray<Capability> => {
  const isTelling = permissions.some((name) => permissionPrefixes.some((prefix) => name.startsWith(prefix)))
  return capabilities
    .filter((one) => !isTelling || one.permissions.every((row) => row.some((name) => permissions.includes(name))))
    .map(({ name }) => name)
}
