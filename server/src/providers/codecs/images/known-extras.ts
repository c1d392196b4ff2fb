import type { ImageTask } from '#domain/media/media-task.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * Of what a client sent beside the fields that every host has, that which this one is known to take. Nothing else is
 * passed on: fields of hosts can call webhooks, switch off their filters or have the answer in another form.
 */
export function knownExtras(extras: JsonObject, names: readonly string[]): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {}
  for (const name of names) {
    const value = extras[name]
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') known[name] = value
  }
  return known
}

/** What a client said in vain, by the names of its fields. */
export function ignoredFields({ extras, quality }: ImageTask, known: readonly string[]): string[] {
  const stated = [...Object.keys(extras), ...(quality === null ? [] : ['quality'])]
  return stated.filter((name) => !known.includes(name))
}
