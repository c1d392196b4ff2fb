import { editDistance } from '#lib/edit-distance.ts'

/**
 * Variables with this prefix that are not settings: the path of the file, the operator who runs a command, failpoints
 * of drills, the index of a process, and variables of examples and clients.
 */
const otherVariables = new Set([
  'WEIR_CONFIG',
  'WEIR_OPERATOR',
  'WEIR_FAILPOINTS',
  'WEIR_GATEWAY_PLACE',
  'WEIR_URL',
  'WEIR_KEY',
  'WEIR_MANAGEMENT_KEY',
  'WEIR_PROVIDER_KEY',
])

/**
 * Variables of our tests, and variables that Kubernetes sets in every pod for a service whose name begins with `weir`.
 */
const otherForms = [
  /^WEIR_TEST_\w+=/,
  /^\w+_SERVICE_(?:HOST|PORT(?:_\w+)?)=/,
  /^\w+_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?=/,
  /^\w+_PORT=(?:tcp|udp|sctp):\/\//,
]

// The most edits at which a mistyped name is still recognized.
const editsMax = 3

/** Variables that would be silently ignored, most likely because of a typo. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly { readonly variable: string }[],
): string[] {
  const known = settings.map(({ variable }) => variable)
  return Object.entries(env)
    .filter(([name, value = '']) => name.startsWith('WEIR_') && value !== '' && !known.includes(name))
    .filter(([name, value]) => !otherVariables.has(name) && !otherForms.some((form) => form.test(`${name}=${value}`)))
    .map(([name]) => `${name} is not a known setting${hintFor(name, known)}`)
}

function hintFor(name: string, known: readonly string[]): string {
  const scored = known.map((variable) => ({ variable, edits: editDistance(name, variable) }))
  const [nearest] = scored.toSorted((one, other) => one.edits - other.edits)
  return nearest !== undefined && nearest.edits <= editsMax ? `; did you mean ${nearest.variable}?` : ''
}
