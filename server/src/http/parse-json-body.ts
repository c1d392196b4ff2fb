import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyLimits } from '#domain/inference/body-limits.ts'
import { malformed } from '#errors/malformed.ts'
import { parseExactJson } from '#lib/exact-number.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { parseInTurns } from '#lib/json-in-turns.ts'
import { forbiddenName, type JsonLimits, type JsonVerdict, scanJson, type TextPlace } from '#lib/json-scan.ts'

/** No body may name `__proto__`. */
export type BodyLimits = Omit<JsonLimits, 'forbidsProto'>

/** The body as a JSON object, or a refusal. What it holds is judged before any of it is parsed. */
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
 * The same for megabytes, with a turn of the event loop for each step, so that other clients are served in between. A
 * parser in a thread would not help: what it makes has to be copied, which takes longer than parsing it here.
 */
export async function parseLargeJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): Promise<JsonObject> {
  await nextTurn()
  const longTexts = judge(bytes, limits)
  const value = await parseInTurns(bytes, longTexts, nextTurn).catch(asMalformed)
  return objectOf(value)
}

/** Refuses text that holds more than it may. The beginning of a text is refused only where the whole would be. */
export function assertJsonBody(bytes: Buffer, limits: Partial<BodyLimits> = {}): void {
  judge(bytes, limits)
}

function judge(bytes: Buffer, limits: Partial<BodyLimits>): readonly TextPlace[] {
  const all: BodyLimits = { ...bodyLimits, ...limits }
  const verdict = scanJson(bytes, { ...all, forbidsProto: true })
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
