import type { EmbeddingTask } from '#domain/media/media-task.ts'

/** How vendors call texts that are searched and texts that search. */
export interface RoleWords {
  readonly document: string
  readonly query: string
}

/**
 * What a client says its inputs are for, in a vendor's own words: another vendor's are understood, other words pass as
 * sent.
 */
export function retrievalRole({ extras }: EmbeddingTask, words: RoleWords): string | undefined {
  const said = extras.input_type ?? extras.task ?? extras.task_type
  if (typeof said !== 'string' || !wordForm.test(said)) return undefined
  if (/query/i.test(said)) return words.query
  return /document|passage/i.test(said) ? words.document : said
}

// One word: what is said here is not read by filters.
const wordForm = /^[a-z][a-z_.-]{0,39}$/i
