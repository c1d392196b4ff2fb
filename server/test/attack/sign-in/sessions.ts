import type { Attack } from '../area.ts'
import { sendJson } from '../setup/send.ts'
import { newMailAddress, password, sessionIn, setCookies, signIn, signUp, visit } from './visitor.ts'

/** A session known to the attacker must be invalid after a person signs in with it. */
export async function tryFixation(attack: Attack): Promise<void> {
  const { world, report } = attack
  const email = await signUp(attack)
  const planted = await signIn(attack, await signUp(attack))
  const answer = await visit(attack, '/sign-in/email', { body: { email, password }, headers: { cookie: planted } })
  const begun = sessionIn(answer)
  report.judge({
    label: 'a planted session',
    isRight: begun !== null && begun !== planted,
    expected: 'another session',
    got: String(begun),
  })
  const attributes = (setCookies(answer.headers).find((text) => text.startsWith(begun ?? ' ')) ?? '').toLowerCase()
  for (const attribute of ['httponly', 'secure', 'samesite=lax', 'path=/']) {
    report.judge({
      label: `the cookie is ${attribute}`,
      isRight: attributes.includes(attribute),
      expected: attribute,
      got: attributes,
    })
  }
  const ask = async (cookie: string | null): Promise<number> =>
    (await sendJson(`${world.nextGateway().url}/v1/keys`, { headers: { cookie: cookie ?? '' } })).status
  await visit(attack, '/sign-out', { body: {}, headers: { cookie: begun ?? '' } })
  const after = await ask(begun)
  report.judge({ label: 'a session after its end', isRight: after === 401, expected: '401', got: String(after) })
}

const elsewhere = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://weir.test@evil.example/',
  'https://weir.test.evil.example/',
  ' https://evil.example',
  '/%2f%2fevil.example',
]

/** No response and no mail leads to another site. */
export async function tryRedirects(attack: Attack): Promise<void> {
  const { report, world } = attack
  const email = await signUp(attack)
  for (const target of elsewhere) {
    const encoded = encodeURIComponent(target)
    const probes = {
      'a new password': visit(attack, '/request-password-reset', { body: { email, redirectTo: target } }),
      'a sign-in': visit(attack, '/sign-in/email', { body: { email, password, callbackURL: target } }),
      'a sign-up': visit(attack, '/sign-up/email', {
        body: { email: newMailAddress(), password, name: 'Eve', callbackURL: target },
      }),
      'a proven address': visit(attack, `/verify-email?token=x&callbackURL=${encoded}`),
      'a link for a new password': visit(attack, `/reset-password/x?callbackURL=${encoded}`),
      'the error page': visit(attack, `/error?error=x&callbackURL=${encoded}&redirectTo=${encoded}`),
    }
    for (const [name, probe] of Object.entries(probes)) {
      const { status, headers, text } = await probe
      const led = /evil|javascript:|data:text/.test(`${headers.location ?? ''}`)
      const isRight = !led && !/"url":"[^"]*evil/.test(text) && status < 500
      report.judge({
        label: `${name} that leads to ${target}`,
        isRight,
        expected: 'no way there',
        got: `${status} ${headers.location ?? ''} ${text.slice(0, 200)}`,
      })
    }
  }
  const misled = world.mail.mails.filter(({ text }) => /https?:\/\/(?!weir\.test(?:[/:?]|$))/.test(text))
  report.judge({
    label: 'links in mails',
    isRight: misled.length === 0,
    expected: 'all to the own site',
    got: misled
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 300),
  })
}

/** Unknown fields set nothing. */
export async function tryMassAssignment(attack: Attack): Promise<void> {
  const { world, report } = attack
  const id = '01890000-0000-7000-8000-0000000000ff'
  const email = newMailAddress()
  const extra = {
    id,
    emailVerified: true,
    email_verified: true,
    role: 'admin',
    suspended: false,
    twoFactorEnabled: true,
    walletId: id,
    balance: 1e9,
  }
  await visit(attack, '/sign-up/email', { body: { email, password, name: 'Eve', ...extra } })
  const { rows } = await world.pool.query<{ id: string; email_verified: boolean }>(
    'SELECT id, email_verified FROM auth_users WHERE email = $1',
    [email],
  )
  const isPlain = rows.every((row) => row.id !== id && !row.email_verified)
  report.judge({
    label: 'a sign-up with more than it needs',
    isRight: isPlain,
    expected: 'an address to be proven',
    got: JSON.stringify(rows),
  })
  const known = await signUp(attack)
  const cookie = await signIn(attack, known)
  await visit(attack, '/update-user', {
    body: { name: 'Eve', email: 'other@example.com', ...extra },
    headers: { cookie },
  })
  const session = await visit(attack, '/get-session', { headers: { cookie } })
  report.judge({
    label: 'a change of oneself with more than it needs',
    isRight: session.text.includes(known) && !session.text.includes('other@example.com'),
    expected: 'the same address',
    got: session.text,
  })
  const owner = await world.createClient()
  const fields = {
    userId: owner.userId,
    user_id: owner.userId,
    walletId: owner.walletId,
    wallet_id: owner.walletId,
    organizationId: id,
    type: 'operator',
    keyType: 'operator',
    secret_hash: 'x',
    enabled: true,
    id,
  }
  const made = await sendJson(`${world.nextGateway().url}/v1/keys`, {
    method: 'POST',
    headers: { cookie, origin: 'https://weir.test' },
    body: { name: 'mine', ...fields },
  })
  const stolen = await world.pool.query(
    `SELECT id FROM api_keys WHERE id = $1 OR type = 'operator' AND name = 'mine' OR user_id = $2 AND name = 'mine'`,
    [id, owner.userId],
  )
  report.judge({
    label: 'a key with an owner of its own',
    isRight: stolen.rows.length === 0 && made.status < 500,
    expected: "none of somebody else's",
    got: `${made.status} ${JSON.stringify(stolen.rows)}`,
  })
}
