import * as Schema from "effect/Schema"

/** A whole number within bounds, both inclusive. What is none is one fault, and not told a second time for its bounds. */
export const wholeNumber = ({
  minimum,
  maximum = Number.MAX_SAFE_INTEGER
}: {
  readonly minimum: number
  /** The largest that JSON's readers agree about unless said otherwise. */
  readonly maximum?: number
}) => {
  const message = `must be an integer from ${minimum} to ${maximum}`
  return Schema.Number.check(Schema.isInt({ message }).abort(), Schema.isBetween({ minimum, maximum }, { message }))
}
