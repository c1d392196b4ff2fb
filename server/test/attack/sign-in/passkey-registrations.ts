import { parseJsonObject } from '#lib/json.ts'
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
  register,
} from './passkey-holder.ts'
import { visit } from './visitor.ts'

/** Only the owner of an account adds or removes its passkeys, and only on our pages. */
export async function tryPasskeyRegistrations(attack: Attack): Promise<void> {
  const [owner, eve] = [await createPasskeyHolder(attack), await createPasskeyHolder(attack)]
  await tryForeignChallenges(attack, owner, eve)
  for (const [name, claims] of Object.entries(foreignClaims)) {
    const asked = await askToRegister(attack, owner)
    const response = createSoftwareAuthenticator().register({ ...claimsFor(asked), ...claims })
    const answer = await register(attack, response, `${owner.cookie}; ${asked.cookie}`)
    judgeRefusal(attack, `a passkey is registered for ${name}`, answer)
  }
  for (const response of noResponses) {
    const asked = await askToRegister(attack, owner)
    const answer = await register(attack, response, `${owner.cookie}; ${asked.cookie}`)
    judgeRefusal(attack, `a passkey is registered as ${JSON.stringify(response)}`, answer)
  }
  await tryForeignPasskeys(attack, owner, eve)
  await judgeOwner(attack, "the owner's passkey after these registrations", owner)
  for (const holder of [owner, eve]) {
    const listed = await passkeysOf(attack, holder)
    const isRight = listed.length === 1
    attack.report.judge({ label: 'passkeys of one account', isRight, expected: '1', got: `${listed.length}` })
  }
}

async function tryForeignChallenges(attack: Attack, owner: PasskeyHolder, eve: PasskeyHolder): Promise<void> {
  const device = createSoftwareAuthenticator()
  const asked = await askToRegister(attack, eve)
  const planted = device.register(claimsFor(asked))
  judgeRefusal(
    attack,
    "the attacker's challenge with the owner's session",
    await register(attack, planted, `${owner.cookie}; ${asked.cookie}`),
  )
  judgeRefusal(
    attack,
    'the challenge of a registration once more',
    await register(attack, planted, `${eve.cookie}; ${asked.cookie}`),
  )
  const unowned = await askToRegister(attack, owner)
  judgeRefusal(
    attack,
    'a registration without a session',
    await register(attack, device.register(claimsFor(unowned)), unowned.cookie),
  )
  const signingIn = await askToSignIn(attack)
  judgeRefusal(
    attack,
    'a registration with the challenge of a sign-in',
    await register(attack, device.register(claimsFor(signingIn)), `${owner.cookie}; ${signingIn.cookie}`),
  )
}

async function tryForeignPasskeys(attack: Attack, owner: PasskeyHolder, eve: PasskeyHolder): Promise<void> {
  const asked = await askToRegister(attack, eve)
  const twin = createSoftwareAuthenticator(owner.device.credentialId).register(claimsFor(asked))
  judgeRefusal(
    attack,
    "the id of the owner's passkey with a key of the attacker",
    await register(attack, twin, `${eve.cookie}; ${asked.cookie}`),
  )
  const [id] = await passkeysOf(attack, owner)
  for (const path of ['/passkey/delete-passkey', '/passkey/update-passkey']) {
    const [foreign, missing] = await Promise.all(
      [id, 'no-such-passkey'].map((each) =>
        visit(attack, path, { body: { id: each, name: 'mine' }, headers: { cookie: eve.cookie } }),
      ),
    )
    const texts = [foreign, missing].map((answer) => `${answer?.status} ${answer?.text}`)
    attack.report.judge({
      label: `${path} for a passkey of another account`,
      isRight: texts[0] === texts[1] && /^4\d\d /.test(texts[0] ?? ''),
      expected: 'the refusal that a missing passkey gets',
      got: texts.join(' · '),
    })
  }
}

async function passkeysOf(attack: Attack, { cookie }: PasskeyHolder): Promise<string[]> {
  const { text } = await visit(attack, '/passkey/list-user-passkeys', { headers: { cookie } })
  const listed = parseJsonObject(`{"all":${text}}`)?.['all']
  if (!Array.isArray(listed)) throw new Error(`no list of passkeys: ${text}`)
  return listed.map((each) => String(Object(each).id))
}
