import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { classNames } from '#domain/money/class-price.ts'

/** An upstream's token count of one request. Tokens of input images are separate from those of the text. */
export interface TokenCount {
  readonly classes: UsageClasses
  readonly inputImageTokens: number
}

/** Null unless every request was counted in tokens. */
export function sumOfTokens(turns: readonly { readonly tokens?: TokenCount | undefined }[]): TokenCount | null {
  const classes: UsageClasses = { ...noUsage }
  let inputImageTokens = 0
  for (const { tokens } of turns) {
    if (tokens === undefined) return null
    for (const name of classNames) classes[name] += tokens.classes[name]
    inputImageTokens += tokens.inputImageTokens
  }
  return { classes, inputImageTokens }
}
