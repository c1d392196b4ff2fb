import { publicText } from '#lib/public-text.ts'

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const
export type FinishReason = (typeof finishReasons)[number]

/** An upstream's own finish reason, safe to show and store. */
export function nativeReason(word: string): string {
  return publicText(word).slice(0, nativeLengthMax).toWellFormed()
}

// Longer than any vendor's finish reason.
const nativeLengthMax = 100
