/** The logo: water over a weir. */
export function WeirMark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path
        d="M6 12c3.3 0 3.3 2.5 6.7 2.5S16 12 19.3 12s3.4 2.5 6.7 2.5M6 19c3.3 0 3.3 2.5 6.7 2.5S16 19 19.3 19s3.4 2.5 6.7 2.5"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        className="stroke-accent-ink"
      />
    </svg>
  )
}
