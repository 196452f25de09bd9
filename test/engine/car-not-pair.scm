(car 42) ; error at 1:1: car: expected a pair, got 42
(define (f x)
  (+ 1 (car x)))
(f 5) ; error at 3:8: car: expected a pair, got 5
(cdr '()) ; error: cdr: expected a pair, got ()
