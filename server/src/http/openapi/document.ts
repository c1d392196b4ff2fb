import type { TSchema } from 'typebox'
import type { AccessRow } from '#domain/access/access-row.ts'
import { accessRowOf } from '#domain/access/access-table.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorsOf } from '../errors-of.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'
import { sessionCookieName } from '../plugins/session.ts'
import { Components } from './components.ts'
import { headerComponents, headersOf } from './headers.ts'
import { inferenceOperation } from './inference-operation.ts'
import { operationId, typeNameOf } from './operation-names.ts'
import { refusals } from './refusals.ts'

/** The OpenAPI 3.1 document, generated from the same definitions as the routes. TypeBox schemas are JSON Schema. */
export function openApiDocument(endpoints: readonly Endpoint[], inference: readonly InferenceEndpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  const components = new Components()
  for (const endpoint of inference) {
    for (const path of endpoint.paths) {
      addOperation(paths, path, 'post', inferenceOperation(components, endpoint, path))
    }
  }
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const operation = operationOf(components, endpoint, path)
      addOperation(paths, path, endpoint.method.toLowerCase(), operation)
      if (endpoint.alsoHead === true) addOperation(paths, path, 'head', headOperation(endpoint, operation))
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '1',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      description:
        'One API for every model. Paths under `/v1` are also served under `/api/v1`. Under `/openrouter/v1`, the paths that OpenRouter has too answer in its format. `x-access` names the row in docs/access.md that defines who can call the operation.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, headers: headerComponents, ...components.all() },
  }
}

const tags: Readonly<Record<Endpoint['tag'], string>> = {
  Inference: 'Send requests to models and download their output.',
  Models: 'Available models, their prices, and the providers that serve them.',
  Account: 'Credit, receipts, usage, and limits of the paying account.',
  Keys: 'API keys of users and organizations.',
  Organizations: 'Members, teams, budgets, filters, reports, and the audit log.',
  Institutions: 'Keys and sessions for users at schools and universities.',
  Console: 'Endpoints the console calls before a user signs in.',
  Operators: 'Endpoints for the gateway operator.',
}

const securitySchemes: JsonObject = {
  key: { type: 'http', scheme: 'bearer', description: 'API key, prefixed with `sk-weir-`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description: 'Session cookie of the website. Write requests must come from the website’s own pages.',
  },
}

function addOperation(paths: Record<string, JsonObject>, path: string, method: string, operation: JsonObject): void {
  const key = path.replace(/:(\w+)/g, '{$1}')
  paths[key] = { ...paths[key], [method]: operation }
}

/** Empty if the endpoint needs no credential. */
function securityOf({ credentials }: AccessRow): JsonObject[] {
  if (credentials.length === 0) return []
  return credentials.includes('session') ? [{ key: [] }, { session: [] }] : [{ key: [] }]
}

function operationOf(components: Components, endpoint: Endpoint, path: string): JsonObject {
  const { reply } = endpoint
  const name = typeNameOf(endpoint.name)
  return {
    operationId: operationId(endpoint, path),
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    'x-access': endpoint.access,
    security: securityOf(accessRowOf(endpoint.access)),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(components, endpoint.query),
      ...idempotencyParameters(endpoint),
    ],
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            content: {
              [endpoint.form === undefined ? 'application/json' : 'multipart/form-data']: {
                schema: components.namedSchema(`${name}Body`, endpoint.body),
              },
            },
          },
        }),
    responses: {
      [reply.status]: {
        description: reply.description,
        headers: headersOf.reply,
        ...(reply.status === 204
          ? {}
          : { content: contentOf(reply, components.namedSchema(`${name}Reply`, reply.schema)) }),
      },
      ...refusals(components, errorsOf(endpoint), endpoint.errorForm?.schema),
    },
  }
}

/** A write without a credential has no owner, so it accepts no idempotency key. */
function idempotencyParameters({ method, access, takesIdempotencyKey }: Endpoint): JsonObject[] {
  if (method === 'GET' || accessRowOf(access).credentials.length === 0) return []
  const maxLength = takesIdempotencyKey === true ? 200 : 255
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: `Unique string that you choose for this request, at most ${maxLength} characters. Retries with the same key take effect only once.`,
      schema: { type: 'string', maxLength },
    },
  ]
}

/** The same operation without a response body. */
function headOperation({ reply }: Endpoint, operation: JsonObject): JsonObject {
  const { responses, operationId: id } = operation
  const { status, description } = reply
  return {
    ...operation,
    operationId: `${String(id)}Head`,
    responses: { ...(isJsonObject(responses) ? responses : {}), [status]: { description, headers: headersOf.reply } },
  }
}

function contentOf({ contentTypes = ['application/json'] }: Endpoint['reply'], schema: JsonObject): JsonObject {
  return Object.fromEntries(contentTypes.map((type) => [type, { schema }]))
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(components: Components, query: TSchema | undefined): JsonObject[] {
  const { properties, required } = components.schema(query ?? {})
  if (!isJsonObject(properties)) return []
  const names = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: names.includes(name),
    ...(schema === undefined ? {} : { schema }),
  }))
}
