import type { PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import type { SealingKey } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedInvitations } from '#ports/invitations.ts'
import type { NewMail } from '#ports/mail-outbox.ts'
import { bodyOf } from '../mail/mail-outbox.ts'
import { closeTopic, insertMail } from '../mail/outbox.sql.ts'
import {
  countOpenInvitations,
  findInvitation,
  findInvitationByToken,
  findOpenInvitations,
  insertInvitation,
  updateInvitation,
} from './invitations.sql.ts'

/** The invitations of an organization within the transaction that has locked it. */
export function lockedInvitations(
  client: PoolClient,
  organizationId: Uuid,
  sealingKey: SealingKey | null,
): LockedInvitations {
  return {
    find: (invitationId) => findInvitation(client, { organizationId, invitationId }),
    findByToken: (tokenHash) => findInvitationByToken(client, organizationId, tokenHash),
    findOpen: (emails) => findOpenInvitations(client, organizationId, emails),
    countOpen: (nowMs) => countOpenInvitations(client, organizationId, nowMs),
    insert: (invitation) => insertInvitation(client, organizationId, invitation),
    update: (invitation) => updateInvitation(client, organizationId, invitation),
    dropMail: (topic) => closeTopic(client, topic),
    queueMail: async (mail) => {
      assert(sealingKey !== null, 'a process that invites has the sealing key')
      await queueMail(client, mail, sealingKey)
    },
  }
}

async function queueMail(client: PoolClient, mail: NewMail, sealingKey: SealingKey): Promise<void> {
  const { to, text: _text, ...rest } = mail
  const id = newUuid(Date.now())
  if (mail.topic !== undefined) await closeTopic(client, mail.topic)
  await insertMail(client, { ...rest, id, name: id, to: { address: to }, body: bodyOf(mail, { id, sealingKey }) })
}
