import { isJsonObject, type JsonValue } from '#lib/json.ts'

/** The kinds of unknown words in a response that may cost money. */
export type UnknownKind = 'usage' | 'block' | 'event' | 'tool' | 'finish_reason'

/** Receives every word of a response that is in no table. */
export type NoteUnknown = (kind: UnknownKind, name: string) => void

/** Ignores unknown words. */
export const ignoreUnknown: NoteUnknown = () => undefined

/** The members that a usage report may have: `true` for a figure, or the members of an object. */
export interface KnownMembers {
  readonly [name: string]: true | KnownMembers
}

/** Reports unknown members of a usage report. Zero, null and empty values cost nothing. */
export function noteUsage(usage: JsonValue | undefined, known: KnownMembers, note: NoteUnknown, place = ''): void {
  if (!isJsonObject(usage)) return
  for (const name of Object.keys(usage)) {
    const value = usage[name]
    const expected = Object.hasOwn(known, name) ? known[name] : undefined
    if (expected === true || value === undefined || value === null || value === 0 || value === '') continue
    if (expected === undefined) note('usage', place + name)
    else noteUsage(value, expected, note, `${place}${name}.`)
  }
}

/** Reports a word that is not known. Ignores values that are not strings. */
export function noteWord(
  kind: UnknownKind,
  word: JsonValue | undefined,
  known: { has(word: string): boolean },
  note: NoteUnknown,
): void {
  if (typeof word === 'string' && word !== '' && !known.has(word)) note(kind, word)
}
