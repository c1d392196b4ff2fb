import { randomBytes } from 'node:crypto'
import { createSoftwareAuthenticator } from '#test/sign-in/software-authenticator.ts'
import type { Attack } from '../area.ts'
import {
  askToRegister,
  askToSignIn,
  claimsFor,
  createPasskeyHolder,
  foreignClaims,
  judgeOwner,
  judgeRefusal,
  noResponses,
  type PasskeyHolder,
  signInWith,
} from './passkey-holder.ts'
import { sessionIn, visit } from './visitor.ts'

/** A passkey signs in its owner: once per challenge, on our pages, and from one device. */
export async function tryPasskeys(attack: Attack): Promise<void> {
  const [owner, eve] = [await createPasskeyHolder(attack), await createPasskeyHolder(attack)]
  await judgeOwner(attack, 'a passkey as it was registered', owner)
  await tryReplays(attack, owner)
  await tryForeignClaims(attack, owner)
  await tryForeignKeys(attack, owner, eve)
  await judgeOwner(attack, 'the passkey after all of it', owner)
  await judgeOwner(attack, "the attacker's passkey for the attacker", eve)
}

async function tryReplays(attack: Attack, owner: PasskeyHolder): Promise<void> {
  const asked = await askToSignIn(attack)
  const signed = owner.device.authenticate(claimsFor(asked))
  const twins = await Promise.all(Array.from({ length: 8 }, () => signInWith(attack, signed, asked.cookie)))
  const sessions = twins.filter((answer) => sessionIn(answer) !== null).length
  attack.report.judge({
    label: 'one signature eight times at once, at both gateways',
    isRight: sessions === 1 && twins.every(({ status }) => status < 500),
    expected: 'one session',
    got: `${sessions} sessions, ${twins.map(({ status }) => status).join(' ')}`,
  })
  judgeRefusal(attack, 'a signature once more', await signInWith(attack, signed, asked.cookie))
  const next = await askToSignIn(attack)
  judgeRefusal(attack, 'a signature for the next challenge', await signInWith(attack, signed, next.cookie))
  const [one, other] = [await askToSignIn(attack), await askToSignIn(attack)]
  const forOne = owner.device.authenticate(claimsFor(one))
  judgeRefusal(
    attack,
    'a signature for the challenge of another browser',
    await signInWith(attack, forOne, other.cookie),
  )
  judgeRefusal(attack, 'a signature without a challenge', await signInWith(attack, forOne, ''))
  const forged = one.cookie.replace(/=[^%.]{4}/, '=AAAA')
  judgeRefusal(attack, 'a signature with a forged challenge', await signInWith(attack, forOne, forged))
  const registering = await askToRegister(attack, owner)
  const forRegistering = owner.device.authenticate(claimsFor(registering))
  judgeRefusal(
    attack,
    'a signature for the challenge of a registration',
    await signInWith(attack, forRegistering, registering.cookie),
  )
}

async function tryForeignClaims(attack: Attack, { device }: PasskeyHolder): Promise<void> {
  for (const [name, claims] of Object.entries(foreignClaims)) {
    const asked = await askToSignIn(attack)
    const response = device.authenticate({ ...claimsFor(asked), ...claims })
    judgeRefusal(attack, `a passkey signs for ${name}`, await signInWith(attack, response, asked.cookie))
  }
  for (const counter of [0, 1]) {
    const asked = await askToSignIn(attack)
    const response = device.authenticate({ ...claimsFor(asked), counter })
    judgeRefusal(
      attack,
      `a copy of the device that counts ${counter}`,
      await signInWith(attack, response, asked.cookie),
    )
  }
  for (const response of noResponses) {
    const { cookie } = await askToSignIn(attack)
    judgeRefusal(attack, `a passkey that is ${JSON.stringify(response)}`, await signInWith(attack, response, cookie))
  }
}

async function tryForeignKeys(attack: Attack, owner: PasskeyHolder, eve: PasskeyHolder): Promise<void> {
  const answerOf = async (device: PasskeyHolder['device']): Promise<string> => {
    const asked = await askToSignIn(attack)
    const answer = await signInWith(attack, device.authenticate(claimsFor(asked)), asked.cookie)
    return sessionIn(answer) === null ? `${answer.status} ${answer.text}` : 'a session'
  }
  const known = await answerOf(createSoftwareAuthenticator(owner.device.credentialId))
  const unknown = await answerOf(createSoftwareAuthenticator(randomBytes(16)))
  attack.report.judge({
    label: 'a wrong signature for passkeys that exist and that do not',
    isRight: known === unknown && /^4\d\d /.test(known),
    expected: 'one refusal',
    got: `${known} · ${unknown}`,
  })
  const { text } = await visit(attack, '/get-session', { headers: { cookie: owner.cookie } })
  const ownerId = /"userId":"([^"]+)"/.exec(text)?.[1] ?? ''
  const asked = await askToSignIn(attack)
  const signed = eve.device.authenticate(claimsFor(asked))
  const response = { ...signed, response: { ...responseIn(signed), userHandle: ownerId } }
  const session = sessionIn(await signInWith(attack, response, asked.cookie))
  const begun = await visit(attack, '/get-session', { headers: { cookie: session ?? '' } })
  attack.report.judge({
    label: "the attacker's passkey in the owner's name",
    isRight: ownerId !== '' && !begun.text.includes(ownerId),
    expected: 'no session of the owner',
    got: begun.text.slice(0, 200),
  })
}

function responseIn(signed: object): object {
  return 'response' in signed && typeof signed.response === 'object' ? (signed.response ?? {}) : {}
}
