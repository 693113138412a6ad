/** Emoji as Unicode recommends them for interchange, however many code points one is made of. */
export const eachEmoji = /\p{RGI_Emoji}/gv
