/**
 * What an upstream could repeat of the account that it was asked with: the credential, whole and in its parts (a pair
 * of keys, the file of a service account), and the host that an operator has named.
 */
export function accountSecrets({ baseUrl, credential }: AccountAddress): string[] {
  const parts = credential?.split(/[^\w.+/=-]+/).filter(({ length }) => length >= partLengthMin) ?? []
  const host = baseUrl === null ? null : URL.parse(baseUrl)?.hostname
  return [credential, ...parts, host].filter((secret) => typeof secret === 'string')
}

export interface AccountAddress {
  readonly baseUrl: string | null
  readonly credential: string | null
}

// Shorter parts are words, such as a region or the kind of a file.
const partLengthMin = 16
