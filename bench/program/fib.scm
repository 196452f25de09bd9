; Doubly recursive Fibonacci numbers: calls and small integers.
(define (fib n)
  (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (run) (fib 35))
(define expected 9227465)
