import type { Spoken } from '#domain/media/media-result.ts'
import type { JsonObject } from '#lib/json.ts'
import { secondsAt } from './seconds-at.ts'

/** A segment of speech with its times in seconds. Undefined if one of the three is missing. */
export function spokenOf(stretch: JsonObject, details: JsonObject = {}): Spoken | undefined {
  const { text } = stretch
  const startS = secondsAt(stretch, 'start')
  const endS = secondsAt(stretch, 'end')
  if (typeof text !== 'string' || startS === undefined || endS === undefined) return undefined
  return { text, startS, endS, ...(Object.keys(details).length === 0 ? {} : { details }) }
}
