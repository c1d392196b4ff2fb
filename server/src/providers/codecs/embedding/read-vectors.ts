import { isFloatText, type NumbersText, type Vector } from '#domain/media/float-vectors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { UnusableAnswerError } from '../faults.ts'

/** The vectors of a list in OpenAI's form, in the order of their inputs, whatever order they arrived in. */
export function readListedVectors({ data }: JsonObject, lifted: readonly NumbersText[]): Vector[] {
  const entries = Array.isArray(data) ? data.filter(isJsonObject) : []
  const ordered = entries.every(({ index }) => typeof index === 'number')
    ? entries.toSorted((one, other) => Number(one.index) - Number(other.index))
    : entries
  return ordered.map(({ embedding }) => {
    const text = typeof embedding === 'number' ? lifted[embedding] : undefined
    return text ?? readVector(embedding)
  })
}

export function readVector(value: JsonValue | undefined): Vector {
  if (typeof value === 'string' && isFloatText(value)) return value
  if (isNumbers(value)) return value
  throw new UnusableAnswerError('The upstream returned an invalid vector.')
}

function isNumbers(value: JsonValue | undefined): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number))
}
