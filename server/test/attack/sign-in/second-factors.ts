import { parseJsonObject } from '#lib/json.ts'
import { oneTimeCode } from '#test/sign-in/one-time-code.ts'
import type { Attack } from '../area.ts'
import type { Answer } from '../setup/send.ts'
import { password, sessionIn, setCookies, signIn, signUp, visit } from './visitor.ts'

/** A challenge ends after five wrong codes. */
const guesses = 6

/** A second factor only works for its owner, and only after a correct password. */
export async function trySecondFactors(attack: Attack): Promise<void> {
  const { report } = attack
  const [owner, eve] = [await enroll(attack), await enroll(attack)]
  const verify = (cookie: string, code: string): Promise<Answer> =>
    visit(attack, '/two-factor/verify-totp', { body: { code }, headers: { cookie } })
  const refuse = (label: string, answer: Answer): void =>
    report.judge({
      label,
      isRight: sessionIn(answer) === null && answer.status >= 400 && answer.status < 500,
      expected: 'a refusal, and no session',
      got: `${answer.status} ${answer.text.slice(0, 200)}`,
    })
  const challenge = await challengeOf(attack, owner.email)
  refuse("the code of another account for the owner's challenge", await verify(challenge, eve.code()))
  refuse('a code without a challenge', await verify('', owner.code()))
  refuse(
    "the owner's code for a challenge of the attacker",
    await verify(await challengeOf(attack, eve.email), owner.code()),
  )
  const passed = await verify(challenge, owner.code())
  report.judge({
    label: "the owner's code for the owner's challenge",
    isRight: sessionIn(passed) !== null,
    expected: 'a session',
    got: `${passed.status} ${passed.text.slice(0, 200)}`,
  })
  refuse('the same challenge once more', await verify(challenge, owner.code()))
  const guessed = await challengeOf(attack, owner.email)
  for (let at = 0; at < guesses; at += 1) await verify(guessed, String(at).padStart(6, '0'))
  refuse(`the right code after ${guesses} guesses for one challenge`, await verify(guessed, owner.code()))
  const disabled = await visit(attack, '/two-factor/disable', {
    body: { password },
    headers: { cookie: await challengeOf(attack, owner.email) },
  })
  refuse('a factor that is disabled with a challenge alone', disabled)
}

interface Enrolled {
  readonly email: string
  code(): string
}

async function enroll(attack: Attack): Promise<Enrolled> {
  const email = await signUp(attack)
  const cookie = await signIn(attack, email)
  const enabled = await visit(attack, '/two-factor/enable', { body: { password }, headers: { cookie } })
  const address = parseJsonObject(enabled.text)?.['totpURI']
  if (typeof address !== 'string') throw new Error(`no second factor: ${enabled.status} ${enabled.text}`)
  const code = (): string => oneTimeCode(address, Date.now())
  await visit(attack, '/two-factor/verify-totp', { body: { code: code() }, headers: { cookie } })
  return { email, code }
}

/** Returns the cookies of a person whose password was correct and whose code is pending. */
async function challengeOf(attack: Attack, email: string): Promise<string> {
  const answer = await visit(attack, '/sign-in/email', { body: { email, password } })
  return setCookies(answer.headers)
    .map((text) => text.split(';')[0])
    .join('; ')
}
