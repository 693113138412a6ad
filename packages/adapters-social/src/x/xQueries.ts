/** In which of its two vocabularies X is asked; it answers in the same. */
export type Words = "tweet" | "post"

type Query = Readonly<Record<string, string>>

/** What is asked of posts: no more than is read, for users, posts and media are billed. */
export interface XQueries {
  /** Of those that may become items. */
  readonly items: Query
  /** Of one that others hang on (social-networks.md §4). */
  readonly context: Query
  /** Of the account's own, one of which may be an answer that got lost. */
  readonly own: Query
  /** Of the account's own, one of which may be a post that got lost. */
  readonly published: Query
  /** Of one whose root is wanted. */
  readonly thread: Query
}

const people = { "user.fields": "name,username,profile_image_url" }
const media = { "media.fields": "type,url,preview_image_url" }

/**
 * Whom a post quotes is told by the quoted post's `author_id`, so that no user is needed beside its author;
 * `display_text_range` tells a mention that was typed from those that open each answer.
 *
 * In the new names the author and the posts that are answered or quoted are expansions, no fields, and the history of
 * edits comes unasked: X takes a field that is none in silence and leaves it out.
 */
export const xQueries: Readonly<Record<Words, XQueries>> = {
  tweet: {
    items: {
      "tweet.fields":
        "author_id,conversation_id,created_at,referenced_tweets,entities,edit_history_tweet_ids,note_tweet,attachments,display_text_range",
      expansions: "author_id,referenced_tweets.id,attachments.media_keys",
      ...people,
      ...media
    },
    context: {
      "tweet.fields": "author_id,created_at,entities,note_tweet,attachments,referenced_tweets,edit_history_tweet_ids",
      expansions: "author_id,attachments.media_keys",
      ...people,
      ...media
    },
    own: { "tweet.fields": "referenced_tweets,created_at,conversation_id,entities,edit_history_tweet_ids,note_tweet" },
    published: {
      "tweet.fields": "created_at,entities,attachments,referenced_tweets,edit_history_tweet_ids,note_tweet"
    },
    thread: { "tweet.fields": "conversation_id,edit_history_tweet_ids" }
  },
  post: {
    items: {
      "post.fields": "conversation_id,created_at,entities,note_post,attachments,display_text_range",
      expansions: "author_id,referenced_posts,attachments.media_keys",
      ...people,
      ...media
    },
    context: {
      "post.fields": "created_at,entities,note_post,attachments",
      expansions: "author_id,referenced_posts,attachments.media_keys",
      ...people,
      ...media
    },
    own: { "post.fields": "created_at,conversation_id,entities,note_post", expansions: "referenced_posts" },
    published: { "post.fields": "created_at,entities,attachments,note_post", expansions: "referenced_posts" },
    thread: { "post.fields": "conversation_id" }
  }
}
