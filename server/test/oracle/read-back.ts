import type { Client } from '#test/setup/client.ts'

type Json = Readonly<Record<string, unknown>>

/** Everything that the gateway reports about a request, and about its account and key, which sent no other request. */
export interface Kept {
  readonly record: Json
  readonly listed: readonly Json[]
  readonly credits: Json
  readonly key: Json
  readonly usage: Json
}

export async function readBack(client: Client, generationId: string): Promise<Kept> {
  const path = `/v1/generation?id=${generationId}`
  const [record, list, credits, key, usage] = await Promise.all(
    [path, '/v1/generations', '/v1/credits', '/v1/key', '/v1/usage?period=day'].map((each) => client.get(each)),
  )
  return {
    record: record?.data ?? {},
    listed: list?.list ?? [],
    credits: credits?.data ?? {},
    key: key?.data ?? {},
    usage: usage?.json ?? {},
  }
}
