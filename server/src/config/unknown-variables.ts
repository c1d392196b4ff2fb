import { editDistance } from '#lib/edit-distance.ts'

/**
 * Not settings, but of this name: where the file is, failpoints of drills, which of several processes it is, and what
 * examples and clients read.
 */
const otherVariables = new Set([
  'WEIR_CONFIG',
  'WEIR_FAILPOINTS',
  'WEIR_GATEWAY_PLACE',
  'WEIR_URL',
  'WEIR_KEY',
  'WEIR_MANAGEMENT_KEY',
  'WEIR_PROVIDER_KEY',
])

/** Of our own tests, and those that Kubernetes sets in every pod for a service whose name begins with `weir`. */
const otherForms = [
  /^WEIR_TEST_\w+=/,
  /^\w+_SERVICE_(?:HOST|PORT(?:_\w+)?)=/,
  /^\w+_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?=/,
  /^\w+_PORT=(?:tcp|udp|sctp):\/\//,
]

// As many letters may be wrong for the name to be recognised.
const editsMax = 3

/** Variables that would be passed over in silence, most likely because they are mistyped. */
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
