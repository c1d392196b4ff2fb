import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { configSchema } from './config-schema.ts'

/** One leaf of the configuration tree. */
export interface Setting {
  readonly path: readonly string[]
  /** The key in the file: `http.port`. */
  readonly key: string
  /** The environment variable: `WEIR_HTTP_PORT`. */
  readonly variable: string
  readonly schema: JsonObject
  readonly isRequired: boolean
  readonly meaning: string
  readonly isSecret: boolean
  /** Completes the sentence "must be …". */
  readonly expects: string
}

export function listSettings(): Setting[] {
  return leavesOf(JSON.parse(JSON.stringify(configSchema)), [])
}

function leavesOf(schema: unknown, path: readonly string[]): Setting[] {
  if (!isJsonObject(schema)) return []
  if (schema['type'] !== 'object') return [settingAt(path, schema)]
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, child]) => leavesOf(child, [...path, name]))
}

function settingAt(path: readonly string[], schema: JsonObject): Setting {
  return {
    path,
    key: path.join('.'),
    variable: variableOf(path),
    schema,
    isRequired: !('default' in schema),
    meaning: stringAt(schema, 'description') ?? '',
    isSecret: schema['isSecret'] === true,
    expects: expectationOf(schema),
  }
}

export function variableOf(path: readonly string[]): string {
  return ['WEIR', ...path.map((name) => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase())].join('_')
}

function expectationOf(schema: JsonObject): string {
  const written = stringAt(schema, 'expects')
  if (written !== undefined) return written
  if (schema['type'] === 'integer') return `an integer from ${schema['minimum']} to ${schema['maximum']}`
  if (schema['type'] === 'boolean') return 'true or false'
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`
  return 'a non-empty string'
}
