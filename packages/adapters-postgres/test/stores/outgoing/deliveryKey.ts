import { Redacted } from "effect"

/** By which the processes of a test seal and open the secrets of endpoints. */
export const vaultKey = Redacted.make([{ id: "test", bytes: new Uint8Array(32).fill(7) }] as const)
