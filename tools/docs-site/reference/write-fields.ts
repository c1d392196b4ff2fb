import { describeType, type SchemaLink } from './describe-type.ts'
import { listFields } from './list-fields.ts'
import type { Schema } from './openapi.ts'

/** A table of an object's fields, or the type in one line if it is not an object. */
export function writeFields(schema: Schema, { linkTo, isBody }: { linkTo: SchemaLink; isBody: boolean }): string {
  const about = schema.description === undefined ? '' : `${schema.description}\n\n`
  const fields = listFields(schema)
  if (fields.length === 0) return `${about}${describeType(schema, linkTo)}\n`
  const rows = fields.map(({ path, schema: field, isRequired }) => {
    const name = `\`${path}\`${isBody && isRequired ? ' (required)' : ''}`
    return `| ${name} | ${cell(describeType(field, linkTo))} | ${cell(remarkOf(field))} |`
  })
  return `${about}| Field | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** A description, with the bounds that it does not mention. */
export function remarkOf({
  description,
  minimum,
  exclusiveMinimum,
  maximum,
  maxLength,
  maxItems,
  ...schema
}: Schema): string {
  const bounds = [
    minimum === undefined ? '' : `at least ${minimum}`,
    exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
    schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``,
  ].filter((bound) => bound !== '')
  return [description, bounds.join(', ')].filter((text) => text !== undefined && text !== '').join('; ')
}

/** Escapes text for a table cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
