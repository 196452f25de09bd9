// Quantiles of numbers.

/** The value below which a share `p` (0 to 1) of the sorted values lies, interpolated linearly between two of them: type 7
 * of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (The American Statistician 50, 1996). NaN of none. */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  const at = (sorted.length - 1) * p
  const low = Math.floor(at)
  const high = Math.ceil(at)
  if (sorted.length === 0) return NaN
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low)
}
