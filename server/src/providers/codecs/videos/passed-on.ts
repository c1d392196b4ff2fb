import type { VideoTask } from '#domain/video/video-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { MediaTarget } from '../target.ts'

/**
 * The client's extra fields that the catalogue allows for this model. Nothing else is passed on: other fields can call
 * webhooks or request more videos than were paid for.
 */
export function passedOn({ extras }: VideoTask, { details }: MediaTarget): JsonObject {
  const allowed = objectAt(details, 'video').allowed_passthrough_parameters
  const names = Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : []
  const given = names.filter((name) => Object.hasOwn(extras, name) && extras[name] !== null)
  return Object.fromEntries(given.map((name) => [name, extras[name]]))
}

/** The negative prompt, for upstreams that support one. Clients use either of two field names. */
export function negativePromptOf({ extras }: VideoTask): string | undefined {
  return stringAt(extras, 'negative_prompt') ?? stringAt(extras, 'negativePrompt')
}
