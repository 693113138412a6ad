import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type Judge = (value: unknown) => boolean

const never: Judge = () => false
const isText: Judge = (value) => typeof value === "string"
const isFigure: Judge = (value) => typeof value === "number"
const isYesOrNo: Judge = (value) => typeof value === "boolean"
const isTextOrNull: Judge = (value) => value === null || typeof value === "string"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const judgeOfUnion = (types: ReadonlyArray<SchemaAST.AST>): Judge => {
  if (types.length === 2 && types.some(SchemaAST.isNull) && types.map(judgeOf).includes(isText)) return isTextOrNull
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

/** The places of columns. Most hold what is judged without a call for each value. */
interface Places {
  readonly texts: Array<number>
  readonly textsOrNull: Array<number>
  readonly yesOrNos: Array<number>
  readonly others: Array<{ readonly place: number; readonly judge: Judge }>
}

const placesOf = (columns: ReadonlyArray<{ readonly place: number; readonly judge: Judge }>): Places => {
  const places: Places = { texts: [], textsOrNull: [], yesOrNos: [], others: [] }
  for (const column of columns) {
    if (column.judge === isText) places.texts.push(column.place)
    else if (column.judge === isTextOrNull) places.textsOrNull.push(column.place)
    else if (column.judge === isYesOrNo) places.yesOrNos.push(column.place)
    else places.others.push(column)
  }
  return places
}

const isInPlace = ({ others, texts, textsOrNull, yesOrNos }: Places, row: ReadonlyArray<unknown>): boolean => {
  for (const place of texts) if (typeof row[place] !== "string") return false
  for (const place of textsOrNull) if (row[place] !== null && typeof row[place] !== "string") return false
  for (const place of yesOrNos) if (typeof row[place] !== "boolean") return false
  for (const { judge, place } of others) if (row[place] === undefined || !judge(row[place])) return false
  return true
}

/**
 * Whether a value is surely what a schema decodes it to, its checks aside, so that it need not be decoded: that makes a copy
 * of every row and of all that lies in it. "No" says nothing: some kinds of schema are not known here.
 */
export const makeIsShaped = <A>(schema: Schema.Codec<A, unknown>): ((value: unknown) => value is A) => {
  const judge = judgeOf(schema.ast)
  return (value): value is A => judge(value)
}

/** Gives a row's values, which stand in the order of its columns, their names. */
export type NameRow = (values: ReadonlyArray<unknown>) => Readonly<Record<string, unknown>>

/** More than a row has columns. */
const mostColumns = 1_000

/**
 * The same for rows as they are before they have names: to find a value by its place takes a third of the time that it takes
 * by its name, and a page has two thousand. `named` are the same rows, as `toNamed` names them.
 */
export const makeIsShapedInPlace = <A>(
  schema: Schema.Codec<A, unknown>,
  toNamed: NameRow
): ((rows: ReadonlyArray<ReadonlyArray<unknown>>, named: ReadonlyArray<unknown>) => named is ReadonlyArray<A>) => {
  const { ast } = schema
  const ofNames = toNamed(Array.from({ length: mostColumns }, (_, place) => place))
  const columns = SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name, type }) => ({
        place: Number(ofNames[String(name)]),
        judge: SchemaAST.isOptional(type) ? never : judgeOf(type)
      }))
    : []
  const isKnown = judgeOf(ast) !== never && columns.every(({ place }) => Number.isInteger(place))
  const places = placesOf(columns)
  return (rows, named): named is ReadonlyArray<A> =>
    isKnown && named.length === rows.length && rows.every((row) => isInPlace(places, row))
}
