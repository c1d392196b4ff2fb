import { countAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { dimensionsOf } from './vectors-of.ts'

/** The maximum length of all texts of one request. Test models are free and run on the gateway's own thread. */
const charactersMax = 100_000
/** The maximum count of numbers in all vectors of one request: 256 vectors of the default length. */
const numbersMax = 65_536

/** The error message for a request that is too large for a test model, or null. */
export function refuseLargeOrder(path: string, fields: JsonObject): string | null {
  const input = fields['input']
  const texts = [input, fields['prompt'], fields['query'], fields['documents']]
  const characters = texts.reduce<number>((sum, value) => sum + charactersIn(value), 0)
  if (characters > charactersMax) return `Test models accept at most ${charactersMax} characters per request.`
  const vectors = Array.isArray(input) ? input.length : 1
  if (path === '/embeddings' && vectors * dimensionsOf(countAt(fields, 'dimensions')) > numbersMax) {
    return `test/embedding returns at most ${numbersMax} numbers per request (inputs times dimensions).`
  }
  return null
}

/** A token id counts as the characters of its number. */
function charactersIn(value: JsonValue | undefined): number {
  if (!Array.isArray(value)) return String(value ?? '').length
  return value.reduce<number>((sum, each) => sum + lengthOf(each), 0)
}

function lengthOf(item: JsonValue): number {
  if (Array.isArray(item)) return 8 * item.length
  return isJsonObject(item) ? (stringAt(item, 'text') ?? '').length : String(item).length
}
