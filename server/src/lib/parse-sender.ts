import { isMailAddress } from './mail-address.ts'

interface Sender {
  readonly name: string
  readonly address: string
}

/** `weir@example.com` or `Weir <weir@example.com>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  const [, name = '', address = text] = /^([^<>"\r\n]{1,100}) <([^<>]+)>$/.exec(text) ?? []
  return isMailAddress(address) ? { name, address } : null
}
