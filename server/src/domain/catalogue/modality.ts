import type { OutputModality } from './model.ts'

/** Input modalities, in listing order. */
export const inputModalities = ['text', 'image', 'file', 'audio', 'video'] as const

/** For example `text+image->text`; null if a side is unknown. */
export function modalityOf(model: {
  readonly inputModalities: readonly string[]
  readonly outputModalities: readonly OutputModality[]
}): string | null {
  if (model.inputModalities.length === 0 || model.outputModalities.length === 0) return null
  const inputs = inputModalities.filter((modality) => model.inputModalities.includes(modality))
  return `${inputs.join('+')}->${model.outputModalities.join('+')}`
}
