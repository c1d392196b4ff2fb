import { isJsonObject, type JsonObject } from '#lib/json.ts'

/** Reads the fields of one record. An invalid field is noted and reads as missing. */
export interface RecordReader {
  readonly record: JsonObject
  readonly path: string
  readonly note: NoteProblem
  text(key: string): string | null
  requiredText(key: string): string
  count(key: string): number | null
  texts(key: string): readonly string[] | null
  objects(key: string): readonly RecordReader[]
  object(key: string): RecordReader | null
}

export function createRecordReader(record: JsonObject, path: string, note: NoteProblem): RecordReader {
  const noteAt = (key: string, reason: string): null => {
    note(`${path}.${key}`, reason)
    return null
  }
  const isMissing = (key: string): boolean => record[key] === undefined || record[key] === null

  return {
    record,
    path,
    note,
    text(key) {
      const value = record[key]
      if (isMissing(key)) return null
      return typeof value === 'string' && value !== '' ? value : noteAt(key, 'must be a string')
    },
    requiredText(key) {
      const value = record[key]
      if (typeof value === 'string' && value !== '') return value
      noteAt(key, 'a string is required')
      return ''
    },
    count(key) {
      const value = record[key]
      if (isMissing(key)) return null
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
        ? value
        : noteAt(key, 'must be a positive integer')
    },
    texts(key) {
      const value = record[key]
      if (isMissing(key)) return null
      if (!Array.isArray(value)) return noteAt(key, 'must be an array')
      const texts = value.filter((item) => typeof item === 'string')
      return texts.length === value.length ? texts : noteAt(key, 'must be an array of strings')
    },
    object(key) {
      const value = record[key]
      if (isMissing(key)) return null
      if (isJsonObject(value)) return createRecordReader(value, `${path}.${key}`, note)
      return noteAt(key, 'must be an object')
    },
    objects(key) {
      const value = record[key]
      if (isMissing(key)) return []
      if (!Array.isArray(value)) {
        noteAt(key, 'must be an array')
        return []
      }
      return value.flatMap((item, at) => {
        if (isJsonObject(item)) return [createRecordReader(item, `${path}.${key}[${at}]`, note)]
        note(`${path}.${key}[${at}]`, 'must be an object')
        return []
      })
    },
  }
}

/** A problem in an import file: its path and description. */
export interface Problem {
  readonly path: string
  readonly reason: string
}

export type NoteProblem = (path: string, reason: string) => void
