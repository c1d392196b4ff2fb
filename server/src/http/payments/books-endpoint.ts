import { isUuid } from '#lib/uuid.ts'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { Customers } from '#ports/customers.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import type { PaymentProvider, ProviderStatements } from '#ports/payments.ts'
import type { Endpoint } from '../endpoint.ts'
import { nameCustomers } from './name-customers.ts'
import { booksSchema } from './payment-schema.ts'

interface BooksDeps {
  readonly statements: ProviderStatements
  readonly providers: readonly PaymentProvider[]
  readonly customers: Pick<Customers, 'nameWallets'>
}

const differencesMax = 100

/** Whether the providers' ledgers and ours agree, as far as a worker has read them. */
export function booksEndpoint({ statements, providers, customers }: BooksDeps): Endpoint {
  const readWatermarks = async (name: PaymentSource) => {
    const watermarks = await statements.readWatermarks(name)
    return { name, read_until: isoOf(watermarks?.balancesUntilMs), events_read_until: isoOf(watermarks?.eventsUntilMs) }
  }
  return {
    tag: 'Operators',
    access: 'operators.payments.read',
    name: 'comparePaymentBooks',
    method: 'GET',
    paths: ['/api/admin/books'],
    summary: 'Reconcile payments with payment providers',
    reply: {
      status: 200,
      description: 'The discrepancies found now. Empty if the ledgers match.',
      schema: booksSchema,
    },
    handle: async () => {
      const kept = providers.filter(({ lists }) => lists !== null)
      const [watermarks, found] = await Promise.all([
        Promise.all(kept.map(({ name }) => readWatermarks(name))),
        statements.compare(),
      ])
      return {
        body: {
          data: {
            agree: found.length === 0,
            providers: watermarks,
            differences: await nameCustomers(customers, found.slice(0, differencesMax).map(render)),
            has_more: found.length > differencesMax,
          },
        },
      }
    },
  }
}

/** A subject is an order with the counted sum, or a line of the provider's ledger. */
function render({ what, walletId, subject, expected, found }: Discrepancy) {
  const [id = ''] = (subject ?? '').split(' ')
  return { what, wallet_id: walletId, top_up_id: isUuid(id) ? id : null, subject, expected, found }
}

function isoOf(moment: number | null | undefined): string | null {
  return moment === null || moment === undefined ? null : new Date(moment).toISOString()
}
