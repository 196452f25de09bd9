// A cart is a list of lines: { name, price, count }, the price in cents for one piece.

import { percentOf, showPrice } from './price.js'

const DISCOUNT_FROM = 5000
const DISCOUNT_PERCENT = 10

/** What all the lines cost together. */
export function subtotal(lines) {
  let sum = 0
  for (const line of lines) {
    sum += line.price
  }
  return sum
}

/** What the customer pays: from 50.00 on, ten percent less. */
export function total(lines) {
  const sum = subtotal(lines)
  if (sum > DISCOUNT_FROM) {
    return sum - percentOf(sum, DISCOUNT_PERCENT)
  }
  return sum
}

/** The last line of the receipt. */
export function receipt(lines) {
  return `Total: ${showPrice(total(lines))}`
}
