import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { userOf } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Notices } from '#ports/announcements.ts'
import type { Memberships } from '#ports/organizations.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { noticesSchema, renderNotice } from './notice-schema.ts'

interface NoticeEndpointDeps {
  readonly notices: Notices
  readonly memberships: Memberships
}

/** What a customer was told about changed prices and retirements. */
export function noticeEndpoints({ notices, memberships }: NoticeEndpointDeps): Endpoint[] {
  return [
    {
      tag: 'Account',
      access: 'wallet.read',
      name: 'listNotices',
      method: 'GET',
      paths: ['/api/wallets/:walletId/notices'],
      summary: 'List notices of changed prices and retirements',
      description: 'About models that the wallet used in the 30 days before each notice.',
      reply: { status: 200, description: 'The newest 20 notices, newest first.', schema: noticesSchema },
      errors: ['notFound'],
      handle: async (request) => {
        const client = clientOf(request)
        const walletId = await openWalletToRead(memberships, client, referenceOf(request, 'walletId'))
        return { body: { data: (await notices.list(walletId, userOf(client))).map(renderNotice) } }
      },
    },
    {
      tag: 'Account',
      access: 'notices.dismiss',
      name: 'dismissNotice',
      method: 'POST',
      paths: ['/api/wallets/:walletId/notices/:noticeId/dismiss'],
      summary: 'Dismiss a notice',
      description: 'Hides the notice in the console of the calling person. Others still see it.',
      reply: { status: 204, description: 'The notice is dismissed.', schema: {} },
      errors: ['notFound'],
      handle: async (request) => {
        const client = clientOf(request)
        const userId = userOf(client)
        assert(userId !== null, 'a session has a person')
        const walletId = await openWalletToRead(memberships, client, referenceOf(request, 'walletId'))
        const id = referenceOf(request, 'noticeId')
        if (!isUuid(id) || !(await notices.dismiss({ id, walletId, userId })))
          throw new GatewayError('notFound', { message: 'Notice not found.' })
        return {}
      },
    },
  ]
}
