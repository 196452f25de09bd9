import assert from 'node:assert/strict'
import test from 'node:test'
import { receipt, subtotal, total } from './src/cart.js'
import { percentOf } from './src/price.js'

const apples = { name: 'apple', price: 40, count: 3 }
const lamp = { name: 'lamp', price: 4880, count: 1 }

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})

test('each line counts as often as its count says', () => {
  assert.equal(subtotal([apples]), 120)
})

test('there is no discount below 50.00', () => {
  assert.equal(total([lamp]), 4880)
})

test('exactly 50.00 gets the discount', () => {
  assert.equal(total([apples, lamp]), 4500)
})

test('percentages are rounded to the cent', () => {
  assert.equal(percentOf(5005, 10), 501)
})

test('the receipt shows what is to be paid', () => {
  assert.equal(receipt([apples]), 'Total: 1.20')
})
