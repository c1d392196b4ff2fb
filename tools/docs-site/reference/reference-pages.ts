import { type Described, groupOperations } from './group-operations.ts'
import { nameOf, namesIn, type OpenApiDocument } from './openapi.ts'
import { writeFields } from './write-fields.ts'
import { exampleBodyOf, isForm, type Surroundings, writeOperation } from './write-operation.ts'

export interface ReferencePage {
  readonly title: string
  readonly route: string
  readonly text: string
}

/** The API reference, from the gateway's own OpenAPI document: one page per tag, and one for named schemas. */
export function referencePages(text: string): readonly ReferencePage[] {
  const document: OpenApiDocument = JSON.parse(text)
  const groups = [...groupOperations(document)].filter(([, operations]) => operations.length > 0)
  const inPlace = namesShownInPlace(document, groups)
  const surroundings: Surroundings = {
    components: document.components,
    isShownInPlace: (name) => inPlace.has(name),
    linkTo: (name) => `/reference/schemas#${name.toLowerCase()}`,
  }
  return [
    pageOf('index', overviewOf(document, groups)),
    ...groups.map(([tag, operations]) => {
      const sections = operations.map((operation) => writeOperation(operation, surroundings))
      const body = [`# ${tag}`, aboutTag(document, tag), contentsOf(operations), ...sections].join('\n\n')
      return pageOf(tag, body, formsOf(operations, surroundings))
    }),
    pageOf('Schemas', schemasOf(surroundings)),
  ]
}

type Groups = readonly (readonly [string, readonly Described[]])[]

/** Schemas that are the body or response of exactly one operation and referenced nowhere else. */
function namesShownInPlace({ components }: OpenApiDocument, groups: Groups): ReadonlySet<string> {
  const outer = groups.flatMap(([, operations]) => operations.flatMap(outerNames))
  const inner = new Set(Object.values(components.schemas).flatMap((schema) => [...namesIn(schema)]))
  return new Set(outer.filter((name) => !inner.has(name) && outer.indexOf(name) === outer.lastIndexOf(name)))
}

function outerNames({ requestBody, responses }: Described): string[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
  return contents
    .flatMap((content) => Object.values(content ?? {}))
    .flatMap(({ schema }) => (schema.$ref === undefined ? [] : [nameOf(schema.$ref)]))
}

function schemasOf({ components, isShownInPlace, linkTo }: Surroundings): string {
  const sections = Object.entries(components.schemas)
    .filter(([name]) => !isShownInPlace(name))
    .map(([name, schema]) => `## ${name}\n${writeFields(schema, { linkTo, isBody: false })}`)
  return `# Schemas\n\nThe named shapes of bodies and answers. Bodies and answers of one call alone are shown with it.\n\n${sections.join('\n')}`
}

function contentsOf(operations: readonly Described[]): string {
  const rows = operations.map(({ method, path, summary }) => {
    return `| \`${method} ${path}\` | [${summary}](#${slugOf(summary)}) |`
  })
  return `| Call | What it does |\n|---|---|\n${rows.join('\n')}`
}

function aboutTag({ tags }: OpenApiDocument, tag: string): string {
  return tags.find(({ name }) => name === tag)?.description ?? ''
}

function overviewOf(document: OpenApiDocument, groups: Groups): string {
  const rows = groups.map(([tag, { length }]) => {
    return `| [${tag}](/reference/${slugOf(tag)}) | ${aboutTag(document, tag)} | ${length} |`
  })
  return `# Reference of the API

Parameters, request bodies, responses and [schemas](/reference/schemas) of every endpoint. [Calling Weir](/api) explains
how they work together. These pages are generated from the OpenAPI document that every gateway serves at
\`/openapi.json\`. You can also generate a client from it.

**Try it** sends a request to the gateway that serves this page, with an API key that you enter. The key stays in memory
until you leave the documentation and is not stored.

| Part | About | Calls |
|---|---|---|
${rows.join('\n')}`
}

/** The data for the forms of a page. JSON is valid YAML, so it goes into the page's front matter. */
function formsOf(operations: readonly Described[], surroundings: Surroundings): readonly object[] {
  return operations
    .filter((operation) => !isForm(operation))
    .map((operation) => ({
      id: operation.operationId,
      method: operation.method,
      path: operation.path,
      parameters: (operation.parameters ?? []).map(({ name, in: place, required = false }) => ({
        name,
        place,
        required,
      })),
      body: exampleBodyOf(operation, surroundings),
      takesKey: operation.security.length > 0,
    }))
}

function pageOf(title: string, body: string, operations: readonly object[] = []): ReferencePage {
  const head = `---\noperations: ${JSON.stringify(operations)}\noutline: 2\n---\n`
  return { title, route: `reference/${slugOf(title)}`, text: `${head}\n${body}\n` }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-')
}
