import type { Pool } from 'pg'
import type { FallbackMode, OwnKey, OwnKeyProtocol, OwnKeyStore, OwnKeyWay } from '#domain/routing/own-keys.ts'
import { parseSealed, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { readWay } from './own-keys.sql.ts'

interface OwnKeyLoaderOptions {
  readonly pool: Pool
  readonly sealingKey: SealingKey
  /** The vendor and the endpoint of a key. */
  readonly placeOf: (way: OwnKeyWay, baseUrl: string) => { vendor: string; baseUrl: string }
  /** A key whose credential cannot be decrypted or whose URL is invalid is skipped, so that the others keep working. */
  readonly report: { failed(error: unknown): void; succeeded(): void }
}

interface OwnKeyLoader {
  load(): Promise<OwnKeyStore>
  /** Number of keys that the last load skipped. */
  readonly unopened: number
}

/**
 * Loads the own keys of all organizations. A credential never changes, so each is decrypted once and cached in memory:
 * a change in one organization must not cost the work of all.
 */
export function createOwnKeyLoader(options: OwnKeyLoaderOptions): OwnKeyLoader {
  let unopened = 0
  let opened: ReadonlyMap<Uuid, string> = new Map()

  function open({ id, credential }: LoadedOwnKey): string {
    return opened.get(id) ?? unseal(options.sealingKey, parseSealed(credential), id)
  }

  function read(loaded: LoadedOwnKey): OwnKey | null {
    try {
      return ownKeyOf(loaded, open(loaded), options.placeOf(readWay(loaded), loaded.baseUrl))
    } catch (error) {
      unopened += 1
      options.report.failed(new Error(`own key ${loaded.id}`, { cause: error }))
      return null
    }
  }

  async function load(): Promise<OwnKeyStore> {
    const { revision, keys } = await loadOwnKeys(options.pool)
    unopened = 0
    const byOrganization = new Map<Uuid, OwnKey[]>()
    const stillOpen = new Map<Uuid, string>()
    for (const loaded of keys) {
      const key = read(loaded)
      if (key === null) continue
      stillOpen.set(key.id, key.account.credential ?? '')
      const sharing = byOrganization.get(loaded.organizationId) ?? []
      sharing.push(key)
      byOrganization.set(loaded.organizationId, sharing)
    }
    opened = stillOpen
    if (unopened === 0) options.report.succeeded()
    return { revision, byOrganization }
  }

  return {
    load,
    get unopened() {
      return unopened
    },
  }
}

function ownKeyOf(loaded: LoadedOwnKey, credential: string, place: { vendor: string; baseUrl: string }): OwnKey {
  const { id, name } = loaded
  return {
    id,
    // The organization itself is responsible for its agreement with the provider about prompts.
    account: { id, name, ...place, credential, keepsPrompts: false, weight: 1 },
    fallbackMode: loaded.fallbackMode,
    scopedKeyIds: new Set(loaded.scopedKeyIds),
    models: new Map(Object.entries(loaded.models)),
  }
}

interface LoadedOwnKey {
  id: string
  organizationId: string
  name: string
  baseUrl: string
  /** Encrypted. */
  credential: unknown
  protocol: OwnKeyProtocol | null
  provider: string | null
  fallbackMode: FallbackMode
  scopedKeyIds: string[]
  models: Record<string, string>
}

/** Every enabled key with its enabled mappings. */
async function loadOwnKeys(pool: Pool): Promise<{ revision: number; keys: LoadedOwnKey[] }> {
  // One statement, so that the revision, the keys and their mappings come from one snapshot.
  const text = `SELECT
    (SELECT revision FROM revisions WHERE topic = 'own_keys') AS revision,
    (SELECT coalesce(json_agg(json_build_object('id', k.id, 'organizationId', k.organization_id, 'name', k.name,
        'baseUrl', k.base_url, 'credential', k.credential, 'protocol', k.protocol, 'provider', k.provider, 'fallbackMode', k.fallback_mode,
        'scopedKeyIds', k.scoped_key_ids, 'models', (SELECT coalesce(json_object_agg(m.model_id, m.upstream_model), '{}')
          FROM own_key_models m WHERE m.own_key_id = k.id AND m.enabled)) ORDER BY k.id), '[]')
     FROM own_keys k WHERE k.enabled) AS keys`
  const { rows } = await pool.query<{ revision: string | null; keys: LoadedOwnKey[] }>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the BYOK key query returned no row')
  return { revision: Number(row.revision ?? 0), keys: row.keys }
}
