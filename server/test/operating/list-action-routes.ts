// Not an expectation: its keys distinguish action names from other words.
import { type AccessAction, accessTable } from '#domain/access/access-table.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { listRoutes } from '#test/edge/list-routes.ts'
import type { TestGateway } from '#test/setup/gateway.ts'

export interface ActionRoute {
  method: string
  /** With `{name}` for parameters. */
  path: string
  action: AccessAction
}

/** Routes with credentials of their own: sign-in, single sign-on and provisioning, which have their own tests. */
const apart = /^\/(?:openapi\.json|account\/[a-z-]+|api\/auth\/\*|api\/sign-on\/:.+|scim\/v2\/.+)$/

const mounts = ['/api', '/openrouter']

/** Every route of the router with its row of the access table. A route without a row is an error. */
export async function listActionRoutes(gateway: TestGateway): Promise<ActionRoute[]> {
  const { json: document } = await gateway.as().get('/openapi.json')
  const documented = operationsOf(objectAt(document, 'paths'))
  return listRoutes(gateway.gateway.server)
    .filter(({ method, path }) => method !== 'HEAD' && method !== 'OPTIONS' && !apart.test(path))
    .map(({ method, path }) => {
      // The document lists each path once, without the prefix of a mount; the router has its own parameter names.
      const prefix = mounts.find((mount) => path.startsWith(`${mount}/v1/`)) ?? ''
      const shape = path.slice(prefix.length).replaceAll(/:\w+(?:\|:\w+)*/g, '{}')
      const found = documented.get(`${method} ${shape}`)
      if (found === undefined) throw new Error(`${method} ${path} says nowhere who may call it`)
      return { method, path: prefix + found.path, action: found.action }
    })
}

function operationsOf(paths: JsonObject): Map<string, { path: string; action: AccessAction }> {
  const operations = new Map<string, { path: string; action: AccessAction }>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(isJsonObject(methods) ? methods : {})) {
      const action = isJsonObject(operation) ? operation['x-access'] : undefined
      const shape = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`
      if (isAction(action)) operations.set(shape, { path, action })
    }
  }
  return operations
}

function isAction(text: unknown): text is AccessAction {
  return typeof text === 'string' && Object.hasOwn(accessTable, text)
}
