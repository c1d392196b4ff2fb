import type { EmbeddingTask } from '#domain/media/media-task.ts'

/** How vendors call texts that are searched and texts that search. */
export interface RoleWords {
  readonly document: string
  readonly query: string
}

/** What a caller says its inputs are for, in a vendor's own words: another vendor's are understood, all else passes as sent. */
export function retrievalRole({ extras }: EmbeddingTask, words: RoleWords): string | undefined {
  const said = extras.input_type ?? extras.task ?? extras.task_type
  if (typeof said !== 'string') return undefined
  if (/query/i.test(said)) return words.query
  return /document|passage/i.test(said) ? words.document : said
}
