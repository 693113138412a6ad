/** Of what others say, nothing else becomes a link or a picture. */
export const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)
