import type { Config } from '#config/config-schema.ts'
import { chooseKeptItems, type ChosenKeptItems } from '#store/redis/choose-kept-items.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { WiredRedis } from './redis.ts'

/** Stored output items of Responses that requests may refer to. */
export function wireKeptItems({ config, redis }: { config: Config; redis: WiredRedis }): ChosenKeptItems {
  const { itemRetentionMs, itemBytesPerWallet } = config.responses
  return chooseKeptItems({
    open: () => redis.open(Math.max(1_000, config.redis.budgetMs)),
    prefix: redis.prefix,
    sealingKey: sealingKeyOf(config),
    keptMs: itemRetentionMs,
    walletBytesMax: itemBytesPerWallet,
  })
}
