import type { EmbeddingTask } from '#domain/media/media-task.ts'

/** The vendor's words for documents and for queries. */
export interface RoleWords {
  readonly document: string
  readonly query: string
}

/**
 * The purpose that a client states for its inputs, in the vendor's words. Another vendor's words are translated,
 * unknown words pass unchanged.
 */
export function retrievalRole({ extras }: EmbeddingTask, words: RoleWords): string | undefined {
  const said = extras.input_type ?? extras.task ?? extras.task_type
  if (typeof said !== 'string' || !wordForm.test(said)) return undefined
  if (/query/i.test(said)) return words.query
  return /document|passage/i.test(said) ? words.document : said
}

// One word, because content filters do not read this field.
const wordForm = /^[a-z][a-z_.-]{0,39}$/i
