import type { ImageTask } from '#domain/media/media-task.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * The client's extra fields that this upstream is known to accept. Nothing else is passed on: other fields can call
 * webhooks, turn off filters or change the format of the response.
 */
export function knownExtras(extras: JsonObject, names: readonly string[]): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {}
  for (const name of names) {
    const value = extras[name]
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') known[name] = value
  }
  return known
}

/** The client's fields that had no effect, by name. */
export function ignoredFields({ extras, quality }: ImageTask, known: readonly string[]): string[] {
  const stated = [...Object.keys(extras), ...(quality === null ? [] : ['quality'])]
  return stated.filter((name) => !known.includes(name))
}
