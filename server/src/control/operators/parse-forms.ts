import type { FormOverrides } from '#domain/routing/trait-overrides.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { parseTexts } from '../read-fields.ts'

const formsMax = 50
const secondsMax = 600

/** Parses the image and video formats that a provider supports according to an operator. */
export function parseForms({ aspectRatios, sizes, durations }: JsonObject): FormOverrides {
  return {
    ...(aspectRatios === undefined
      ? {}
      : { aspectRatios: parseWords(aspectRatios, 'aspectRatios', ratioForm, '16:9') }),
    ...(sizes === undefined ? {} : { sizes: parseWords(sizes, 'sizes', sizeForm, '1280x720') }),
    ...(durations === undefined ? {} : { durations: parseDurations(durations) }),
  }
}

const ratioForm = /^[1-9]\d{0,2}(?:\.\d{1,2})?:[1-9]\d{0,2}(?:\.\d{1,2})?$/
const sizeForm = /^[1-9]\d{1,4}x[1-9]\d{1,4}$/

function parseWords(value: JsonValue, name: string, form: RegExp, example: string): string[] {
  const words = parseTexts(value, name)
  if (words.length === 0 || words.length > formsMax || words.some((word) => !form.test(word))) {
    throw malformed(`${name} must be 1 to ${formsMax} strings such as ${example}.`)
  }
  return words
}

function parseDurations(value: JsonValue): number[] {
  const seconds = Array.isArray(value) ? value.filter((each) => typeof each === 'number') : []
  const isWhole = seconds.every((each) => Number.isInteger(each) && each >= 1 && each <= secondsMax)
  if (!Array.isArray(value) || seconds.length !== value.length || seconds.length === 0 || !isWhole) {
    throw malformed(`durations must be integers from 1 to ${secondsMax} (seconds), such as 4, 8.`)
  }
  if (seconds.length > formsMax) throw malformed(`durations can have at most ${formsMax} values.`)
  return seconds.toSorted((one, other) => one - other)
}
