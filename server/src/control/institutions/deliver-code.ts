import { randomBytes, randomInt } from 'node:crypto'
import { institutionDefaults } from '#domain/institutions/institution-terms.ts'
import { codeRules, judgeCodeRequest } from '#domain/institutions/judge-code-request.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { CodeKey, CodeStore } from '#ports/institutions.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { auditRefusedCode, type CodeDigests, type Entry } from './read-entry.ts'

interface DeliverCodeDeps {
  readonly codes: Pick<CodeStore, 'findKey' | 'putCode'>
  readonly digests: CodeDigests
  readonly mailer: Mailer
  readonly audit: AuditTrail
  readonly onMailFailed: (error: unknown) => void
  readonly wait: (ms: number) => Promise<unknown>
}

export type DeliverCode = (entry: Entry, requestId: string) => Promise<void>

// A mail server usually restarts within these pauses; a person does not wait much longer for a code.
const pausesMs = [1_000, 5_000]

/**
 * Runs after an admitted request: sends a code by email to an allowed address, and stores a decoy otherwise. The
 * organization's audit log records rejected people.
 */
export function createDeliverCode(deps: DeliverCodeDeps): DeliverCode {
  return async (entry, requestId) => {
    const key = await deps.codes.findKey(entry.keyHash)
    if (key === null) return putDecoy(deps.codes, entry, institutionDefaults.verificationTtlS)
    const verdict = judgeCodeRequest(key, entry.address)
    if (!verdict.sends) {
      await putDecoy(deps.codes, entry, key.terms.verificationTtlS)
      return auditRefusedCode(deps.audit, { key, entry, requestId, reason: verdict.reason })
    }
    const code = newCode()
    const codeHmac = deps.digests.code(entry.keyHash, entry.identity, code)
    await deps.codes.putCode({ subject: entry.subject, keyId: key.id, codeHmac, ttlS: key.terms.verificationTtlS })
    if (await send(deps, verdict.address.mailbox, { key, code })) return
    await auditRefusedCode(deps.audit, { key, entry, requestId, reason: 'mail_failed' })
  }
}

function putDecoy(codes: DeliverCodeDeps['codes'], { subject }: Entry, ttlS: number): Promise<void> {
  return codes.putCode({ subject, keyId: null, codeHmac: randomBytes(32), ttlS })
}

// `randomInt` has no modulo bias.
function newCode(): string {
  return String(randomInt(10 ** codeRules.digits)).padStart(codeRules.digits, '0')
}

async function send(
  deps: DeliverCodeDeps,
  to: string,
  { key, code }: { key: CodeKey; code: string },
): Promise<boolean> {
  if (!deps.mailer.delivers) return false
  const mail = codeMail({ code, organizationName: key.organizationName, ttlS: key.terms.verificationTtlS })
  for (const pauseMs of [...pausesMs, null]) {
    try {
      await deps.mailer.send({ to, ...mail })
      return true
    } catch (error) {
      deps.onMailFailed(error)
      if (pauseMs !== null) await deps.wait(pauseMs)
    }
  }
  return false
}

/** The email with a code. The code comes first, and no other number in it has as many digits. */
export function codeMail(input: {
  code: string
  organizationName: string
  ttlS: number
}): Pick<Mail, 'subject' | 'text'> {
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
