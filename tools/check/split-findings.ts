import type { Finding } from '../lib/finding.ts'

/** Tells findings about some paths, or about a folder that one of them stands in, from all others. */
export function splitFindings(findings: readonly Finding[], paths: readonly string[]): SplitFindings {
  const isAsked = ({ path }: Finding) =>
    paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, '')}/`))
  return { asked: findings.filter(isAsked), others: findings.filter((finding) => !isAsked(finding)) }
}

type SplitFindings = { readonly asked: readonly Finding[]; readonly others: readonly Finding[] }
