import { createClient } from '#test/setup/client.ts'

/** Reads one metric of a gateway, without labels. */
export async function readMetric(gateway: { operatingUrl: string }, name: string): Promise<number> {
  const [value = 0] = await readMetrics(gateway, [name])
  return value
}

/** Reads several metrics at one moment. */
export async function readMetrics(gateway: { operatingUrl: string }, names: readonly string[]): Promise<number[]> {
  const { text } = await createClient(gateway.operatingUrl).get('/metrics', { headers: { connection: 'close' } })
  return names.map((name) => {
    const value = new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`${gateway.operatingUrl} has no figure ${name}`)
    return Number(value)
  })
}
