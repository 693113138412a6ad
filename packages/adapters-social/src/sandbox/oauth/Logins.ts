import type { Network } from "../../names.ts"
import { Consents } from "../consent/Consents.ts"
import { Owners } from "../consent/Owners.ts"
import { Presets } from "../consent/Presets.ts"
import type { World } from "../World.ts"
import { Codes } from "./Codes.ts"
import { Apps } from "./SandboxApps.ts"
import type { SandboxApp } from "./SandboxApps.ts"

/** What the networks know of signing in: our apps, who may sign in, what was allowed, and codes that wait. */
export class Logins {
  readonly apps: Apps
  readonly codes: Codes
  readonly owners: Owners
  readonly consents = new Consents()
  readonly presets = new Presets()

  constructor(world: World, seed: number, apps: Partial<Record<Network, SandboxApp>>) {
    this.apps = new Apps(apps)
    this.codes = new Codes(seed)
    this.owners = new Owners(world)
  }
}
