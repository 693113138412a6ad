import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { SandboxAnswer } from "../Operation.ts"
import { invalid } from "./graphAnswers.ts"

/** One of the fields that are asked for, as in `messages.limit(25){id,from}`. */
export interface Field {
  readonly name: string
  readonly args: ReadonlyMap<string, string>
  readonly fields: ReadonlyArray<Field> | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** An object of a graph: what it can tell, and what of that it tells unasked. */
export class GraphNode {
  readonly type: string
  readonly unasked: ReadonlyArray<string>
  /** A member that is `undefined` may be asked for, and is absent. */
  readonly members: Fields

  constructor(type: string, unasked: ReadonlyArray<string>, members: Fields) {
    this.type = type
    this.unasked = unasked
    this.members = members
  }
}

/** A list that hangs on an object, read as its field asks. */
export class GraphEdge {
  readonly read: (field: Field) => Result.Result<unknown, SandboxAnswer>

  constructor(read: (field: Field) => Result.Result<unknown, SandboxAnswer>) {
    this.read = read
  }
}

const fieldPattern = /([a-z_]+)((?:\.[a-z_]+\([^()]*\))*)/y

/** Takes a list of fields apart, from `at` to its end or a closing brace. */
const parseList = (text: string, start: number): Result.Result<readonly [ReadonlyArray<Field>, number], string> =>
  Result.gen(function* () {
    const fields: Array<Field> = []
    let at = start
    for (;;) {
      fieldPattern.lastIndex = at
      const match = fieldPattern.exec(text)
      if (match === null) return yield* Result.fail(`Syntax error at character ${at} of fields.`)
      at = fieldPattern.lastIndex
      const args = new Map(
        [...(match[2] ?? "").matchAll(/\.([a-z_]+)\(([^()]*)\)/g)].map(([, name = "", value = ""]) => [name, value])
      )
      let nested: ReadonlyArray<Field> | undefined
      if (text[at] === "{") {
        const [inner, end] = yield* parseList(text, at + 1)
        if (text[end] !== "}") return yield* Result.fail(`Syntax error at character ${end} of fields.`)
        nested = inner
        at = end + 1
      }
      fields.push({ name: match[1] ?? "", args, fields: nested })
      if (text[at] !== ",") return [fields, at] as const
      at++
    }
  })

/** `fields` of a request; none where nothing is asked for. */
export const parseFields = (
  text: string | undefined
): Result.Result<ReadonlyArray<Field> | undefined, SandboxAnswer> => {
  if (text === undefined || text === "") return Result.succeed(undefined)
  const plain = text.replace(/\s/g, "")
  return Result.match(parseList(plain, 0), {
    onFailure: (message) => Result.fail(invalid(message)),
    onSuccess: ([fields, end]) =>
      end === plain.length
        ? Result.succeed(fields)
        : Result.fail(invalid(`Syntax error at character ${end} of fields.`))
  })
}

/** The part of a plain value that is asked for; of a list, of each of its elements. */
const narrowed = (value: unknown, fields: ReadonlyArray<Field> | undefined): unknown => {
  if (fields === undefined || !Predicate.isObject(value)) return value
  const { data } = value
  if (Array.isArray(data)) return { data: data.map((one) => narrowed(one, fields)) }
  if (Predicate.isObject(data)) return { data: narrowed(data, fields) }
  return Object.fromEntries(
    fields.flatMap(({ fields, name }) => (name in value ? [[name, narrowed(value[name], fields)]] : []))
  )
}

/** Only what is asked for, and the id. A field that such an object never has is an error, as it is at Meta's. */
export const select = (
  node: GraphNode,
  fields: ReadonlyArray<Field> | undefined
): Result.Result<Fields, SandboxAnswer> =>
  Result.gen(function* () {
    const asked = fields ?? node.unasked.map((name): Field => ({ name, args: new Map(), fields: undefined }))
    const shown: Record<string, unknown> = {}
    for (const field of asked) {
      if (!(field.name in node.members)) {
        return yield* Result.fail(
          invalid(`Tried accessing nonexisting field (${field.name}) on node type (${node.type})`)
        )
      }
      const member = node.members[field.name]
      const value =
        member instanceof GraphNode
          ? yield* select(member, field.fields)
          : member instanceof GraphEdge
            ? yield* member.read(field)
            : narrowed(member, field.fields)
      if (value !== undefined) shown[field.name] = value
    }
    const id = node.members["id"]
    return id === undefined ? shown : { ...shown, id }
  })

/** A number among a field's arguments, as in `limit(25)`. */
export const numberArg = (field: Field, name: string): Option.Option<number> =>
  Option.flatMap(Option.fromUndefinedOr(field.args.get(name)), asLimit)

export const asLimit = (text: string): Option.Option<number> =>
  /^\d{1,4}$/.test(text) ? Option.some(Number(text)) : Option.none()
