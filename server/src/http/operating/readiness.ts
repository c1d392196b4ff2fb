/** The content of `/ready`. */
export interface Readiness {
  /** Parts without which requests should go elsewhere. Empty means ready. */
  readonly missing: readonly string[]
  /** Parts that are unavailable; requests are still served. */
  readonly degraded: readonly string[]
  /** The reason for each missing or degraded part. */
  readonly reasons?: Readonly<Record<string, string>>
  readonly parts?: readonly ShownPart[]
}

interface ShownPart {
  readonly name: string
  readonly failingSince: string
  /** Consecutive failures. */
  readonly failures: number
}

type SchemaFact = 'current' | 'behind' | 'read-only' | 'away'

interface GatewayFacts {
  /** It does not listen for clients yet. */
  readonly isStarting: boolean
  readonly isDraining: boolean
  readonly schema: SchemaFact
  readonly snapshots: readonly SnapshotFact[]
  readonly isRedisAway: boolean
  /** Organizations' own keys that the secret does not decrypt. */
  readonly unopenedOwnKeys: number
}

export interface SnapshotFact {
  readonly name: string
  readonly isLoaded: boolean
  /** How the last load failed, or null if it succeeded. */
  readonly fault: 'wrong_secret' | 'load_failed' | null
}

/** A gateway serves the data that it has loaded. Old data is better than none if a reload fails. */
export function judgeGateway(facts: GatewayFacts): Readiness {
  const faulty = facts.snapshots.filter(({ fault }) => fault !== null)
  const unopened = facts.unopenedOwnKeys > 0 ? ['own-keys'] : []
  const reasons = [
    ...reasonsOf(facts.schema),
    ...unopened.map((name) => [name, 'not_all_open'] as const),
    ...faulty.map(({ name, fault }) => [name, fault ?? ''] as const),
  ]
  return {
    missing: [
      ...(facts.isStarting ? ['starting'] : []),
      ...(facts.isDraining ? ['draining'] : []),
      ...missingOf(facts.schema),
      ...facts.snapshots.filter(({ isLoaded }) => !isLoaded).map(({ name }) => name),
    ],
    degraded: [
      ...(facts.isRedisAway ? ['redis'] : []),
      ...faulty.filter(({ isLoaded }) => isLoaded).map(({ name }) => name),
      ...unopened,
    ],
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
  }
}

interface WorkerFacts {
  readonly isStarting: boolean
  readonly isDraining: boolean
  readonly schema: SchemaFact
  readonly parts: readonly PartFact[]
}

interface PartFact {
  readonly name: string
  /** Null while the part's last round succeeded. */
  readonly failing: { readonly sinceMs: number; readonly times: number } | null
  /** The part failed so often that the next round is unlikely to fix it. */
  readonly isDown: boolean
}

export function judgeWorker({ isStarting, isDraining, schema, parts }: WorkerFacts): Readiness {
  const reasons = reasonsOf(schema)
  return {
    missing: [
      ...(isStarting ? ['starting'] : []),
      ...(isDraining ? ['draining'] : []),
      ...missingOf(schema),
      ...parts.filter(({ isDown }) => isDown).map(({ name }) => name),
    ],
    degraded: parts.filter(({ failing, isDown }) => failing !== null && !isDown).map(({ name }) => name),
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
    parts: parts.flatMap(({ name, failing }) =>
      failing === null
        ? []
        : [{ name, failingSince: new Date(failing.sinceMs).toISOString(), failures: failing.times }],
    ),
  }
}

function reasonsOf(schema: SchemaFact): (readonly [name: string, why: string])[] {
  return schema === 'read-only' ? [['postgres', 'read_only']] : []
}

function missingOf(schema: SchemaFact): string[] {
  switch (schema) {
    case 'away':
    case 'read-only':
      return ['postgres']
    case 'behind':
      return ['schema']
    case 'current':
      return []
  }
}
