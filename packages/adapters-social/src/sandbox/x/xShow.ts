import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import { asPerson, isVisible } from "../World.ts"
import type { SandboxPerson, Writing } from "../Writing.ts"
import { xPostFields, xUserFields } from "./postFields.ts"
import { invalidRequest, notFound } from "./xAnswers.ts"
import { inWords, wordsOf } from "./xWords.ts"
import type { Words } from "./xWords.ts"

type Fields = Readonly<Record<string, unknown>>

const tweetFields =
  "article,attachments,author_id,card_uri,community_id,context_annotations,conversation_id,created_at,display_text_range,edit_controls,edit_history_tweet_ids,entities,geo,id,in_reply_to_tweet_id,in_reply_to_user_id,lang,media_metadata,non_public_metrics,note_tweet,organic_metrics,possibly_sensitive,promoted_metrics,public_metrics,referenced_tweets,reply_settings,scopes,source,text,withheld"
const postFields =
  "article,article_title,attachments,card_uri,community_id,context_annotations,conversation_id,created_at,display_text_range,edit_controls,entities,geo,id,lang,matched_media_notes,media_metadata,non_public_metrics,note_post,note_request_suggestions,organic_metrics,paid_partnership,possibly_sensitive,promoted_metrics,public_metrics,reply_settings,scopes,source,suggested_source_links,suggested_source_links_with_counts,text,withheld"
const userFields =
  "affiliation,confirmed_email,connection_status,created_at,description,entities,id,is_identity_verified,location,most_recent_tweet_id,name,parody,pinned_tweet_id,profile_banner_url,profile_image_url,protected,public_metrics,receives_your_dm,subscription,subscription_type,url,username,verified,verified_followers_count,verified_type,withheld"
const mediaFields =
  "alt_text,duration_ms,height,media_key,non_public_metrics,organic_metrics,preview_image_url,promoted_metrics,public_metrics,type,url,variants,width"
const expansions =
  "article.cover_media,article.media_entities,attachments.media_keys,attachments.media_source_tweet,attachments.poll_ids,author_id,edit_history_post_ids,edit_history_tweet_ids,entities.mentions.username,entities.note.mentions.username,geo.place_id,in_reply_to_user_id,referenced_posts,referenced_posts.id,referenced_tweets,referenced_tweets.id,referenced_tweets.id.attachments.media_keys,referenced_tweets.id.author_id"

const fieldsOf: Record<Words, ReadonlySet<string>> = {
  tweet: new Set(tweetFields.split(",")),
  post: new Set(postFields.split(","))
}

/** Of the other vocabulary, or an expansion: X leaves out in silence what it doesn't have there. */
const ignored: ReadonlySet<string> = new Set([
  ...fieldsOf.tweet,
  ...fieldsOf.post,
  "referenced_posts",
  "edit_history_post_ids"
])

const known: Readonly<Record<string, ReadonlySet<string>>> = {
  "tweet.fields": ignored,
  "post.fields": ignored,
  "user.fields": new Set(userFields.split(",")),
  "media.fields": new Set(mediaFields.split(",")),
  expansions: new Set(expansions.split(","))
}

/** What of a post, of its people and around it is asked for, and in which names. */
export interface Shown {
  readonly words: Words
  readonly post: ReadonlySet<string>
  readonly user: ReadonlySet<string>
  readonly expansions: ReadonlySet<string>
}

/** A name that X does not know is refused, as it is there. */
export const shownOf = ({ settings }: Scene, ask: Ask): Result.Result<Shown, SandboxAnswer> =>
  Result.gen(function* () {
    const words = yield* wordsOf(ask, settings)
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
    const fields = [...of(`${words}.fields`)].filter((name) => fieldsOf[words].has(name))
    return { words, post: new Set(fields), user: of("user.fields"), expansions: of("expansions") }
  })

const pick = (fields: Fields, unasked: ReadonlyArray<string>, asked: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => unasked.includes(name) || asked.has(name)))

const references = ["referenced_posts", "referenced_posts.id", "referenced_tweets", "referenced_tweets.id"]

/** In the new vocabulary these are no fields, and come with their expansions. */
const expanded = (expansions: ReadonlySet<string>): ReadonlyArray<string> => [
  ...["author_id", "in_reply_to_user_id"].filter((name) => expansions.has(name)),
  ...(references.some((name) => expansions.has(name)) ? ["referenced_posts"] : [])
]

/** A post; its id, text and history are always there. */
export const showPost = (post: Writing, { expansions, post: asked, words }: Shown): Fields =>
  pick(
    inWords(words, xPostFields(post)),
    ["id", "text", `edit_history_${words}_ids`],
    words === "tweet" ? asked : new Set([...asked, ...expanded(expansions)])
  )

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
  const around = new Map<string, Writing>()
  const errors: Array<unknown> = []
  const { expansions } = shown
  for (const post of posts) {
    if (expansions.has("author_id")) users.set(post.author.id, post.author)
    if (expansions.has("in_reply_to_user_id")) for (const one of Option.toArray(post.addressee)) users.set(one.id, one)
    if (expansions.has("entities.mentions.username") && post.isMention) {
      users.set(post.account.accountId, asPerson(post.account))
    }
    if (![...references, "referenced_tweets.id.author_id"].some((name) => expansions.has(name))) continue
    for (const id of referencesOf(post)) {
      const referenced = findPost(scene, id)
      if (Option.isNone(referenced))
        errors.push(notFound("tweet", id, shown.words === "tweet" ? "referenced_tweets.id" : "referenced_posts"))
      else {
        around.set(id, referenced.value)
        if (expansions.has("referenced_tweets.id.author_id"))
          users.set(referenced.value.author.id, referenced.value.author)
      }
    }
  }
  const includes = {
    ...(users.size > 0 ? { users: [...users.values()].map((user) => showUser(user, shown)) } : {}),
    ...(around.size > 0 ? { [`${shown.words}s`]: [...around.values()].map((post) => showPost(post, shown)) } : {})
  }
  return {
    ...(Object.keys(includes).length > 0 ? { includes } : {}),
    ...(errors.length > 0 ? { errors } : {})
  }
}
