import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { classNames } from '#domain/money/class-price.ts'

/** What an upstream counted of one submit; tokens of images that were shown are beside those of the words. */
export interface TokenCount {
  readonly classes: UsageClasses
  readonly inputImageTokens: number
}

/** Null unless every submit was counted in tokens. */
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
