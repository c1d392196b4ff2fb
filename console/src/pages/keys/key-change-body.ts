import { optionalAmountBody } from '../../api/amount-body.ts'
import type { Key } from '../../api/keys.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { emptyKey, type KeyFields, networksIn } from './new-key-body.ts'

export interface KeyChangeBody {
  readonly enabled?: boolean
  readonly limit?: number | null
  readonly limit_reset?: string | null
  readonly allowedCidrs?: string[]
  readonly cacheTtlSeconds?: number | null
}

type Settings = Pick<Key, 'name' | 'limit' | 'limit_reset' | 'allowedCidrs' | 'cacheTtlSeconds'>

/** The settings of a key as the form shows them. */
export function fieldsOfKey({ name, limit, limit_reset: period, allowedCidrs, cacheTtlSeconds }: Settings): KeyFields {
  return {
    ...emptyKey,
    name,
    limit: limit === null ? '' : exactUsd(toNano(limit)),
    period: period ?? '',
    networks: allowedCidrs.join(', '),
    cacheTime: cacheTtlSeconds === null ? '' : String(cacheTtlSeconds),
  }
}

/** The request body for the settings that differ from the key's. A key without a limit has no period. */
export function keyChangeBody(key: Settings, { limit, period, networks, cacheTime }: KeyFields): KeyChangeBody {
  const list = networksIn(networks)
  const wanted = limit.trim()
  const reset = wanted === '' || period === '' ? null : period
  const isSameLimit = key.limit === null ? wanted === '' : wanted !== '' && toNano(wanted) === toNano(key.limit)
  const cacheTtlSeconds = cacheTime === '' ? null : Number(cacheTime)
  return {
    ...(isSameLimit ? {} : { limit: optionalAmountBody(wanted) }),
    ...(reset === key.limit_reset ? {} : { limit_reset: reset }),
    ...(list.join() === key.allowedCidrs.join() ? {} : { allowedCidrs: list }),
    ...(cacheTtlSeconds === key.cacheTtlSeconds ? {} : { cacheTtlSeconds }),
  }
}
