/** Whether a text is on the clipboard now; browsers may not let a page write there. */
export const copyText = (text: string): Promise<boolean> =>
  Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false
    )
