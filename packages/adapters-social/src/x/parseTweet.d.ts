/** The one function of twitter-text that is used here: the whole of it takes twice as long to load, at each start. */
declare module "twitter-text/dist/parseTweet.js" {
  const parseTweet: typeof import("twitter-text").parseTweet
  export default parseTweet
}
