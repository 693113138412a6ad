import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { PollLife } from "./pollPace.ts"
import type { SyncSettlement } from "./PollStore.ts"

/** When an account is polled after news of it: within its interval, or when it was due before. Pure. */
export const dueAfterNews = ({ aliveAt, every }: PollLife, due: DateTime.Utc): DateTime.Utc =>
  DateTime.min(due, DateTime.addDuration(aliveAt, every))

/** News that came after the claim of a poll, as the life that they leave. */
const newsSince = (told: PollLife, aliveAt: Option.Option<DateTime.Utc>): Option.Option<PollLife> =>
  Option.map(Option.filter(aliveAt, DateTime.isGreaterThan(told.aliveAt)), (newer) => ({ ...told, aliveAt: newer }))

/** How alive an account is after a poll, which knows nothing of news that came after its claim. Pure. */
export const lifeAfterPoll = (aliveAt: Option.Option<DateTime.Utc>, told: PollLife): PollLife =>
  Option.getOrElse(newsSince(told, aliveAt), () => told)

/** What was noted of an account until its poll ended. */
interface NotedBefore {
  readonly aliveAt: Option.Option<DateTime.Utc>
  readonly dueAt: Option.Option<DateTime.Utc>
}

/**
 * When an account is polled next after a poll that ends at `at`. Pure.
 *
 * Who polls nothing by itself leaves it due as it was. News that came after the claim bring it forward, unless the network
 * asks to wait.
 */
export const dueAfterPoll = (
  { life, nextPollAt, state }: Pick<SyncSettlement, "nextPollAt" | "state"> & { readonly life?: PollLife | undefined },
  { aliveAt, dueAt }: NotedBefore,
  at: DateTime.Utc
): DateTime.Utc => {
  const planned = Option.getOrElse(
    Option.orElse(nextPollAt, () => dueAt),
    () => at
  )
  if (life === undefined || Option.isSome(state.wait)) return planned
  return Option.match(newsSince(life, aliveAt), {
    onNone: () => planned,
    onSome: (known) => dueAfterNews(known, planned)
  })
}
