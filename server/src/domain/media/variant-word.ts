/** Whether a text can be what chooses among prices, such as `1024x1024`, `16:9`, `4K` or `high`. */
export function isVariantWord(text: string): boolean {
  return /^[\w.:×* -]{1,40}$/.test(text)
}
