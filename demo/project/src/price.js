// Prices, in whole cents.

/** So many percent of an amount, rounded to the cent. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100)
}

/** An amount as a customer reads it: 1250 is "12.50". */
export function showPrice(cents) {
  return (cents / 100).toFixed(2)
}
