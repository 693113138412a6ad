import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import { isVisible } from "../World.ts"
import type { Writing } from "../Writing.ts"
import { invalidRequest } from "./xAnswers.ts"
import { showAround, shownOf, showPost } from "./xShow.ts"

/** How a timeline is read. */
export interface TimelineRules {
  /** Page sizes that are taken. */
  readonly least: number
  readonly most: number
  /** Older ones are out of reach. */
  readonly reach: number
  /** What names the next page: `pagination_token`, in searches `next_token` too. */
  readonly tokens: ReadonlyArray<string>
}

const isId = (text: string): boolean => /^[0-9]{1,19}$/.test(text)

/** -1, 0 or 1, as ids follow each other in time. */
const compareIds = (one: string, other: string): number => {
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const tokenOf = (id: string): string => `7140${BigInt(id).toString(36)}`

const idOfToken = (token: string): string | undefined => {
  const digits = /^7140([0-9a-z]{1,13})$/.exec(token)?.[1]
  if (digits === undefined) return undefined
  let id = 0n
  for (const digit of digits) id = id * 36n + BigInt(Number.parseInt(digit, 36))
  return String(id)
}

const idInput = (ask: Ask, name: string): Result.Result<string | undefined, SandboxAnswer> => {
  const id = ask.text(name)
  return id === undefined || isId(id)
    ? Result.succeed(id)
    : Result.fail(invalidRequest(name, id, `The \`${name}\` query parameter value [${id}] is not valid`))
}

const timeOf = (ask: Ask, name: string): Result.Result<Option.Option<DateTime.DateTime>, SandboxAnswer> => {
  const text = ask.text(name)
  if (text === undefined) return Result.succeed(Option.none())
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? DateTime.make(text) : Option.none()
  return Option.isSome(time)
    ? Result.succeed(time)
    : Result.fail(invalidRequest(name, text, `The \`${name}\` query parameter value [${text}] is not a valid time`))
}

const tokenInput = (ask: Ask, names: ReadonlyArray<string>): Result.Result<string | undefined, SandboxAnswer> => {
  const given = names.flatMap((name) => {
    const token = ask.text(name)
    return token === undefined ? [] : [{ name, token }]
  })[0]
  if (given === undefined) return Result.succeed(undefined)
  const id = idOfToken(given.token)
  return id === undefined
    ? Result.fail(invalidRequest(given.name, given.token, `The \`${given.name}\` query parameter value is not valid`))
    : Result.succeed(id)
}

const sizeOf = (ask: Ask, { least, most }: TimelineRules): Result.Result<number, SandboxAnswer> => {
  const text = ask.text("max_results") ?? "10"
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return size >= least && size <= most
    ? Result.succeed(size)
    : Result.fail(
        invalidRequest(
          "max_results",
          text,
          `The \`max_results\` query parameter value [${text}] is not between ${least} and ${most}`
        )
      )
}

/** A page of posts that are given newest first. */
export const readTimeline = (
  scene: Scene,
  ask: Ask,
  posts: ReadonlyArray<Writing>,
  rules: TimelineRules
): Result.Result<unknown, SandboxAnswer> =>
  Result.gen(function* () {
    const shown = yield* shownOf(scene, ask)
    const size = yield* sizeOf(ask, rules)
    const sinceId = yield* idInput(ask, "since_id")
    const untilId = yield* idInput(ask, "until_id")
    const start = yield* timeOf(ask, "start_time")
    const end = yield* timeOf(ask, "end_time")
    const after = yield* tokenInput(ask, rules.tokens)
    const rest = posts
      .filter((one) => isVisible(one, scene.at))
      .slice(0, rules.reach)
      .filter(
        ({ id, writtenAt }) =>
          (sinceId === undefined || compareIds(id, sinceId) > 0) &&
          (untilId === undefined || compareIds(id, untilId) < 0) &&
          (after === undefined || compareIds(id, after) < 0) &&
          !Option.exists(start, (time) => DateTime.isLessThan(writtenAt, time)) &&
          !Option.exists(end, (time) => DateTime.isGreaterThanOrEqualTo(writtenAt, time))
      )
    const page = rest.slice(0, size)
    const [newest, oldest] = [page[0], page.at(-1)]
    if (newest === undefined || oldest === undefined) return { meta: { result_count: 0 } }
    return {
      data: page.map((post) => showPost(post, shown)),
      ...showAround(scene, page, shown),
      meta: {
        result_count: page.length,
        newest_id: newest.id,
        oldest_id: oldest.id,
        ...(rest.length > page.length ? { next_token: tokenOf(oldest.id) } : {})
      }
    }
  })
