// Values printed in manuals and sample files are the first that an attacker tries.
const wellKnown =
  /change.?me|replace.?me|example|placeholder|insecure|your.?(master.?)?(secret|key)|password|default|0123456789|123456789|abcdefgh|qwerty|deadbeef/i

// A random string of 32 hexadecimal digits has fewer than 8 distinct digits about once in 10^7 times.
const distinctCharactersMin = 8

/** Rejects a guessable master secret at start. The message never repeats the secret. */
export function judgeSecret(secret: string): string | undefined {
  if (secret.length < 32) return 'must be at least 32 characters'
  if (new Set(secret).size < distinctCharactersMin) return 'uses so few distinct characters that it can be guessed'
  if (wellKnown.test(secret)) return 'looks like a documentation example; generate one with: openssl rand -base64 48'
  return undefined
}
