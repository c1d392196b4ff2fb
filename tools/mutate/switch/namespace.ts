/** The object that instrumented code reads at run time. Stryker defines its shape. */
export interface MutantNamespace {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}

const nameOfStryker = '__stryker__'

export function mutantNamespace(): MutantNamespace {
  const scope = globalThis as { [nameOfStryker]?: MutantNamespace }
  scope[nameOfStryker] ??= {}
  return scope[nameOfStryker]
}
