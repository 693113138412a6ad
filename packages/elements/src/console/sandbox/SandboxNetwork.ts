/** The networks that the sandbox simulates. */
export const sandboxNetworks = ["instagram", "facebook", "threads", "x"] as const
export type SandboxNetwork = (typeof sandboxNetworks)[number]
