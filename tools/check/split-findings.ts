import type { Finding } from '../lib/finding.ts'

/** Separates findings about the given paths, or about a folder that contains one of them, from all others. */
export function splitFindings(findings: readonly Finding[], paths: readonly string[]): SplitFindings {
  const isAsked = ({ path }: Finding) =>
    paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, '')}/`))
  return { asked: findings.filter(isAsked), others: findings.filter((finding) => !isAsked(finding)) }
}

type SplitFindings = { readonly asked: readonly Finding[]; readonly others: readonly Finding[] }
