import { languages, snippetOf } from '../../../console/src/lib/snippets.ts'
import type { SchemaLink } from './describe-type.ts'
import { describeType } from './describe-type.ts'
import { exampleBodies } from './example-bodies.ts'
import { exampleOf } from './example-of.ts'
import type { Described } from './group-operations.ts'
import { nameOf, type OpenApiDocument, type Response, type Schema } from './openapi.ts'
import { cell, remarkOf, writeFields } from './write-fields.ts'

export interface Surroundings {
  readonly components: OpenApiDocument['components']
  readonly linkTo: SchemaLink
  /** Named schemas that only one operation uses are shown in place. */
  readonly isShownInPlace: (name: string) => boolean
}

/** The address of `npm run dev`. */
const origin = 'http://127.0.0.1:8484'

/** The section of one operation: how to call it, its request, its responses, and a form that sends it. */
export function writeOperation(operation: Described, surroundings: Surroundings): string {
  const { method, path, alsoAt, summary, description } = operation
  return [
    `## ${summary}`,
    `\`${method} ${path}\`${alsoAt.length === 0 ? '' : `, also \`${alsoAt.join('`, `')}\``}`,
    [...(description === undefined ? [] : [description]), credentialOf(operation)].join(' '),
    parametersOf(operation),
    bodyOf(operation, surroundings),
    repliesOf(operation, surroundings),
    snippetsOf(operation, surroundings),
    isForm(operation) ? '' : `\`\`\`try-it\n${operation.operationId}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The initial request body, or null if the operation has none. */
export function exampleBodyOf(operation: Described, { components }: Surroundings): string | null {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema === undefined) return null
  const example = exampleBodies[operation.operationId] ?? exampleOf(schema, components.schemas)
  return JSON.stringify(example, null, 2)
}

/** Multipart forms contain files, which neither a snippet nor a text field can hold. */
export function isForm({ requestBody }: Described): boolean {
  return requestBody !== undefined && requestBody.content['application/json'] === undefined
}

function credentialOf({ security, 'x-access': access }: Described): string {
  const ways = security.flatMap((way) => Object.keys(way))
  const words = ways.map((way) => (way === 'key' ? 'an API key' : 'a website session'))
  const needs = words.length === 0 ? 'No credential required' : `Requires ${words.join(' or ')}`
  return `${needs}. [Permission](/access): \`${access}\`.`
}

function parametersOf({ parameters = [] }: Described): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, schema }) => {
    const label = `\`${name}\`${required === true ? ' (required)' : ''}`
    return `| ${label} | ${place} | ${cell(remarkOf(schema))} |`
  })
  return `| Parameter | In | Meaning |\n|---|---|---|\n${rows.join('\n')}`
}

function bodyOf({ requestBody }: Described, surroundings: Surroundings): string {
  const sections = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `### Body, ${type}\n${schemaText(schema, surroundings, true)}`,
  )
  return sections.join('\n\n')
}

function repliesOf({ responses }: Described, surroundings: Surroundings): string {
  const replies = Object.entries(responses).map(([status, response]) => ({
    status,
    response: response.$ref === undefined ? response : (surroundings.components.responses[nameOf(response.$ref)] ?? {}),
  }))
  const rows = replies.map(
    ({ status, response }) =>
      `| ${status} | ${typesOf(response, surroundings)} | ${cell(response.description ?? '')} |`,
  )
  const table = `### Answers\n| Status | Content | Meaning |\n|---|---|---|\n${rows.join('\n')}`
  const shown = replies.flatMap(({ status, response }) =>
    Object.values(response.content ?? {}).flatMap(({ schema }) =>
      schema.$ref !== undefined && surroundings.isShownInPlace(nameOf(schema.$ref))
        ? [`**${status}: ${nameOf(schema.$ref)}**\n\n${schemaText(schema, surroundings, false)}`]
        : [],
    ),
  )
  return [table, ...shown].join('\n\n')
}

function typesOf({ content = {} }: Response, { linkTo, isShownInPlace }: Surroundings): string {
  const types = Object.entries(content).map(([type, { schema }]) => {
    const inner = schema.contentSchema ?? schema
    if (inner.$ref === undefined) return `\`${type}\``
    const named = isShownInPlace(nameOf(inner.$ref)) ? nameOf(inner.$ref) : describeType(inner, linkTo)
    return type === 'application/json' ? named : `\`${type}\` of ${named}`
  })
  return cell(types.join(', '))
}

function schemaText(schema: Schema, { components, linkTo, isShownInPlace }: Surroundings, isBody: boolean): string {
  const name = schema.$ref === undefined ? null : nameOf(schema.$ref)
  if (name !== null && !isShownInPlace(name)) return describeType(schema, linkTo)
  const shown = name === null ? schema : (components.schemas[name] ?? {})
  return writeFields(shown, { linkTo, isBody })
}

function snippetsOf(operation: Described, surroundings: Surroundings): string {
  if (isForm(operation)) return ''
  const { method, path } = operation
  const body = exampleBodyOf(operation, surroundings)
  const fences = languages.map(({ id, label }) => {
    const name = id === 'curl' ? 'sh' : id
    return `\`\`\`${name} [${label}]\n${snippetOf(id, { method, path, body }, origin)}\n\`\`\``
  })
  return `::: code-group\n${fences.join('\n')}\n:::`
}
