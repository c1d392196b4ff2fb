import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { parseJsonObject } from '#lib/json.ts'
import { parseSealed, seal, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { KeptItems } from '#ports/kept-items.ts'
import { createScript, runScript } from './run-scripts.ts'

export interface KeptItemsOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly sealingKey: SealingKey
  /** How long an item is kept after its last use. */
  readonly keptMs: number
  /** The maximum sealed bytes of one wallet. */
  readonly walletBytesMax: number
}

/**
 * One key per item, encrypted and bound to wallet and id, which Redis drops if the item was not used for `keptMs`. Each
 * wallet also has a sorted set of its items by expiry, and the sum of their bytes. The wallet is the hash tag of every
 * key, so each call stays on one cluster slot.
 */
export function createRedisKeptItems(options: KeptItemsOptions): KeptItems {
  const { redis, prefix, sealingKey, keptMs, walletBytesMax } = options
  const keysOf = (walletId: Uuid): string[] =>
    ['order', 'bytes', 'one'].map((part) => `${prefix}item-${part}:{${walletId}}`)
  return {
    async keep(walletId, items, nowMs) {
      const values = items.flatMap(({ id, json }) => [
        nameOf(id),
        JSON.stringify(seal(sealingKey, json, associated(walletId, id))),
      ])
      await runScript(redis, keepScript, keysOf(walletId), [nowMs, keptMs, walletBytesMax, ...values])
    },
    async find(walletId, ids, { nowMs, bytesMax }) {
      const values = [nowMs, keptMs, sealedSizeMax * bytesMax, ...ids.map(nameOf)]
      const found = await runScript(redis, findScript, keysOf(walletId), values)
      if (!Array.isArray(found)) return null
      return ids.map((id, position) => opened(found[position], id, walletId))
    },
  }

  /** An item whose secret was removed cannot be decrypted, so it counts as missing. */
  function opened(stored: unknown, id: string, walletId: Uuid): string | null {
    if (typeof stored !== 'string') return null
    try {
      return unseal(sealingKey, parseSealed(parseJsonObject(stored)), associated(walletId, id))
    } catch {
      return null
    }
  }
}

/** An encrypted item is a third larger and has a wrapped key. */
const sealedSizeMax = 2

/** Ids may come from an upstream, with any length and any characters. */
function nameOf(id: string): string {
  return hash('sha256', id, 'base64url')
}

function associated(walletId: Uuid, id: string): string {
  return `kept item ${walletId} ${id}`
}

/**
 * KEYS: the order, the sum of bytes, and the prefix of item names. ARGV: now, how long to keep, the maximum bytes of a
 * wallet, then a name and an encrypted value per item. A repeated id would mean two items, so neither can be found any
 * more.
 */
const keepScript = createScript(`
local order, sum, head = KEYS[1], KEYS[2], KEYS[3]
local now, kept, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local function drop(members)
  for _, member in ipairs(members) do
    local name, bytes = string.match(member, '^(.*):(%d+)$')
    redis.call('DEL', head .. ':' .. name)
    redis.call('ZREM', order, member)
    redis.call('DECRBY', sum, bytes)
  end
end

drop(redis.call('ZRANGEBYSCORE', order, '-inf', now))
for at = 4, #ARGV, 2 do
  local name, value = ARGV[at], ARGV[at + 1]
  local key = head .. ':' .. name
  if redis.call('SET', key, value, 'PX', kept, 'NX') then
    redis.call('ZADD', order, now + kept, name .. ':' .. #value)
    redis.call('INCRBY', sum, #value)
  else
    redis.call('SET', key, '', 'KEEPTTL')
  end
end
while tonumber(redis.call('GET', sum) or 0) > most do
  local oldest = redis.call('ZRANGE', order, 0, 0)
  if #oldest == 0 then break end
  drop(oldest)
end
redis.call('PEXPIRE', order, kept)
redis.call('PEXPIRE', sum, kept)
return 0
`)

/**
 * KEYS as above. ARGV: now, how long to keep, the maximum bytes to read, then the names. Returns the encrypted values,
 * with false for each missing one, or a number if they have more bytes than the maximum.
 */
const findScript = createScript(`
local order, sum, head = KEYS[1], KEYS[2], KEYS[3]
local now, kept, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local found, bytes = {}, 0
for at = 4, #ARGV do
  local name = ARGV[at]
  local key = head .. ':' .. name
  local value = redis.call('GET', key)
  if value and #value > 0 then
    redis.call('PEXPIRE', key, kept)
    redis.call('ZADD', order, 'XX', now + kept, name .. ':' .. #value)
    bytes = bytes + #value
  end
  if bytes > most then return 0 end
  found[at - 3] = value
end
redis.call('PEXPIRE', order, kept)
redis.call('PEXPIRE', sum, kept)
return found
`)
