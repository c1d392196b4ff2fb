import { Type } from 'typebox'
import type { WalletNews } from '#control/wallets/watched-wallets.ts'
import type { WalletWatch } from '#control/wallets/wallet-watch.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import type { Client } from '#domain/access/client.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'

/** Live figures of a wallet, for pages that must not be reloaded. */
export function walletEventsEndpoint({
  watch,
  memberships,
}: {
  readonly watch: WalletWatch
  readonly memberships: Memberships
}): Endpoint {
  return {
    method: 'GET',
    tag: 'Account',
    access: 'wallet.read',
    name: 'watchWallet',
    paths: ['/api/wallets/:walletId/events'],
    summary: 'Watch a wallet',
    description:
      'Server-sent events. `wallet` has the current figures first, and again within about a second after a hold, a charge, a payment or a rejected request. The stream ends after four to five minutes; reconnect, as `EventSource` does. Without `Accept: text/event-stream` it has only the current figures.',
    reply: {
      status: 200,
      description:
        'Events named `wallet` with `balance`, `held`, `available` and `charged` in USD, and `refused`, the number of rejected requests in this UTC hour and the one before. `end` is the last event of a client whose session or key was revoked.',
      schema: Type.String(),
      contentTypes: ['text/event-stream'],
    },
    errors: ['notFound', 'rateLimited'],
    handle: async (request) => {
      const open = (client: Client) => openWalletToRead(memberships, client, referenceOf(request, 'walletId'))
      const opener = clientOf(request)
      const walletId = await open(opener)
      const isStillAllowed = async (): Promise<boolean> => {
        const client = await request.identifyAgain()
        return client !== null && (await open(client)) === walletId
      }
      const news = watch.watch(walletId, {
        clientId: watcherOf(opener),
        isStillAllowed: () => isStillAllowed().catch(sayNoIfRefused),
      })
      const isOne = request.headers.accept?.includes('text/event-stream') !== true
      return {
        headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
        stream: { contentType: 'text/event-stream', chunks: eventsOf(news, { isOne }) },
      }
    },
  }
}

/** All keys and sessions of a person count together. */
function watcherOf(client: Client): Uuid {
  return client.kind === 'session' ? client.person.userId : (client.principal.userId ?? client.principal.keyId)
}

const refusals: ReadonlySet<number> = new Set([401, 403, 404])

/** While the store is away no process can tell, and a client that heard no would not come back. */
function sayNoIfRefused(error: unknown): boolean {
  if (error instanceof GatewayError && refusals.has(error.row.status)) return false
  throw error
}

async function* eventsOf(news: AsyncIterable<WalletNews>, { isOne }: { isOne: boolean }): AsyncGenerator<string> {
  for await (const one of news) {
    yield eventOf(one)
    if (isOne) return
  }
}

function eventOf(news: WalletNews): string {
  if (news === 'still there') return ':\n\n'
  if (news === 'not allowed') return 'event: end\ndata: {"reason":"not_allowed"}\n\n'
  const { balance, held, creditLine, charged, refused } = news.mark
  const available = nanoUsd(balance + creditLine - held)
  const data = {
    balance: usdJson(balance),
    held: usdJson(held),
    available: usdJson(available),
    charged: usdJson(charged),
    refused,
  }
  return `event: wallet\ndata: ${JSON.stringify(data)}\n\n`
}
