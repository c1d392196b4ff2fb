import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Credential } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { createUsageWorld } from './usage-world.ts'

/** A gateway with settled and rolled up requests. */
export interface UsageGateway extends TestGateway {
  /** Settles requests of a key, and rolls them up. */
  spend(payer: SpendingKey, requests: readonly SpentRequest[]): Promise<void>
  read(path: string, credential?: Credential): Promise<{ status: number; body: JsonObject }>
}

type SpendingKey = Pick<GenerationRecord, 'walletId' | 'keyId'> &
  Partial<Pick<GenerationRecord, 'organizationId' | 'memberId' | 'teamId' | 'userId'>>

interface SpentRequest extends Partial<Pick<GenerationRecord, 'model' | 'appName' | 'firstTokenMs' | 'refundReason'>> {
  /** ISO 8601; now by default. */
  at?: string
  usd: string
  savedUsd?: string
  prompt?: number
  completion?: number
}

export async function startUsageGateway(environment: Record<string, string> = {}): Promise<UsageGateway> {
  const gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000', ...environment })
  const usage = await createUsageWorld({ url: gateway.databaseUrl, pool: gateway.pool, drop: gateway.close })
  return {
    ...gateway,
    async spend(payer, requests) {
      await usage.settle(
        requests.map(({ at, usd, savedUsd = '0', prompt = 0, completion = 0, ...others }) => ({
          ...payer,
          ...others,
          startedAtMs: at === undefined ? Date.now() : Date.parse(at),
          cost: parseUsd(usd),
          cacheDiscount: parseUsd(savedUsd),
          usage: { ...noUsage, uncachedInput: prompt, textOutput: completion },
        })),
      )
      await usage.rollUpAll()
    },
    async read(path, credential) {
      const { status, json: body } = await gateway.as(credential).get(path)
      return { status, body }
    },
  }
}
