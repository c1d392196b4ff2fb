/** Attributes of a link to the current page: for screen readers, and for the styles `data-current:…`. */
export function currentMarks(isCurrent: boolean) {
  return { 'aria-current': isCurrent ? ('page' as const) : undefined, 'data-current': isCurrent || undefined }
}
