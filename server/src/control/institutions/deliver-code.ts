import { randomBytes, randomInt } from 'node:crypto'
import { institutionDefaults } from '#domain/institutions/institution-terms.ts'
import { codeRules, judgeCodeRequest } from '#domain/institutions/judge-code-request.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { CodeStore } from '#ports/institutions.ts'
import type { NewMail } from '#ports/mail-outbox.ts'
import type { PostMail } from '../mail/post-mail.ts'
import { type CodeDigests, type Entry, refusedCodeEntry } from './read-entry.ts'

interface DeliverCodeDeps {
  readonly codes: Pick<CodeStore, 'findKey' | 'putCode'>
  readonly digests: CodeDigests
  readonly post: PostMail
  readonly audit: AuditTrail
}

export type DeliverCode = (entry: Entry, requestId: string) => Promise<void>

/**
 * Runs after an admitted request: sends a code by email to an allowed address, and stores a decoy otherwise. The
 * organization's audit log records rejected people and codes that could not be sent.
 */
export function createDeliverCode(deps: DeliverCodeDeps): DeliverCode {
  return async (entry, requestId) => {
    const key = await deps.codes.findKey({ keyHash: entry.keyHash, address: entry.identity })
    if (key === null) return putDecoy(deps.codes, entry, institutionDefaults.verificationTtlS)
    const verdict = judgeCodeRequest(key, entry.address)
    if (!verdict.sends) {
      await putDecoy(deps.codes, entry, key.terms.verificationTtlS)
      return deps.audit.append(refusedCodeEntry({ key, entry, requestId, reason: verdict.reason }))
    }
    const code = newCode()
    const codeHmac = deps.digests.code(entry.keyHash, entry.identity, code)
    const { organizationName, terms } = key
    const ttlS = terms.verificationTtlS
    await deps.codes.putCode({ subject: entry.subject, keyId: key.id, codeHmac, ttlS })
    await deps.post({
      class: 'institution_code',
      to: verdict.address.mailbox,
      // Only the newest code works.
      topic: entry.subject.toString('hex'),
      ...codeMail({ code, organizationName, ttlS }),
      lifeMs: ttlS * 1_000,
      failureEntry: refusedCodeEntry({ key, entry, requestId, reason: 'mail_failed' }),
    })
  }
}

function putDecoy(codes: DeliverCodeDeps['codes'], { subject }: Entry, ttlS: number): Promise<void> {
  return codes.putCode({ subject, keyId: null, codeHmac: randomBytes(32), ttlS })
}

// `randomInt` has no modulo bias.
function newCode(): string {
  return String(randomInt(10 ** codeRules.digits)).padStart(codeRules.digits, '0')
}

/** The email with a code. The code comes first, and no other number in it has as many digits. */
export function codeMail(input: {
  code: string
  organizationName: string
  ttlS: number
}): Pick<NewMail, 'subject' | 'text'> {
  const { code, organizationName, ttlS } = input
  const name = plainName(organizationName)
  const lines = [
    'Your verification code:',
    '',
    `    ${code}`,
    '',
    `Use it to access AI models paid for by ${name === '' ? 'your institution' : name}. The code works once and expires in ${duration(ttlS)}.`,
    "If you didn't request this code, ignore this email. No one can sign in with your address without it.",
    '',
  ]
  return { subject: 'Your verification code', text: lines.join('\n') }
}

/**
 * Organizations choose their own names, and the recipient may not know them. Text that a mail program would link, or
 * that looks like a code, is removed.
 */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/\.(?! |$)/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()-]/gu, ' ')
    .replaceAll(/\d{5,}/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  return Array.from(plain).slice(0, 80).join('')
}

function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? 'one hour' : `${seconds / 3_600} hours`
  return seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`
}
