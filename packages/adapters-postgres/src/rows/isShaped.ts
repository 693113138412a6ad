import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type Judge = (value: unknown) => boolean

const never: Judge = () => false
const isText: Judge = (value) => typeof value === "string"
const isFigure: Judge = (value) => typeof value === "number"
const isYesOrNo: Judge = (value) => typeof value === "boolean"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const judgeOfUnion = (types: ReadonlyArray<SchemaAST.AST>): Judge => {
  if (types.every(SchemaAST.isLiteral)) {
    const literals = new Set<unknown>(types.map(({ literal }) => literal))
    return (value) => literals.has(value)
  }
  const [one = never, other = never, ...more] = types.map(judgeOf)
  return more.length === 0 ? (value) => other(value) || one(value) : never
}

const judgeOfObjects = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Judge => {
  const names: Array<string> = []
  const judges: Array<Judge> = []
  for (const { name, type } of propertySignatures) {
    if (typeof name !== "string" || SchemaAST.isOptional(type)) return never
    names.push(name)
    judges.push(judgeOf(type))
  }
  if (indexSignatures.length > 0) return never
  return (value) => {
    if (!isRecord(value)) return false
    return names.every((name, n) => {
      const member = value[name]
      return member !== undefined && judges[n]?.(member) === true
    })
  }
}

const judgeOfArrays = ({ elements, rest }: SchemaAST.Arrays): Judge => {
  const [only, ...more] = rest
  if (only === undefined || more.length > 0 || elements.length > 0) return never
  const isElement = judgeOf(only)
  return (value) => Array.isArray(value) && value.every(isElement)
}

const judgeOf = (ast: SchemaAST.AST): Judge => {
  if (ast.encoding !== undefined) return never
  if (SchemaAST.isString(ast)) return isText
  if (SchemaAST.isNumber(ast)) return isFigure
  if (SchemaAST.isBoolean(ast)) return isYesOrNo
  if (SchemaAST.isNull(ast)) return (value) => value === null
  if (SchemaAST.isLiteral(ast)) return (value) => value === ast.literal
  if (SchemaAST.isUnknown(ast)) return () => true
  if (SchemaAST.isUnion(ast)) return judgeOfUnion(ast.types)
  if (SchemaAST.isObjects(ast)) return judgeOfObjects(ast)
  return SchemaAST.isArrays(ast) ? judgeOfArrays(ast) : never
}

/**
 * Whether a value is surely what a schema decodes it to, its checks aside, so that it need not be decoded: that makes a copy
 * of every row and of all that lies in it. "No" says nothing: some kinds of schema are not known here.
 */
export const makeIsShaped = <A>(schema: Schema.Codec<A, unknown>): ((value: unknown) => value is A) => {
  const judge = judgeOf(schema.ast)
  return (value): value is A => judge(value)
}
