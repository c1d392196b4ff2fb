import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyLimits } from '#domain/inference/body-limits.ts'
import { malformed } from '#errors/malformed.ts'
import { parseExactJson } from '#lib/exact-number.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { parseInTurns } from '#lib/json-in-turns.ts'
import { forbiddenName, type JsonLimits, type JsonVerdict, scanJson, type TextPlace } from '#lib/json-scan.ts'

/** No body may contain `__proto__`. */
export type BodyLimits = Omit<JsonLimits, 'forbidsProto'>

/** Parses the body as a JSON object. Its limits are checked before parsing. */
export function parseJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): JsonObject {
  judge(bytes, limits)
  return objectOf(parse(bytes, JSON.parse))
}

/** The same for a body with amounts: a decimal that a double would change is an `ExactNumber`. */
export function parseExactJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): JsonObject {
  judge(bytes, limits)
  return objectOf(parse(bytes, parseExactJson))
}

/**
 * The same for megabytes, with an event loop turn between steps, so that other clients are served. A parser in a thread
 * would not help: copying its result takes longer than parsing it here.
 */
export async function parseLargeJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): Promise<JsonObject> {
  await nextTurn()
  const longTexts = judge(bytes, limits)
  const value = await parseInTurns(bytes, longTexts, nextTurn).catch(asMalformed)
  return objectOf(value)
}

/** Rejects text that exceeds the limits. A partial text is rejected only if the whole would be. */
export function assertJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): void {
  judge(bytes, limits)
}

function judge(bytes: Buffer, limits: Partial<BodyLimits>): readonly TextPlace[] {
  const all: JsonLimits = { ...bodyLimits, ...limits, forbidsProto: true }
  const verdict = scanJson(bytes, all)
  if (!verdict.allowed) throw malformed(problemOf(verdict.breach, all))
  return verdict.longTexts
}

function parse(bytes: Buffer, parser: (text: string) => unknown): unknown {
  try {
    return parser(bytes.toString('utf8'))
  } catch (error) {
    return asMalformed(error)
  }
}

function asMalformed(error: unknown): never {
  throw error instanceof SyntaxError ? malformed('The body is not valid JSON.') : error
}

function objectOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw malformed('The body must be a JSON object.')
  return value
}

function problemOf(breach: Extract<JsonVerdict, { allowed: false }>['breach'], limits: BodyLimits): string {
  switch (breach) {
    case 'depth':
      return `The body is nested deeper than ${limits.depthMax} levels.`
    case 'nodes':
      return `The body has more than ${limits.nodesMax} values and keys.`
    case 'numbers':
      return `The body has more than ${limits.numbersMax} numbers.`
    case 'names':
      return `An object in the body has more than ${limits.namesMax} keys.`
    case 'forbiddenName':
      return `The body has a field named \`${forbiddenName}\`, which is not allowed.`
  }
}
