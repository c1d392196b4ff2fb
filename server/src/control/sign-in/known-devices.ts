import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const deviceCookieName = 'weir_device'

/** The longest lifetime that browsers allow for a cookie. */
const lifeS = 400 * 86_400

/**
 * A browser in which a person has signed in, or reset a password by email, gets a cookie. The cookie grants no access:
 * it only lets failed passwords on this device count separately from those of strangers. It is valid for one account
 * and reveals nothing about it, because it contains only a keyed hash.
 */
export interface KnownDevices {
  /** The id of a device that is known for this account. If the request names no account, the id of any known device. */
  find(cookie: string | undefined, email: string | null): string | null
  /** The `Set-Cookie` header for a newly known device. */
  issue(email: string): string
}

export function createKnownDevices(key: Buffer): KnownDevices {
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const accountOf = (email: string): string =>
    sign(`account ${email.trim().toLowerCase()}`).toString('base64url', 0, 16)
  const markOf = (device: { deviceId: string; account: string }): string =>
    sign(`device ${device.deviceId}.${device.account}`).toString('base64url')
  return {
    find(cookie, email) {
      const [deviceId = '', account = '', mark = ''] = valueIn(cookie).split('.')
      if (!isSame(mark, markOf({ deviceId, account }))) return null
      return email === null || account === accountOf(email) ? deviceId : null
    },
    issue(email) {
      const deviceId = randomBytes(16).toString('base64url')
      const account = accountOf(email)
      const value = [deviceId, account, markOf({ deviceId, account })].join('.')
      return `${deviceCookieName}=${value}; Max-Age=${lifeS}; Path=/api/auth; HttpOnly; Secure; SameSite=Lax`
    },
  }
}

function valueIn(cookie = ''): string {
  const pair = cookie
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${deviceCookieName}=`))
  return pair?.slice(deviceCookieName.length + 1) ?? ''
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
