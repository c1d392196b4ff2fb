import type { Schema } from './openapi.ts'

export interface Field {
  /** Path to the field, such as `data[].id`. */
  readonly path: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** The fields of an object and of the unnamed objects in it, in order. */
export function listFields(schema: Schema, prefix = ''): Field[] {
  const required = new Set(schema.required)
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    return [{ path, schema: field, isRequired: required.has(name) }, ...fieldsBelow(field, path)]
  })
  return [...own, ...[...(schema.allOf ?? [])].flatMap((part) => listFields(part, prefix))]
}

function fieldsBelow(schema: Schema, path: string): Field[] {
  if (schema.properties !== undefined) return listFields(schema, `${path}.`)
  if (schema.items !== undefined) return fieldsBelow(schema.items, `${path}[]`)
  return (schema.anyOf ?? []).flatMap((part) => fieldsBelow(part, path))
}
