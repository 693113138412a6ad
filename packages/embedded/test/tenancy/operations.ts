import { type Kind, kinds, type Things } from "./world.ts"
import { mapStrings, stringsIn, type Wire } from "./wire.ts"

/** One operation of the OpenAPI document. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The ids in its path, with the kind of thing that each names. */
  readonly ids: ReadonlyArray<{ readonly parameter: string; readonly kind: Kind }>
  readonly query: ReadonlyArray<string>
  /** The example of its body. */
  readonly body: unknown
}

const isKind = (text: string): text is Kind => kinds.some((kind) => kind === text)

const idsOf = (path: string): Operation["ids"] => {
  const parts = path.split("/")
  return parts.flatMap((part, n) => {
    const parameter = /^\{(.*)\}$/.exec(part)?.[1]
    const kind = parts[n - 1] ?? ""
    // An administrator names a workspace openly, and what is in it.
    if (parameter === undefined || path.startsWith("/v1/admin/")) return []
    if (!isKind(kind)) throw new Error(`${path}: a kind of id that world.ts knows nothing of: ${kind}`)
    return [{ parameter, kind }]
  })
}

/** Operations of customers: those of administrators name a workspace openly, and the rest is nobody's. */
const isTenants = (path: string): boolean =>
  path.startsWith("/v1/") && !/^\/v1\/(admin|webhooks)(\/|$)/.test(path) && path !== "/v1/inbox/ws"

const exampleOf = (operation: Wire): unknown => {
  const content = operation["requestBody"]?.["content"]?.["application/json"]
  return content?.["example"] ?? Object.values({ ...content?.["examples"] })[0]?.["value"]
}

/** Every operation that a tenant calls, or of others, as `isWanted` says. */
export const operationsOf = (document: Wire, isWanted = isTenants): ReadonlyArray<Operation> =>
  Object.entries({ ...document["paths"] }).flatMap(([path, methods]) =>
    isWanted(path)
      ? Object.entries({ ...methods }).map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          ids: idsOf(path),
          query: Object.values({ ...operation["parameters"] })
            .filter((one) => String(one["in"]) === "query")
            .map((one) => String(one["name"])),
          body: exampleOf(operation)
        }))
      : []
  )

/** Which thing an id in a query or a body names. */
const namedBy: Readonly<Record<string, Kind>> = {
  acc: "accounts",
  med: "media",
  itm: "inbox",
  thr: "threads",
  pst: "posts"
}
const prefixed = /^(acc|med|itm|thr|pst)_/

const kindOf = (text: string): Kind | undefined => {
  const [, prefix = ""] = prefixed.exec(text) ?? []
  return namedBy[prefix]
}

/** Members of queries that name a thing. */
const inQuery: Readonly<Record<string, Kind>> = {
  social_account_id: "accounts",
  thread_id: "threads"
}

/** Another id of the same form, which nobody has. */
export const absentOf = (id: string): string => {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
  const tail = id.slice(-6).replaceAll(/./g, (letter) => alphabet[(alphabet.indexOf(letter) + 7) % 32] ?? letter)
  return id.slice(0, -6) + tail
}

/** One place of an operation where an id stands, and how a request is made with an id there. */
export interface Place {
  readonly name: string
  readonly operation: Operation
  readonly kind: Kind
  /** `around` fills what else the request names. */
  readonly request: (
    id: string,
    around: Things
  ) => { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly body: unknown }
}

const fill = (operation: Operation, things: Things, replaced: Readonly<Record<string, string>>): string =>
  operation.ids.reduce(
    (path, { kind, parameter }) => path.replace(`{${parameter}}`, replaced[parameter] ?? things[kind]),
    operation.path
  )

const bodyWith = (body: unknown, things: Things, kind?: Kind, id?: string): unknown =>
  mapStrings(body, (text) => {
    const named = kindOf(text)
    if (named === undefined) return text
    return named === kind && id !== undefined ? id : things[named]
  })

/** Every id member of an operation: in its path, its query and its body. */
export const placesOf = (operation: Operation): ReadonlyArray<Place> => {
  const ofPath = operation.ids.map(({ kind, parameter }) => ({
    name: `${operation.name} {${parameter}}`,
    operation,
    kind,
    request: (id: string, around: Things) => ({
      path: fill(operation, around, { [parameter]: id }),
      query: {},
      body: bodyWith(operation.body, around)
    })
  }))
  const ofQuery = operation.query.flatMap((member) => {
    const kind = inQuery[member]
    if (kind === undefined) return []
    const request = (id: string, around: Things) => ({
      path: fill(operation, around, {}),
      query: { [member]: id },
      body: bodyWith(operation.body, around)
    })
    return [{ name: `${operation.name} ?${member}`, operation, kind, request }]
  })
  const inBody = new Set(stringsIn(operation.body).flatMap(([text]) => kindOf(text) ?? []))
  const ofBody = Array.from(inBody, (kind) => ({
    name: `${operation.name} body ${kind}`,
    operation,
    kind,
    request: (id: string, around: Things) => ({
      path: fill(operation, around, {}),
      query: {},
      body: bodyWith(operation.body, around, kind, id)
    })
  }))
  return [...ofPath, ...ofQuery, ...ofBody]
}
