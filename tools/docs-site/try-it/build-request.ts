/** One operation, as its page describes it. */
export interface TriedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly place: 'path' | 'query'
    readonly required: boolean
  }[]
  readonly body: string | null
  readonly takesKey: boolean
}

interface Typed {
  readonly key: string
  readonly values: Readonly<Record<string, string>>
  readonly body: string
}

interface TriedRequest {
  readonly path: string
  readonly init: RequestInit
}

/**
 * Builds a request from the entered values, or returns a sentence that says what is missing. It sends the entered key
 * and no cookies.
 */
export function buildRequest(operation: TriedOperation, { key, values, body }: Typed): TriedRequest | string {
  const valueOf = (name: string) => values[name]?.trim() ?? ''
  const missing = operation.parameters.find(({ name, required }) => required && valueOf(name) === '')
  if (missing !== undefined) return `${missing.name} is required.`
  const query = new URLSearchParams()
  let path = operation.path
  for (const { name, place } of operation.parameters) {
    const value = valueOf(name)
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  }
  const headers: Record<string, string> = {}
  if (key.trim() !== '') headers['authorization'] = `Bearer ${key.trim()}`
  if (operation.body !== null) {
    const problem = problemIn(body)
    if (problem !== null) return problem
    headers['content-type'] = 'application/json'
  }
  return {
    path: query.size === 0 ? path : `${path}?${query}`,
    init: {
      method: operation.method,
      headers,
      credentials: 'omit',
      ...(operation.body === null ? {} : { body }),
    },
  }
}

function problemIn(body: string): string | null {
  try {
    JSON.parse(body)
    return null
  } catch (error) {
    return `The body is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
