const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|HeadlessChrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** A readable name for a user agent: `Firefox on Linux`. */
export function nameDevice(userAgent: string | null): { readonly label: string; readonly isPhone: boolean } {
  const text = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1]
  const system = systems.find(([pattern]) => pattern.test(text))?.[1]
  const isPhone = /iPhone|Android.*Mobile/.test(text)
  if (browser === undefined) return { label: text === '' ? 'Unknown device' : text.slice(0, 60), isPhone }
  return { label: system === undefined ? browser : `${browser} on ${system}`, isPhone }
}
