let made: RegExp | undefined

/** Emoji as Unicode recommends them for interchange, however many code points one is made of. */
export const eachEmoji = (): RegExp => {
  // At its first use: V8 takes 40 ms for it, at each start.
  made ??= /\p{RGI_Emoji}/gv
  return made
}
