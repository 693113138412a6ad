import { DateTime, Effect, Layer, Option } from "effect"
import { type ConnectEntry, MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { AttemptProgress, ConnectAttempt } from "@loopbox/core/connecting/ConnectAttempt"
import type { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { type AttemptFacts, ConnectSessionStore } from "@loopbox/core/connecting/ConnectSessionStore"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"

type Tag = AttemptProgress["_tag"]

/** A way to the network and back leads onwards only. */
const follows: Readonly<Record<Tag, ReadonlyArray<Tag>>> = {
  Open: ["Exchanging"],
  Exchanging: ["Exchanging", "Choosing", "Admitting", "Over"],
  Choosing: ["Admitting"],
  Admitting: ["Admitting", "Over"],
  Over: []
}

const mostAttempts = 20

const isOver = ({ expiresAt, status }: ConnectSession, now: DateTime.Utc) =>
  status === "completed" || DateTime.isLessThanOrEqualTo(expiresAt, now)

/** An answer of a network counts once, before the session ends, and is worked on by one at a time. */
const judgeAttempt = (
  session: ConnectSession,
  before: ConnectAttempt,
  after: ConnectAttempt,
  now: DateTime.Utc
): ReadonlyArray<string> => {
  const [was, is] = [before.progress, after.progress]
  const name = `an attempt of ${session.id}`
  if (was === is) return []
  if (!follows[was._tag].includes(is._tag)) return [`${name} is ${is._tag} after ${was._tag}`]
  const wrong: Array<string> = []
  if (is._tag === "Exchanging" && isOver(session, now)) wrong.push(`${name} goes on, and its session is over`)
  if (was._tag !== "Open" && "answer" in is && was.answer !== is.answer) wrong.push(`${name} has two answers`)
  const isTaken = "token" in was && "token" in is && was.token !== is.token
  if (isTaken && DateTime.isGreaterThan(was.until, now)) wrong.push(`${name} is worked on by two at a time`)
  return wrong
}

const judgeSession = (before: ConnectSession, after: ConnectSession, now: DateTime.Utc): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  if (before.status === "completed" && after.status !== "completed") wrong.push(`${after.id} is no longer completed`)
  if (before.accountIds.some((id) => !after.accountIds.includes(id)))
    wrong.push(`${after.id} forgets what it connected`)
  const isWaiting = after.status === "pending" || after.status === "choosing"
  if (before !== after && isWaiting && isOver(before, now)) wrong.push(`${after.id} goes on, and is over`)
  return [
    ...wrong,
    ...differing(after.id, {
      "whose it is": [
        [after.workspaceId, after.externalUserId],
        [before.workspaceId, before.externalUserId]
      ],
      "until when it is good": [after.expiresAt, before.expiresAt]
    })
  ]
}

const watch = (right: ConnectSessionStore["Service"], judge: Judged, { connecting }: MemoryState["Service"]) => {
  const entryBy = (isIt: (entry: ConnectEntry) => boolean) => Array.from(connecting.values()).find(isIt)
  return ConnectSessionStore.of({
    ...right,
    put: (kept, isOwnerKnown) =>
      judge(
        () => undefined,
        right.put(kept, isOwnerKnown),
        (_, isKept) => {
          const entry = connecting.get(kept.session.id)
          return isKept
            ? differing(kept.session.id, { "what is kept of it": [entry, { kept, attempts: [] }] })
            : differing(kept.session.id, { "whether it is kept": [entry, undefined] })
        }
      ),
    find: (workspaceId, id) =>
      judge(
        () => connecting.get(id)?.kept,
        right.find(workspaceId, id),
        (kept, found) =>
          differing(`who may see ${id}`, {
            "in another workspace": [
              found,
              kept?.session.workspaceId === workspaceId ? Option.some(kept) : Option.none()
            ]
          })
      ),
    findByLink: (digest) =>
      judge(
        () => entryBy(({ kept }) => kept.linkDigest === digest)?.kept,
        right.findByLink(digest),
        (kept, found) => differing("a link to connect by", { "whose it is": [found, Option.fromUndefinedOr(kept)] })
      ),
    begin: (workspaceId, id, decide) =>
      Effect.flatMap(DateTime.now, (now) => {
        let [given, begun]: [unknown, ReturnType<typeof decide>] = [undefined, Option.none()]
        const noting: typeof decide = (session, attempts) => {
          given = [session, attempts]
          begun = decide(session, attempts)
          return begun
        }
        return judge(
          () => connecting.get(id),
          right.begin(workspaceId, id, noting),
          (was, answer) => {
            const isOurs = was?.kept.session.workspaceId === workspaceId
            if (was === undefined || !isOurs)
              return differing(`${id} in another workspace`, { "who may begin": [answer, Option.none()] })
            const { attempt, session } = Option.getOrElse(begun, () => ({
              attempt: undefined,
              session: was.kept.session
            }))
            const attempts = attempt === undefined ? was.attempts : [...was.attempts, attempt].slice(-mostAttempts)
            return [
              ...judgeSession(was.kept.session, session, now),
              ...(attempt !== undefined && isOver(was.kept.session, now) ? [`${id} begins again, and is over`] : []),
              ...differing(id, {
                "what is known as it begins": [given, [was.kept.session, was.attempts]],
                "what is kept of it": [connecting.get(id), { kept: { ...was.kept, session }, attempts }],
                "what is answered of it": [answer, Option.some(was.kept.session)]
              })
            ]
          }
        )
      }),
    change: <A>(
      name: Parameters<typeof right.change>[0],
      decide: (facts: AttemptFacts) => ReturnType<Parameters<typeof right.change<A>>[1]>
    ) =>
      Effect.flatMap(DateTime.now, (now) => {
        let given: AttemptFacts | undefined
        let decided: ReturnType<typeof decide> | undefined
        const isNamed = (one: ConnectAttempt) =>
          (name.by === "state" ? one.stateDigest : one.cookieDigest) === name.digest
        return judge(
          () => entryBy(({ attempts }) => attempts.some(isNamed)),
          right.change<A>(name, (facts) => {
            given = facts
            decided = decide(facts)
            return decided
          }),
          (was, answer) => {
            const attempt = was?.attempts.find(isNamed)
            if (was === undefined || attempt === undefined)
              return differing("an attempt that is not there", { "what becomes of it": [answer, Option.none()] })
            const { session } = was.kept
            const [changed, after] = [decided?.attempt ?? attempt, decided?.session ?? session]
            const place = was.attempts.indexOf(attempt)
            return [
              ...judgeAttempt(session, attempt, changed, now),
              ...judgeSession(session, after, now),
              ...differing(session.id, {
                "what is known of an attempt": [
                  [given?.session, given?.attempt, given?.newer],
                  [session, attempt, was.attempts.slice(place + 1)]
                ],
                "what is kept of it": [
                  connecting.get(session.id),
                  { kept: { ...was.kept, session: after }, attempts: was.attempts.with(place, changed) }
                ]
              })
            ]
          }
        )
      })
  })
}

/** The port of sessions in which people connect accounts: each counts once, in its time, in its workspace. */
export const watchConnecting = Layer.effect(
  ConnectSessionStore,
  Effect.gen(function* () {
    return watch(yield* ConnectSessionStore, judged((yield* StateLaw).violations), yield* MemoryState)
  })
)
