import { nameOf, type Schema } from './openapi.ts'

/** The link to a named schema's page. */
export type SchemaLink = (name: string) => string

/** The type of a value in words, with links to named schemas: ``list of [Key](#key) or `null` ``. */
export function describeType(schema: Schema, linkTo: SchemaLink): string {
  const { $ref, anyOf, allOf, items } = schema
  if ($ref !== undefined) return `[${nameOf($ref)}](${linkTo(nameOf($ref))})`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' or ')
  if (anyOf !== undefined) return unique(anyOf.map((part) => describeType(part, linkTo))).join(' or ')
  if (allOf !== undefined) return unique(allOf.map((part) => describeType(part, linkTo))).join(' with ')
  if (items !== undefined) return `list of ${describeType(items, linkTo)}`
  const values = valuesOf(schema)
  if (values !== undefined) return `map to ${describeType(values, linkTo)}`
  return schema.type === 'null' ? '`null`' : (schema.type ?? 'anything')
}

/** The schema of the values of an object with arbitrary keys. */
function valuesOf({ patternProperties, properties, additionalProperties }: Schema): Schema | undefined {
  if (properties !== undefined) return undefined
  const [values] = Object.values(patternProperties ?? {})
  return values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

function literal(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort((one, other) => Number(one === '`null`') - Number(other === '`null`'))
}
