import { nameOf, type Schema } from './openapi.ts'

type Schemas = Readonly<Record<string, Schema>>

/** A value that fits a schema. Objects have their required fields, or the first field if none is required. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.allOf ?? []
  if (first !== undefined) return exampleOf(first, schemas)
  switch (schema.type) {
    case 'object':
      return exampleObject(schema, schemas)
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)]
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return '…'
  }
}

function exampleObject({ properties = {}, required = [] }: Schema, schemas: Schemas): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]))
}
