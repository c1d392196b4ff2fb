import { audioBodies } from './audio-bodies.ts'
import { chatBodies } from './chat-bodies.ts'
import { imageBodies } from './image-bodies.ts'
import { judgeBodies } from './judge-bodies.ts'
import { type KnownMismatch, knownMismatches, mismatchOf } from './known-mismatches.ts'
import type { TypedBody } from './typed-body.ts'
import { typedCapabilities } from './typed-capabilities.ts'
import { videoBodies } from './video-bodies.ts'

interface TypeVerdict {
  readonly bodies: readonly TypedBody[]
  /** The number of listed type errors. */
  readonly listedCount: number
  /** The faults that fail the run, a line each. */
  readonly faults: readonly string[]
}

/** Builds the bodies whose provider, capability or SDK contains the name, and type-checks them. */
export async function runTypes(only: string): Promise<TypeVerdict> {
  const all = [...(await chatBodies()), ...imageBodies(), ...videoBodies(), ...audioBodies()]
  const bodies = all.filter(({ provider, capability, type }) =>
    [provider, capability, type.sdk].some((name) => name.includes(only)),
  )
  const wrong = await judgeBodies(bodies)
  const met = new Map<KnownMismatch, Set<string>>()
  const faults: string[] = []
  for (const [body, text] of wrong) {
    const known = mismatchOf(body, text)
    if (known === undefined) faults.push(`${nameOf(body)}: ${text}`)
    else met.set(known, (met.get(known) ?? new Set()).add(body.provider))
  }
  for (const known of only === '' ? knownMismatches : []) {
    const idle = known.providers.filter((provider) => met.get(known)?.has(provider) !== true)
    for (const provider of idle)
      faults.push(`${provider} ${known.capability}: type-checks, and is listed: ${known.says}`)
  }
  const listedCount = wrong.size - faults.filter((fault) => fault.includes('): TS')).length
  return { bodies, listedCount, faults: [...faults, ...(only === '' ? coverageFaults(bodies) : [])] }
}

/** Covered capabilities that are not declared, and declared ones that are not covered. */
function coverageFaults(bodies: readonly TypedBody[]): string[] {
  const built = new Set(bodies.map(({ provider, capability, type }) => `${provider} ${capability} ${type.sdk}`))
  const stated = new Set(
    Object.entries(typedCapabilities).flatMap(([provider, own]) =>
      Object.entries(own).map(([capability, sdk]) => `${provider} ${capability} ${sdk}`),
    ),
  )
  return [...built, ...stated]
    .filter((name) => !(built.has(name) && stated.has(name)))
    .map((name) => `${name}: built or stated in typed-capabilities.ts, not both`)
}

function nameOf({ provider, capability, model, wish, type }: TypedBody): string {
  return `${provider} ${capability} ${model}, ${wish} (${type.sdk})`
}
