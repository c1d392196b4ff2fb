import { encode } from 'uqr'

/** A QR code, drawn as one path. It is black on white in both themes, because scanners expect that. */
export function QrCode({
  text,
  label,
  size = 168,
}: {
  readonly text: string
  readonly label: string
  readonly size?: number
}) {
  const { data, size: modules } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      className="rounded-md"
    >
      <rect width={modules} height={modules} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
