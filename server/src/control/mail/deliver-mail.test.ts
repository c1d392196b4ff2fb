import { expect, it } from 'vitest'
import type { ClaimedMail, MailOutbox } from '#ports/mail-outbox.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { createDeliverMail } from './deliver-mail.ts'

const mail: ClaimedMail = {
  id: '0190a2b4-6c00-7000-8000-000000000001',
  class: 'notice',
  to: 'ada@example.com',
  subject: 'Your balance is low',
  text: 'Buy credit.\n',
  name: 'a-name',
  document: null,
  attempts: 3,
  isExpired: false,
}

type Noted = Awaited<ReturnType<MailOutbox['failed']>>

/** Delivers once. Returns the recorded outcome, the counted outcomes and the emails given to the mail server. */
async function deliver(
  claimed: ClaimedMail,
  { noted = 'retried', send }: { noted?: Noted; send?: Mailer['send'] } = {},
) {
  const seen = { notes: [] as unknown[], outcomes: [] as unknown[], mails: [] as Mail[] }
  const mailer: Mailer | null =
    send === undefined
      ? null
      : {
          send: (each) => {
            seen.mails.push(each)
            return send(each)
          },
        }
  await createDeliverMail({
    outbox: {
      sent: async () => void seen.notes.push('sent'),
      failed: async (_mail, attempt) => {
        seen.notes.push(attempt)
        return noted
      },
    },
    mailer,
    onOutcome: (outcome, about) => void seen.outcomes.push([outcome, about]),
    nowMs: () => 7,
  })(claimed)
  return seen
}

const about = { class: 'notice' }
const accept: Mailer['send'] = async () => 'accepted'
const reject: Mailer['send'] = async () => 'rejected'
const refuse = () => Promise.reject(Object.assign(new Error('ada@example.com is unknown'), { code: 'EENVELOPE' }))

it('a mail that the server accepts is noted and counted as sent', async () => {
  const seen = await deliver(mail, { send: accept })
  const { to, subject, text, name } = mail
  expect(seen).toEqual({ notes: ['sent'], outcomes: [['sent', about]], mails: [{ to, subject, text, name }] })
})

it('a failed attempt is noted with the pause of the policy and the code of the error alone', async () => {
  const { notes, outcomes } = await deliver(mail, { send: refuse })
  expect(notes).toEqual([{ error: 'EENVELOPE', pauseMs: 16_000, nowMs: 7 }])
  expect(outcomes).toEqual([['failed', { ...about, error: 'EENVELOPE' }]])
})

it('an error without a code, or that is none, is noted as unknown', async () => {
  for (const error of [new Error('50 emails are already in flight'), 'a string']) {
    const { notes } = await deliver(mail, { send: () => Promise.reject(error) })
    expect(notes).toMatchObject([{ error: 'unknown' }])
  }
})

it('a failed attempt that was the last is counted as expired as well', async () => {
  const { outcomes } = await deliver(mail, { send: refuse, noted: 'given_up' })
  expect(outcomes).toEqual([
    ['failed', { ...about, error: 'EENVELOPE' }],
    ['expired', about],
  ])
})

it.each([
  ['no_mail_server', mail, {}],
  ['expired', { ...mail, isExpired: true }, { send: accept }],
  ['unreadable', { ...mail, text: null }, { send: accept }],
  ['rejected', mail, { send: reject }],
] as const)('a mail is given up as %s, and counted once', async (outcome, claimed, options) => {
  const { notes, outcomes, mails } = await deliver(claimed, { ...options, noted: 'given_up' })
  expect(notes).toEqual([{ error: outcome, pauseMs: null, nowMs: 7 }])
  expect(outcomes).toEqual([[outcome, about]])
  expect(mails).toHaveLength(outcome === 'rejected' ? 1 : 0)
  expect((await deliver(claimed, { ...options, noted: 'superseded' })).outcomes).toEqual([])
})
