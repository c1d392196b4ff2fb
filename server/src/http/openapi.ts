import type { TSchema } from 'typebox'
import { type AccessRow, accessRowOf } from '#domain/access/access-table.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Endpoint } from './endpoint.ts'
import { errorsOf, inferenceErrorsOf } from './errors-of.ts'
import type { InferenceEndpoint } from './inference/inference-endpoint.ts'
import { sessionCookieName } from './plugins/session.ts'

/** The OpenAPI 3.1 document, made of the same descriptors as the routes. TypeBox schemas are JSON Schema as they are. */
export function openApiDocument(endpoints: readonly Endpoint[], inference: readonly InferenceEndpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of inference) {
    for (const path of endpoint.paths) addOperation(paths, path, 'post', inferenceOperation(endpoint, path))
  }
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      addOperation(paths, path, endpoint.method.toLowerCase(), operationOf(endpoint, path))
      if (endpoint.alsoHead === true) addOperation(paths, path, 'head', headOperationOf(endpoint, path))
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '1',
      description:
        'One interface in front of every model. Paths under /v1 are also served under /api/v1. `x-access` names the row of docs/access.md that says who may call an operation.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key that begins sk-weir-.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName,
          description: 'A session on the website; writes must come from its own pages.',
        },
      },
      schemas: { Error: errorSchema },
    },
  }
}

const errorSchema: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: { message: { type: 'string' }, type: { type: 'string' }, code: { type: ['string', 'integer'] } },
    },
  },
}

function addOperation(paths: Record<string, JsonObject>, path: string, method: string, operation: JsonObject): void {
  const key = path.replace(/:(\w+)/g, '{$1}')
  paths[key] = { ...paths[key], [method]: operation }
}

function inferenceOperation(endpoint: InferenceEndpoint, path: string): JsonObject {
  return {
    operationId: operationId(endpoint.name, endpoint.paths, path),
    summary: endpoint.summary,
    tags: ['Inference'],
    'x-access': endpoint.access,
    security: [{ key: [] }],
    requestBody: { required: true, content: bodyContentOf(endpoint) },
    responses: { [endpoint.status ?? 200]: inferenceReply(endpoint), ...errorResponses(inferenceErrorsOf(endpoint)) },
  }
}

function streams({ dialect }: InferenceEndpoint): boolean {
  return dialect.family === 'conversation' || dialect.writeStream !== undefined
}

/** Endpoints that take files take forms, and JSON only where the same can be said in it. */
function bodyContentOf({ form, body }: InferenceEndpoint): JsonObject {
  const types = form === undefined ? [] : ['multipart/form-data']
  if (form === undefined || form.orJson) types.push('application/json')
  return Object.fromEntries(types.map((type) => [type, { schema: json(body) }]))
}

function inferenceReply(endpoint: InferenceEndpoint): JsonObject {
  const { reply, replyTypes } = endpoint
  const types = replyTypes ?? ['application/json', ...(streams(endpoint) ? ['text/event-stream'] : [])]
  return {
    description: streams(endpoint) ? 'The answer; with `stream: true` as server-sent events.' : 'The answer.',
    content: Object.fromEntries(
      types.map((type) => [type, { schema: type === 'application/json' ? json(reply) : text }]),
    ),
  }
}

const text: JsonObject = { type: 'string' }

function securityOf(row: AccessRow): JsonObject[] {
  return row.credentials.includes('session') ? [{ key: [] }, { session: [] }] : [{ key: [] }]
}

function operationOf(endpoint: Endpoint, path: string): JsonObject {
  return {
    operationId: operationId(endpoint.name, endpoint.paths, path),
    summary: endpoint.summary,
    tags: [endpoint.tag],
    'x-access': endpoint.access,
    ...(accessRowOf(endpoint.access).credentials.length === 0
      ? {}
      : { security: securityOf(accessRowOf(endpoint.access)) }),
    parameters: [...pathParameters(path), ...queryParameters(endpoint.query)],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: json(endpoint.body) } } } }),
    responses: {
      [endpoint.reply.status]: {
        description: endpoint.reply.description,
        ...(endpoint.reply.status === 204 ? {} : { content: contentOf(endpoint.reply) }),
      },
      ...errorResponses(errorsOf(endpoint), endpoint.errorForm?.schema),
    },
  }
}

/** The same without a body. */
function headOperationOf(endpoint: Endpoint, path: string): JsonObject {
  const { status, description } = endpoint.reply
  return {
    ...operationOf(endpoint, path),
    operationId: `${operationId(endpoint.name, endpoint.paths, path)}Head`,
    responses: { [status]: { description }, ...errorResponses(errorsOf(endpoint)) },
  }
}

function contentOf({ contentTypes, schema }: Endpoint['reply']): JsonObject {
  return Object.fromEntries((contentTypes ?? ['application/json']).map((type) => [type, { schema: json(schema) }]))
}

// Aliases need ids of their own.
function operationId(name: string, paths: readonly string[], path: string): string {
  const position = paths.indexOf(path)
  return position === 0 ? name : `${name}${position + 1}`
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: TSchema | undefined): JsonObject[] {
  const { properties, required } = json(query ?? {})
  if (!isJsonObject(properties)) return []
  const names = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: names.includes(name),
    ...(schema === undefined ? {} : { schema }),
  }))
}

function errorResponses(names: readonly ErrorName[], form?: TSchema): Record<string, JsonObject> {
  const schema = form === undefined ? { $ref: '#/components/schemas/Error' } : json(form)
  const byStatus = new Map<number, string[]>()
  for (const name of names) {
    const { status, code } = errorCatalogue[name]
    byStatus.set(status, [...(byStatus.get(status) ?? []), String(code)])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: `Refused; code ${[...new Set(codes)].join(', ')}`,
        content: { 'application/json': { schema } },
      },
    ]),
  )
}

function json(schema: unknown): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(schema))
  return copy
}
