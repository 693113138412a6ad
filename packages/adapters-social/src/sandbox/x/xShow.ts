import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import { asPerson, isVisible } from "../World.ts"
import type { SandboxPerson, Writing } from "../Writing.ts"
import { xPostFields, xUserFields } from "./postFields.ts"
import { invalidRequest, notFound } from "./xAnswers.ts"

type Fields = Readonly<Record<string, unknown>>

const tweetFields =
  "article,attachments,author_id,card_uri,community_id,context_annotations,conversation_id,created_at,display_text_range,edit_controls,edit_history_tweet_ids,entities,geo,id,in_reply_to_tweet_id,in_reply_to_user_id,lang,media_metadata,non_public_metrics,note_tweet,organic_metrics,possibly_sensitive,promoted_metrics,public_metrics,referenced_tweets,reply_settings,scopes,source,text,withheld"
const userFields =
  "affiliation,confirmed_email,connection_status,created_at,description,entities,id,is_identity_verified,location,most_recent_tweet_id,name,parody,pinned_tweet_id,profile_banner_url,profile_image_url,protected,public_metrics,receives_your_dm,subscription,subscription_type,url,username,verified,verified_followers_count,verified_type,withheld"
const mediaFields =
  "alt_text,duration_ms,height,media_key,non_public_metrics,organic_metrics,preview_image_url,promoted_metrics,public_metrics,type,url,variants,width"
const expansions =
  "article.cover_media,article.media_entities,attachments.media_keys,attachments.media_source_tweet,attachments.poll_ids,author_id,edit_history_tweet_ids,entities.mentions.username,entities.note.mentions.username,geo.place_id,in_reply_to_user_id,referenced_tweets.id,referenced_tweets.id.attachments.media_keys,referenced_tweets.id.author_id"

const known: Readonly<Record<string, ReadonlySet<string>>> = {
  "tweet.fields": new Set(tweetFields.split(",")),
  "user.fields": new Set(userFields.split(",")),
  "media.fields": new Set(mediaFields.split(",")),
  expansions: new Set(expansions.split(","))
}

/** What of a post, of its people and around it is asked for. */
export interface Shown {
  readonly tweet: ReadonlySet<string>
  readonly user: ReadonlySet<string>
  readonly expansions: ReadonlySet<string>
}

/** A name that X does not know is refused, as it is there. */
export const shownOf = (ask: Ask): Result.Result<Shown, SandboxAnswer> =>
  Result.gen(function* () {
    const asked = new Map<string, ReadonlySet<string>>()
    for (const [parameter, names] of Object.entries(known)) {
      const given = (ask.text(parameter) ?? "").split(",").filter((name) => name !== "")
      const wrong = given.find((name) => !names.has(name))
      if (wrong !== undefined) {
        const message = `The \`${parameter}\` query parameter value [${wrong}] is not one of [${[...names].join(",")}]`
        return yield* Result.fail(invalidRequest(parameter, wrong, message))
      }
      asked.set(parameter, new Set(given))
    }
    const of = (parameter: string) => asked.get(parameter) ?? new Set<string>()
    return { tweet: of("tweet.fields"), user: of("user.fields"), expansions: of("expansions") }
  })

const pick = (fields: Fields, unasked: ReadonlyArray<string>, asked: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => unasked.includes(name) || asked.has(name)))

/** A post; its id, text and history are always there. */
export const showPost = (post: Writing, { tweet }: Shown): Fields =>
  pick(xPostFields(post), ["id", "text", "edit_history_tweet_ids"], tweet)

/** A user; the id and both names are always there. */
export const showUser = (person: SandboxPerson, { user }: Shown): Fields =>
  pick(xUserFields(person), ["id", "name", "username"], user)

/** Anybody on X: a person, or a connected account. */
export const findUser = ({ world }: Scene, id: string): Option.Option<SandboxPerson> =>
  Option.orElse(world.findPerson("x", id), () => Option.map(world.findAccount("x", id), asPerson))

/** A post that can be seen now. */
export const findPost = ({ at, world }: Scene, id: string): Option.Option<Writing> =>
  Option.filter(world.findWriting("x", id), (one) => isVisible(one, at))

const referencesOf = ({ parentId, postId, quotedId }: Writing): ReadonlyArray<string> => [
  ...Option.toArray(Option.orElse(parentId, () => postId)),
  ...Option.toArray(quotedId)
]

/** What stands beside posts: their people, and the posts that they answer or quote; what is gone is told in `errors`. */
export const showAround = (scene: Scene, posts: ReadonlyArray<Writing>, shown: Shown): Fields => {
  const users = new Map<string, SandboxPerson>()
  const tweets = new Map<string, Writing>()
  const errors: Array<unknown> = []
  const { expansions } = shown
  for (const post of posts) {
    if (expansions.has("author_id")) users.set(post.author.id, post.author)
    if (expansions.has("in_reply_to_user_id")) for (const one of Option.toArray(post.addressee)) users.set(one.id, one)
    if (expansions.has("entities.mentions.username") && post.isMention) {
      users.set(post.account.accountId, asPerson(post.account))
    }
    if (!expansions.has("referenced_tweets.id") && !expansions.has("referenced_tweets.id.author_id")) continue
    for (const id of referencesOf(post)) {
      const referenced = findPost(scene, id)
      if (Option.isNone(referenced)) errors.push(notFound("tweet", id, "referenced_tweets.id"))
      else {
        tweets.set(id, referenced.value)
        if (expansions.has("referenced_tweets.id.author_id"))
          users.set(referenced.value.author.id, referenced.value.author)
      }
    }
  }
  const includes = {
    ...(users.size > 0 ? { users: [...users.values()].map((user) => showUser(user, shown)) } : {}),
    ...(tweets.size > 0 ? { tweets: [...tweets.values()].map((post) => showPost(post, shown)) } : {})
  }
  return {
    ...(Object.keys(includes).length > 0 ? { includes } : {}),
    ...(errors.length > 0 ? { errors } : {})
  }
}
