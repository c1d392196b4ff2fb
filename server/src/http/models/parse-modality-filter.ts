import { type OutputModality, outputModalities } from '#domain/catalogue/model.ts'

export type ModalityFilter = 'all' | readonly OutputModality[]

/**
 * Parses modalities separated by commas, or `all`; the default is text. Unknown names match no model. The result is in
 * a fixed order, so that equal filters are equal strings.
 */
export function parseModalityFilter(text: string | undefined): ModalityFilter {
  if (text === undefined || text.trim() === '') return ['text']
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()))
  return names.has('all') ? 'all' : outputModalities.filter((modality) => names.has(modality))
}
