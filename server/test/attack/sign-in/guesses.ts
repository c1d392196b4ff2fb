import type { Attack } from '../area.ts'
import { makePlace } from '../isolation/make-things.ts'
import { type Answer, sendJson } from '../setup/send.ts'
import { newClientAddress, newMailAddress, password, signIn, signUp, visit } from './visitor.ts'

const guessesPerPlace = 40
/** The default of `limits.signInFailures`. */
const failuresMax = 10

/** Guessing is slow for the guesser and affects no other client. */
export async function tryGuesses(attack: Attack): Promise<void> {
  const { report } = attack
  const email = await signUp(attack)
  const [place = '', ...others] = Array.from({ length: 4 }, newClientAddress)
  const guess = (from: string, at: number): Promise<Answer> =>
    visit(attack, '/sign-in/email', { body: { email, password: `wrong password ${at}` }, from })
  const statuses: number[] = []
  for (let at = 0; at < guessesPerPlace; at += 1) statuses.push((await guess(place, at)).status)
  const judged = statuses.filter((status) => status === 401).length
  report.judge({
    label: `${guessesPerPlace} guesses of one place`,
    isRight: judged <= 30 && statuses.at(-1) === 429 && statuses.every((status) => status === 401 || status === 429),
    expected: 'at most 30 that are judged, then 429',
    got: `${judged} judged, ${statuses.join(' ')}`,
  })
  for (const from of others) await Promise.all(Array.from({ length: 12 }, (_, at) => guess(from, at)))
  const owner = await visit(attack, '/sign-in/email', { body: { email, password } })
  report.judge({
    label: '[B9] the owner after 76 guesses of four others',
    isRight: owner.status === 200,
    expected: '200',
    got: `${owner.status} ${owner.text}`,
  })
  const reset = await visit(attack, '/request-password-reset', { body: { email } })
  report.judge({
    label: '[B9] the owner asks for a new password meanwhile',
    isRight: reset.status === 200,
    expected: '200',
    got: `${reset.status} ${reset.text}`,
  })
  report.figure(`${judged} of ${guessesPerPlace} guesses of one place were judged`)
}

/** An attacker with a stolen session guesses the password no faster than without. */
export async function tryGuessesWithin(attack: Attack): Promise<void> {
  const { report } = attack
  const email = await signUp(attack)
  const cookie = await signIn(attack, email)
  for (const [path, fields] of [
    ['/change-password', { newPassword: 'another long password' }],
    ['/two-factor/enable', {}],
    ['/two-factor/disable', {}],
    ['/delete-user', {}],
  ] as const) {
    const from = newClientAddress()
    const statuses: number[] = []
    for (let at = 0; at < guessesPerPlace; at += 1) {
      const guess = `wrong password ${at}`
      const body = { ...fields, currentPassword: guess, password: guess }
      statuses.push((await visit(attack, path, { body, headers: { cookie }, from })).status)
    }
    const judged = statuses.filter((status) => status !== 429).length
    report.judge({
      label: `${guessesPerPlace} guesses at ${path} with a session`,
      isRight: statuses[0] === 404 || (judged <= failuresMax && statuses.at(-1) === 429),
      expected: `at most ${failuresMax} that are judged, then 429`,
      got: `${judged} judged, ${statuses.join(' ')}`,
    })
  }
  const out = await visit(attack, '/sign-out', { body: {}, headers: { cookie } })
  report.judge({
    label: 'the owner ends the session after these guesses',
    isRight: out.status === 200,
    expected: '200',
    got: `${out.status} ${out.text}`,
  })
}

/** No response distinguishes a known address from an unknown one. */
export async function tryEnumeration(attack: Attack): Promise<void> {
  const { report } = attack
  const known = await signUp(attack)
  const unknown = newMailAddress()
  for (const [path, fields] of [
    ['/sign-in/email', { password: 'not the password' }],
    ['/request-password-reset', {}],
    ['/send-verification-email', {}],
  ] as const) {
    const [one, other] = await Promise.all([
      visit(attack, path, { body: { email: known, ...fields } }),
      visit(attack, path, { body: { email: unknown, ...fields } }),
    ])
    const isRight = plain(one, known) === plain(other, unknown)
    report.judge({
      label: `${path} for known and unknown addresses`,
      isRight,
      expected: 'one answer',
      got: `${plain(one, known)} · ${plain(other, unknown)}`,
    })
  }
}

function plain({ status, text }: Answer, email: string): string {
  return `${status} ${text.replaceAll(email, '…')}`
}

/** Six digits, five guesses: the code expires after them, however many are sent at once. */
export async function tryInstitutionCodes(attack: Attack): Promise<void> {
  const { world, report } = attack
  const { organizationId } = await makePlace(world, 'home')
  const { key } = await world.addInstitutionSession(organizationId)
  const email = `pupil.${Date.now()}@uni.example`
  const ask = (path: string, body: object): Promise<Answer> =>
    sendJson(`${world.nextGateway().url}/api/edu/${path}`, { method: 'POST', body, localAddress: newClientAddress() })
  await ask('request-code', { key, email })
  const { text } = await world.mail.nextTo(email)
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
  const wrong = Array.from({ length: 60 }, (_, at) => String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'))
  const answers = await Promise.all(wrong.map((guess) => ask('verify', { key, email, code: guess })))
  const judged = answers.filter(({ status }) => status === 400).length
  const isBounded = judged <= 5 && answers.every(({ status }) => status === 400 || status === 429)
  report.judge({
    label: '60 guesses of a code at once',
    isRight: isBounded,
    expected: 'at most 5 that are judged, 429 for the others',
    got: `${judged} judged`,
  })
  const late = await ask('verify', { key, email, code })
  report.judge({
    label: 'the right code after them',
    isRight: late.status === 400 || late.status === 429,
    expected: '400 or 429',
    got: `${late.status} ${late.text}`,
  })
}
