import { isJsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import type { Outbound } from '#ports/outbound.ts'
import type { ListProviderModels } from '#ports/own-keys.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { fetchWhole } from './fetch-whole.ts'

const answerBytesMax = 4_194_304
const namesMax = 5_000
const nameLengthMax = 200

/**
 * Requests the model list, which has the same form in both protocols: `{data:[{id}]}`. It reveals nothing else of the
 * provider's response.
 */
export function createListProviderModels(options: {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly requestFor: (key: Parameters<ListProviderModels>[0]) => {
    origin: string
    path: string
    headers: Readonly<Record<string, string>>
  }
  /** Time limit of the whole response. */
  readonly timeoutMs: number
}): ListProviderModels {
  const { timeoutMs } = options
  const limits = { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs, connectTimeoutMs: timeoutMs }
  return async (key) => {
    const { id: pool, organizationId: account } = key
    const request = { ...options.requestFor(key), method: 'GET', pool, account, body: '', ...limits } as const
    const bytesMax = answerBytesMax
    const { status, body } = await options.outbound.run({ account, bytesMax }, () =>
      fetchWhole(options.upstreams, request, { timeoutMs, bytesMax }),
    )
    if (status !== 200) throw new Error(`The provider returned ${status} when listing its models.`)
    const data = parseJsonObject(body)?.['data']
    if (!Array.isArray(data)) throw new Error("The provider's model list can't be read.")
    const names = data.filter(isJsonObject).flatMap((entry) => stringAt(entry, 'id') ?? [])
    return names.filter((name) => name !== '' && name.length <= nameLengthMax).slice(0, namesMax)
  }
}
