import { type JsonObject, stringAt } from '#lib/json.ts'

/** The voice that speaks where the caller names none: the one that the catalogue states, if it does. */
export function defaultVoiceOf(details: JsonObject): string | undefined {
  return stringAt(details, 'default_voice')
}
