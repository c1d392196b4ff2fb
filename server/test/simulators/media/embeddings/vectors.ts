import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

export const usualLength = 8

/** Numbers derived from a text, each exactly a 32-bit float. */
export function vectorFor(seed: string, length = usualLength): number[] {
  const sum = [...seed].reduce((total, letter, index) => total + (letter.codePointAt(0) ?? 0) * (index + 1), 0)
  return Array.from({ length }, (_, index) => Math.fround(Math.sin(sum + index)))
}

export function asBase64(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64')
}

/** The token count of these tests: a word is a token, and so is a token id. */
export function tokensIn(input: JsonValue | undefined): number {
  if (typeof input === 'string') return input.split(/\s+/).filter((word) => word !== '').length
  return Array.isArray(input) ? input.length : 0
}

/** The seed of a vector, whatever type the input has. */
export function seedOf(input: JsonValue | undefined): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? null)
}

export function listAt(parent: JsonObject, key: string): JsonValue[] {
  const value = parent[key]
  return Array.isArray(value) ? value : []
}

export function objectsAt(parent: JsonObject, key: string): JsonObject[] {
  return listAt(parent, key).filter(isJsonObject)
}

export function lengthOf(body: JsonObject, field: string): number {
  const value = body[field]
  return typeof value === 'number' ? value : usualLength
}

export function nameOf(body: JsonObject): string {
  return stringAt(body, 'model') ?? ''
}
