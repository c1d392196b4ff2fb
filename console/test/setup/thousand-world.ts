import { startDnsServer } from '../../../server/test/egress/start-dns-server.ts'
import { startWorld, type World } from './world.ts'
import { wantsAll } from './wants-all.ts'

/** A thousand with `npm run console -- --all`. Passwords are slow to hash, so fewer otherwise. */
export const peopleCount = wantsAll ? 1_000 : 40

const records = new Map<string, string>()
let opened: Promise<World> | undefined

/** A world that sells credit and asks a DNS server of the test for TXT records. */
export function openThousandWorld(): Promise<World> {
  opened ??= open()
  return opened
}

/** Lets the DNS server answer with this TXT record. */
export function publishRecord(name: string, value: string): void {
  records.set(name, value)
}

async function open(): Promise<World> {
  const { address } = await startDnsServer((name, type) => {
    const data = type === 'TXT' ? records.get(name) : undefined
    return data === undefined ? 'missing' : [{ type: 'TXT', data }]
  })
  const world = await startWorld({ sellsCredit: true, dnsServers: address })
  // Without an account the console would ask for the first one.
  await world.gateway.createClient()
  return world
}

/** Acts for all of them, a few at once. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await act(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return results
}
