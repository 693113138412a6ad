/** The codes of GIF's LZW: colours, "clear" and "end" behind them, then words that the data itself makes. */

export const longestCode_bits = 12

/** Code sizes that every decoder takes. */
export const isCodeSize = (codeSize: number): boolean => codeSize >= 1 && codeSize <= 11

/** How wide the next code is: it grows with the dictionary. */
export class CodeWidth {
  readonly clear: number
  width = 0
  private next = 0
  private isFirst = true

  constructor(codeSize: number) {
    this.clear = 1 << codeSize
    this.take(this.clear)
  }

  /** The next code is this one. */
  take(code: number): void {
    if (code === this.clear) {
      this.width = Math.log2(this.clear) + 1
      this.next = this.clear + 2
      this.isFirst = true
      return
    }
    if (!this.isFirst && this.next < 1 << longestCode_bits) this.next += 1
    this.isFirst = false
    if (this.next >= 1 << this.width && this.width < longestCode_bits) this.width += 1
  }
}
