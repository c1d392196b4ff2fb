import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { hostileBodies, hostileNames, hostileQueries, hostileValues } from './hostile-values.ts'

export interface HostileRequest {
  method: string
  path: string
  body: string | null
}

/** A route by its documented path, with `{name}` for parameters. */
interface HostileRoute {
  readonly method: string
  readonly path: string
}

export type Names = Readonly<Record<string, string>>

/**
 * All hostile variants of one route: of its parameters, of its whole body, and of each field of an otherwise valid
 * body, so that only the field decides how far the request gets. If many clients may call a route, only one of them
 * tries all variants.
 */
export function hostileRequests(
  route: HostileRoute,
  document: JsonObject,
  { names, isThorough }: { names: Names; isThorough: boolean },
): HostileRequest[] {
  const { method } = route
  const path = fill(route.path, names)
  const misnamed = Object.keys(names)
    .filter((name) => route.path.includes(`{${name}}`))
    .flatMap((name) => hostileNames.map((value) => fill(route.path, { ...names, [name]: value })))
    .map((changed) => ({ method, path: changed, body: null }))
  if (!isThorough) return misnamed
  // A successful deletion would leave nothing for the other requests.
  if (method === 'GET' || path.endsWith('/sessions')) {
    const queries = hostileQueries(parametersOf(route, document))
    return [...misnamed, ...queries.map((query) => ({ method, path: `${path}?${query}`, body: null }))]
  }
  if (method === 'DELETE') return misnamed
  const bodies = [...hostileBodies, ...hostileFields(fieldsOf(route, document))]
  return [...misnamed, ...bodies.map((body) => ({ method, path, body }))]
}

function hostileFields(fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const whole = valuesFor(fields).map((value) => bodyOf(fields, { [field]: value }))
    const parts = isJsonObject(proper[field]) ? Object.entries(proper[field]) : []
    const inner = parts.flatMap(([part]) =>
      someValues().map((value) => {
        const others = parts
          .filter(([name]) => name !== part)
          .map(([name, kept]) => `"${name}":${JSON.stringify(kept)}`)
        return bodyOf(fields, { [field]: `{${[`"${part}":${value}`, ...others].join(',')}}` })
      }),
    )
    return [...whole, ...inner]
  })
}

/** Model requests have many fields that mostly behave the same: they share the values among them. */
function valuesFor({ length }: readonly string[]): readonly string[] {
  return length <= 12 ? hostileValues : someValues()
}

function someValues(): readonly string[] {
  dealt += 1
  return hostileValues.filter((_, position) => position % 4 === dealt % 4)
}

let dealt = 0
let made = 0

function bodyOf(fields: readonly string[], hostile: Readonly<Record<string, string>>): string {
  const entries = fields
    .map((field) => [field, hostile[field] ?? properText(field)] as const)
    .filter(([, value]) => value !== undefined)
  return `{${entries.map(([field, value]) => `"${field}":${value}`).join(',')}}`
}

/** A valid string for a field of this name; unique where names must be unique. */
function properText(field: string): string | undefined {
  if (field === 'name') return `"Name ${(made += 1)}"`
  return field in proper ? JSON.stringify(proper[field]) : undefined
}

const proper: JsonObject = {
  limit: 5,
  email: 'nobody@uni.example',
  settings: { a: 1 },
  matcher: { kind: 'keyword', keyword: 'weir', pattern: 'weir', template: 'iban', ignoreCase: true },
  action: 'flag',
  text: 'Hello',
  key: `sk-edu-${'a'.repeat(40)}`,
  code: '123456',
  model: 'test/echo',
  messages: [{ role: 'user', content: 'Hello' }],
  input: 'Hello',
  max_tokens: 16,
  eduConfig: {
    allowedDomains: ['uni.example'],
    sessionTtlSeconds: 3_600,
    verificationTtlSeconds: 900,
    maxSessionsPerEmailPerKey: 5,
    sessionRequestQuota: 5,
    sessionTokenQuota: 5,
    sessionSpendQuotaUsd: 5,
    monthlySpendQuotaUsd: 5,
  },
}

function parametersOf({ method, path }: HostileRoute, document: JsonObject): string[] {
  const { parameters } = objectAt(objectAt(objectAt(document, 'paths'), path), method.toLowerCase())
  const described = Array.isArray(parameters) ? parameters.filter(isJsonObject) : []
  return described.filter((parameter) => parameter.in === 'query').map(({ name }) => String(name))
}

function fieldsOf({ method, path }: HostileRoute, document: JsonObject): string[] {
  const operation = objectAt(objectAt(objectAt(document, 'paths'), path), method.toLowerCase())
  const content = objectAt(objectAt(operation, 'requestBody'), 'content')
  const schema = objectAt(objectAt(content, 'application/json'), 'schema')
  return Object.keys(objectAt(schema, 'properties'))
}

function fill(path: string, names: Names): string {
  return path
    .replace('{author}/{slug}', 'openai/gpt-5.2')
    .replace('{slug}', 'openai-gpt-5.2')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
}
