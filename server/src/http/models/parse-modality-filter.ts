import { type OutputModality, outputModalities } from '#domain/catalogue/model.ts'

export type ModalityFilter = 'all' | readonly OutputModality[]

/**
 * One or more modalities with commas between, or `all`; text where nothing is said. Names that do not exist match no
 * model. The result is in the order of the vocabulary, so that equal filters are equal texts.
 */
export function parseModalityFilter(text: string | undefined): ModalityFilter {
  if (text === undefined || text.trim() === '') return ['text']
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()))
  return names.has('all') ? 'all' : outputModalities.filter((modality) => names.has(modality))
}
