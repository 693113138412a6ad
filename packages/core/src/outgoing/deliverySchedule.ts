import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { OutgoingEndpointId } from "../kernel/Ids.ts"

/** Pauses after the first, second … failed attempt (api-2.md §15). */
const pauses = [
  "5 seconds",
  "30 seconds",
  "2 minutes",
  "10 minutes",
  "30 minutes",
  "1 hour",
  "2 hours",
  "4 hours",
  "8 hours",
  "12 hours",
  "24 hours"
] as const satisfies ReadonlyArray<Duration.Input>

/** How far a pause may lie beside what the schedule says: endpoints that failed together are not tried together. */
const jitter = 0.1

/** Between the moments on which an endpoint's retries fall; less than the jitter of the shortest pause leaves room for. */
const together_ms = 500

/** Where those moments lie, from 0 to below `together_ms`: another place for each endpoint. */
const placeOf = (id: OutgoingEndpointId): number =>
  Array.from(id).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % together_ms, 0)

/**
 * When a delivery is due again of which the `attempts`th failed attempt in a row ended at `at`; none after the last.
 *
 * What an endpoint missed within a moment is due at once, as one piece of work: each by itself would cost the database as
 * much as all of them, and healthy endpoints would wait behind it.
 *
 * @param random From 0 to below 1.
 */
export const retryAt = (
  id: OutgoingEndpointId,
  attempts: number,
  { at, random }: { readonly at: DateTime.Utc; readonly random: number }
): Option.Option<DateTime.Utc> =>
  Option.map(Option.fromUndefinedOr(pauses[attempts - 1]), (pause) => {
    const after = (share: number): number => at.epochMilliseconds + Math.round(Duration.toMillis(pause) * share)
    const [first, last] = [after(1 - jitter), after(1 + jitter)]
    const place = placeOf(id)
    const moment = Math.round((first + (last - first) * random - place) / together_ms) * together_ms + place
    const inside = moment < first ? moment + together_ms : moment > last ? moment - together_ms : moment
    return DateTime.makeUnsafe(inside)
  })

/** Attempts of a delivery before it has failed. */
export const mostAttempts = pauses.length + 1
