import { isUuid, type Uuid } from '#lib/uuid.ts'

/**
 * What an operator looks for. `id`: of a user, an organization, a wallet or a key. `key`: the shown beginning of a key,
 * and its end if given. `words`: the beginnings of words in addresses, slugs and names. `nothing`: no text can match.
 */
export type CustomerSearch =
  | { readonly by: 'everything' }
  | { readonly by: 'nothing' }
  | { readonly by: 'id'; readonly id: Uuid }
  | { readonly by: 'key'; readonly prefix: string; readonly suffix: string | null }
  | { readonly by: 'words'; readonly words: readonly string[] }

const wordsMax = 10

// A key shows its marker and four characters, and four characters at its end.
const keyForm = /^(sk-[a-z]+-[0-9A-Za-z]{0,4})([0-9A-Za-z]*)(?:(?:…|\.{3})([0-9A-Za-z]{4}))?$/

export function parseCustomerSearch(text: string | null): CustomerSearch {
  const wanted = (text ?? '').trim()
  if (wanted === '') return { by: 'everything' }
  const id = wanted.toLowerCase()
  if (isUuid(id)) return { by: 'id', id }
  const [, prefix, rest = '', end] = keyForm.exec(wanted) ?? []
  if (prefix !== undefined) return { by: 'key', prefix, suffix: end ?? (rest.length >= 4 ? rest.slice(-4) : null) }
  const words = wanted.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.length === 0 ? { by: 'nothing' } : { by: 'words', words: words.slice(0, wordsMax) }
}
