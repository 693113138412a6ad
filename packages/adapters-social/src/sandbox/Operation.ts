import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as HttpRouter from "effect/http/HttpRouter"
import type { AccountOwner } from "./consent/standingOwners.ts"
import type { Logins } from "./oauth/Logins.ts"
import type { Settings } from "./Settings.ts"
import type { Subscriptions } from "./Subscriptions.ts"
import type { Grant, Tokens } from "./Tokens.ts"
import type { Containers } from "./publishing/Containers.ts"
import type { GivenFile } from "./publishing/loadFile.ts"
import type { PageMedia } from "./publishing/PageMedia.ts"
import type { XUploads } from "./publishing/XUploads.ts"
import type { World } from "./World.ts"
import type { AccountProfile, Happening } from "./Writing.ts"

/** What X asks an address before it sends webhooks there. */
export interface Challenge {
  readonly url: string
  readonly token: string
  readonly passed: () => SandboxAnswer
}

/** What a network answers. */
export interface SandboxAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text as it is, anything else as JSON. */
  readonly body: unknown
  /** What came of it, for webhooks. */
  readonly happened?: Happening | undefined
  /** An address has to prove that it is ours; until then this answer says that it did not. */
  readonly challenge?: Challenge | undefined
  /** It never comes. */
  readonly hangs?: boolean | undefined
}

/** A request as it came. */
export interface Ask {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** The path as it was asked for, with the network's name. */
  readonly path: string
  /** A part of the path; "" where there is none of this name. */
  readonly param: (name: string) => string
  /** A value of the query, the form or the JSON body; JSON values stay what they are. */
  readonly input: (name: string) => unknown
  /** The same where it is text; a number counts as its digits. */
  readonly text: (name: string) => string | undefined
  /** All values of this name, of a form or a query that may repeat it. */
  readonly texts: (name: string) => ReadonlyArray<string>
  /** All input by name, without what is secret. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** The file that came with it, as a part of a form or as the body. */
  readonly file: Option.Option<GivenFile>
  /** The file at the address that the request names (`Route` `loads`); none if the network couldn't load it. */
  readonly loaded: Option.Option<GivenFile>
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined
  /** The address of the network, without a slash at the end. */
  readonly baseUrl: string
}

/** Where an operation happens. */
export interface Scene {
  readonly world: World
  readonly tokens: Tokens
  readonly containers: Containers
  readonly pageMedia: PageMedia
  readonly xUploads: XUploads
  /** A fault: what this request makes fails while it is processed, for this reason. */
  readonly failsLater: Option.Option<string>
  readonly subscriptions: Subscriptions
  readonly logins: Logins
  readonly settings: Settings
  readonly metaAppSecret: Redacted.Redacted<string>
  readonly at: DateTime.Utc
}

/** The same, in the name of an account. */
export interface AccountScene extends Scene {
  readonly account: AccountProfile
  readonly grant: Grant
}

/** The same, in the name of a person, who is no account. */
export interface PersonScene extends Scene {
  readonly person: AccountOwner
  readonly grant: Grant
}

/** What a network does when it is asked. */
export type Operation =
  | {
      /** What faults and the record of requests call it. */
      readonly name: string
      /** The permission that the token has to have. */
      readonly scope?: string | undefined
      readonly answer: (scene: AccountScene, ask: Ask) => SandboxAnswer
    }
  | {
      readonly name: string
      readonly scope?: string | undefined
      /** Wants the token of a person (Facebook). */
      readonly personAnswer: (scene: PersonScene, ask: Ask) => SandboxAnswer
    }
  | {
      readonly name: string
      /** Needs no token of an account: it is about tokens. */
      readonly openAnswer: (scene: Scene, ask: Ask) => SandboxAnswer
    }

/** A path, and the operation it stands for; of an object's path that depends on what the object is. */
export interface Route {
  readonly method: Ask["method"]
  readonly path: HttpRouter.PathInput
  readonly pick: (scene: Scene, ask: Ask, grant: Option.Option<Grant>) => Operation
  /**
   * Inputs that name an address from which the network loads a file; the first that comes is loaded. A function where the
   * address lies deeper in the request.
   */
  readonly loads?: ReadonlyArray<string> | ((ask: Ask) => string | undefined) | undefined
}

/** One network: its paths under `/<network>`. */
export interface SimulatedNetwork {
  readonly network: Network
  readonly routes: ReadonlyArray<Route>
  /** Names of all operations, for faults. */
  readonly operations: ReadonlyArray<string>
}
