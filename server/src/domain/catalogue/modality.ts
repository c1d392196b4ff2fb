import type { OutputModality } from './model.ts'

/** What the input can be, in the order in which listings name them. */
export const inputModalities = ['text', 'image', 'file', 'audio', 'video'] as const

/** The form `text+image->text`; null where a side is unknown. */
export function modalityOf(model: {
  readonly inputModalities: readonly string[]
  readonly outputModalities: readonly OutputModality[]
}): string | null {
  if (model.inputModalities.length === 0 || model.outputModalities.length === 0) return null
  const inputs = inputModalities.filter((modality) => model.inputModalities.includes(modality))
  return `${inputs.join('+')}->${model.outputModalities.join('+')}`
}
