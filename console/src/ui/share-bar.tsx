/** A percentage as a bar, 0 to 100. The bar repeats figures beside it. */
export function ShareBar({ percent, label }: { readonly percent: number; readonly label: string }) {
  return (
    <progress
      max={100}
      value={Math.min(percent, 100)}
      aria-label={label}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
    />
  )
}
