import type { VideoTask } from '#domain/video/video-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { MediaTarget } from '../target.ts'

/**
 * What a client sent beside the fields that every host has, as far as the catalogue lets it through for this model.
 * Nothing else is passed on: fields of hosts can call webhooks or ask for more videos than were paid for.
 */
export function passedOn({ extras }: VideoTask, { details }: MediaTarget): JsonObject {
  const allowed = objectAt(details, 'video').allowed_passthrough_parameters
  const names = Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : []
  const given = names.filter((name) => Object.hasOwn(extras, name) && extras[name] !== null)
  return Object.fromEntries(given.map((name) => [name, extras[name]]))
}

/** What the video should not show, for hosts that can be told; clients write it in either way. */
export function negativePromptOf({ extras }: VideoTask): string | undefined {
  return stringAt(extras, 'negative_prompt') ?? stringAt(extras, 'negativePrompt')
}
